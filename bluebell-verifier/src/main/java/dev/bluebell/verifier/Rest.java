package dev.bluebell.verifier;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Ring;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks a program at rest: nothing may wait for an event that cannot happen, and a program that
 * reposts its receive entries must wait for the next message.
 */
final class Rest {
  private final ProgramImage image;
  private final Path path;
  private final Rules rules;

  Rest(ProgramImage image, Path path, Rules rules) {
    this.image = image;
    this.path = path;
    this.rules = rules;
  }

  /** Refuses a program that violates this. */
  void check() {
    boolean isCalled = path.client >= 0;
    boolean isAnswered = isCalled && path.clients.get(path.client).isAnswered();
    boolean goesOn = path.clients.stream().anyMatch(this::isTakenAgain);
    if (goesOn || path.clients.isEmpty() || isCalled && !isAnswered) {
      refuseWhatIsStuck();
    }
    if (goesOn) {
      path.clients.stream().filter(this::isTakenAgain).forEach(this::refuseWhatIsNotTaken);
    } else if (isCalled && !isAnswered) {
      refuseWhatIsNotAnswered();
    }
  }

  /**
   * True when an entry of the program names the doorbell record that posts a client's receive
   * entries.
   */
  private boolean isTakenAgain(ProofClient client) {
    long record = receiver(client).queue.receiveRecord();
    return image.regions().stream()
        .filter(region -> region.owner() == Region.Owner.PROGRAM)
        .filter(region -> region.contains(record, Integer.BYTES) && !region.rights().isEmpty())
        .anyMatch(region -> path.queues.stream().anyMatch(each -> names(each, region)));
  }

  private static boolean names(ProofQueue at, Region region) {
    Ring ring = at.queue.send();
    for (int index = 0; index < ring.posted(); index++) {
      ByteBuffer words = ByteBuffer.wrap(ring.slot(index));
      for (int word = ControlSegment.BYTES; word < words.capacity(); word += Integer.BYTES) {
        if (words.getInt(word) == region.rkey()) {
          return true;
        }
      }
    }
    return false;
  }

  private ProofQueue receiver(ProofClient client) {
    return Objects.requireNonNull(path.queue(client.entry.qpn()), "an entry point has no queue");
  }

  private void refuseWhatIsStuck() {
    for (ProofQueue at : path.queues) {
      Request request = next(at);
      if (request != null && request.isValueWait()) {
        int place = ValueWaits.place(path.layout, request);
        throw new Refused(
            "%s waits for a condition on %s, which does not hold when the program is at rest",
            at.entry(at.head), path.layout.name(place));
      }
      if (request == null || path.clients.stream().anyMatch(each -> isFor(each, request))) {
        continue;
      }
      ProofCq cq = path.completions.get(request.object());
      if (cq != null) {
        throw new Refused(
            "%s waits for completion %d of completion queue %d, which has %d when the program is at"
                + " rest",
            at.entry(at.head), request.awaited() + 1, request.object(), cq.count & 0xffffff);
      }
    }
  }

  private boolean isFor(ProofClient client, Request wait) {
    return receiver(client).queue.receiveCq() == wait.object();
  }

  /** The WAIT that holds a queue; null when there is none. */
  private @Nullable Request next(ProofQueue at) {
    if (at.head >= at.limit()) {
      return null;
    }
    Request request = new EntryReader(path, at, rules).read();
    return request.isWait() || request.isValueWait() ? request : null;
  }

  /** Refuses a client whose next message would find no receive entry, or would start nothing. */
  private void refuseWhatIsNotTaken(ProofClient client) {
    ProofQueue receiver = receiver(client);
    if (receiver.taken >= receiver.receiveLimit()) {
      throw new Refused(
          "%s has no receive entry for the next message when the program is at rest",
          receiver.name());
    }
    for (ProofQueue at : path.queues) {
      Request wait = next(at);
      if (wait != null && wait.isWait() && isFor(client, wait)) {
        ProofCq cq = Objects.requireNonNull(path.completions.get(wait.object()));
        if ((cq.count - wait.awaited() & 0xffffff) == 0) {
          return;
        }
      }
    }
    throw new Refused(
        "when the program is at rest, nothing waits for the next message to %s", receiver.name());
  }

  /**
   * Refuses a call that ends without an answer before all entries that may answer it are executed.
   */
  private void refuseWhatIsNotAnswered() {
    for (ProofQueue at : path.queues) {
      if (!at.queue.isLoopback() && at.head < at.queue.send().posted()) {
        throw new Refused(
            "%s is not executed when the program is at rest, and the client has no answer",
            at.entry(at.head));
      }
    }
  }

  /**
   * Refuses a NOP that a condition has turned into a request, in a queue that does not reach it.
   */
  static void refuseWhatIsArmedInVain(Path path) {
    for (ProofQueue at : path.queues) {
      Ring ring = at.queue.send();
      // A ring that was executed to its end has no later entries.
      long all = path.bases[path.counters.sent(at)] + at.limit();
      long first = all == 0 ? 0 : (all - 1) % ring.slots() + 1;
      for (long index = first; at.queue.managed() && index < ring.posted(); index++) {
        int place = path.layout.place(ring, index) + 3;
        int before = ring.slot((int) index)[3];
        int now = path.symbols.resolve(path.memory[place]);
        if (before == WqeOpcode.NOP && now != before) {
          throw new Refused("%s becomes a request, but is not enabled afterwards", at.entry(index));
        }
      }
    }
  }
}
