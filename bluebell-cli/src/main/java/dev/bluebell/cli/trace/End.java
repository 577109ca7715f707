package dev.bluebell.cli.trace;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RequestEnd;
import java.util.function.Supplier;

/** One end of a reliable connection, with the operations that scenes use. */
final class End {
  private static final long SEND = 1;
  private static final long RECEIVE = 2;

  /** Has a completion only if it fails. */
  private static final long UNSIGNALED = 3;

  /** The tag bits of a key; a wrong key has all of them inverted. */
  private static final int TAG = 0xff;

  private final int bytes;
  private final CompletionQueue completions;
  private final MemoryRegion memory;
  private final RcQueuePair queuePair;

  // Completions that were polled and not yet awaited. A failed one counts as sent or received too:
  // it ends the wait for it.
  private int sent;
  private int received;
  private int failed;

  /**
   * @param bytes of each message
   */
  End(Device device, int bytes) {
    this.bytes = bytes;
    ProtectionDomain domain = device.allocateProtectionDomain();
    completions = device.createCompletionQueue(4 * Ends.MOST);
    memory = domain.allocate(Math.max(1, bytes), Access.rights());
    queuePair =
        domain.rcQueuePair(completions).sendQueue(Ends.MOST).receiveQueue(Ends.MOST).create();
  }

  void connect(End other) {
    queuePair.connect(other.queuePair.endpoint());
  }

  int number() {
    return queuePair.number();
  }

  /** Posts a receive for one message. */
  void receive() {
    queuePair.receive().scatter(memory, 0, bytes).post(RECEIVE);
    queuePair.ringReceiveDoorbell();
  }

  void send() {
    sends(1);
  }

  void sends(int count) {
    post(count, () -> queuePair.send().gather(memory, 0, bytes));
  }

  void writes(End to, int count) {
    post(count, () -> queuePair.write(to.memory.remote()).gather(memory, 0, bytes));
  }

  void reads(End from, int count) {
    post(count, () -> queuePair.read(from.memory.remote()).scatter(memory, 0, bytes));
  }

  /** Posts requests, of which only the last is signalled, and rings once. */
  private void post(int count, Supplier<RequestEnd> request) {
    for (int i = 1; i < count; i++) {
      request.get().unsignaled(UNSIGNALED);
    }
    request.get().signaled(SEND);
    queuePair.ringDoorbell();
  }

  /** Posts WRITEs, all signalled, the first with a wrong tag in its key. */
  void writesWithWrongKey(End to, int count) {
    long address = to.memory.remote().address();
    int rkey = to.memory.rkey();
    queuePair.write(address, rkey ^ TAG).gather(memory, 0, bytes).signaled(SEND);
    for (int i = 1; i < count; i++) {
      queuePair.write(address, rkey).gather(memory, 0, bytes).signaled(SEND);
    }
    queuePair.ringDoorbell();
  }

  /** Waits until the last signalled request has completed or failed. */
  void awaitSent() {
    Ends.await("a request did not complete", () -> poll() && sent > 0);
    sent--;
  }

  /** Takes a message that was received; false if there is none. */
  boolean takeReceived() {
    if (received == 0) {
      return false;
    }
    received--;
    return true;
  }

  /** Whether a request has failed. */
  boolean failed() {
    return failed > 0;
  }

  /** Waits until {@code count} requests have failed. */
  void awaitFailed(int count) {
    Ends.await("a request did not fail", () -> poll() && failed >= count);
    failed = 0;
  }

  /** Polls for completions; always true. */
  boolean poll() {
    int unused = completions.poll(this::completed);
    return true;
  }

  private void completed(Completion completion) {
    if (!completion.isSuccess()) {
      failed++;
    }
    if (completion.id() == SEND) {
      sent++;
    } else if (completion.id() == RECEIVE) {
      received++;
    }
  }
}
