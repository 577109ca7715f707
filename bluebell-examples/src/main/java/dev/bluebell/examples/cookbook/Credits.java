package dev.bluebell.examples.cookbook;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Flow control with credits: a sender never sends more messages than its peer has receives posted.
 */
final class Credits {
  private static final int CREDITS = 8;
  private static final int MESSAGE_BYTES = 16;
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private Credits() {}

  /** Sends while it has credit: its peer writes how many messages it has taken. */
  static final class Sender {
    private final RcQueuePair queuePair;
    private final MemoryRegion taken;
    private long sent;

    Sender(RcQueuePair queuePair, MemoryRegion taken) {
      this.queuePair = queuePair;
      this.taken = taken;
    }

    boolean trySend(byte[] message) {
      if (sent - (long) LONG.getAcquire(taken.segment(), 0L) == CREDITS) {
        return false;
      }
      queuePair.send().inline(message, 0, message.length).signaled(sent++);
      queuePair.ringDoorbell();
      return true;
    }
  }

  /** The receiving end, which has a receive posted for each credit. */
  static final class Receiver {
    private final RcQueuePair queuePair;
    private final MemoryRegion slots;
    private final MemoryRegion count;
    private final RemoteMemory taken;

    Receiver(RcQueuePair queuePair, MemoryRegion slots, MemoryRegion count, RemoteMemory taken) {
      this.queuePair = queuePair;
      this.slots = slots;
      this.count = count;
      this.taken = taken;
      for (int slot = 0; slot < CREDITS; slot++) {
        post(slot);
      }
    }

    private void post(long slot) {
      queuePair.receive().scatter(slots, slot * MESSAGE_BYTES, MESSAGE_BYTES).post(slot);
      queuePair.ringReceiveDoorbell();
    }

    void take(Completion message) {
      Polling.requireSuccess(message);
      // Use the message here. Then post the receive first, and give the credit second.
      post(message.id());
      long total = count.segment().get(ValueLayout.JAVA_LONG, 0) + 1;
      count.segment().set(ValueLayout.JAVA_LONG, 0, total);
      queuePair.write(taken).inline(count.segment(), 0, Long.BYTES).signaled(total);
      queuePair.ringDoorbell();
    }

    long taken() {
      return count.segment().get(ValueLayout.JAVA_LONG, 0);
    }
  }

  /** Sends some messages, and returns how often there was no credit, or nothing left to send. */
  static int run(Device device, int messages) {
    try (ProtectionDomain domain = device.allocateProtectionDomain();
        MemoryRegion taken = domain.allocate(Long.BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        MemoryRegion slots = domain.allocate(CREDITS * MESSAGE_BYTES, Access.LOCAL_WRITE);
        MemoryRegion count = domain.allocate(Long.BYTES);
        CompletionQueue sends = device.createCompletionQueue(64);
        CompletionQueue receives = device.createCompletionQueue(64);
        RcQueuePair left = domain.rcQueuePair(sends).create();
        RcQueuePair right = domain.rcQueuePair(sends).receiveCompletions(receives).create()) {
      Sender sender = new Sender(left, taken);
      Receiver receiver = new Receiver(right, slots, count, taken.remote());
      // No message may find no receive, so fail at once: it would be a bug in the credits.
      ConnectOptions options = ConnectOptions.DEFAULT.withRnrRetry(0);
      left.connect(right.endpoint(), options);
      right.connect(left.endpoint(), options);

      int waits = 0;
      for (int sent = 0; receiver.taken() < messages; ) {
        if (sent < messages && sender.trySend(new byte[] {(byte) sent})) {
          sent++;
        } else {
          waits++;
          receives.poll(receiver::take);
        }
        sends.poll(Polling::requireSuccess);
      }
      return waits;
    }
  }
}
