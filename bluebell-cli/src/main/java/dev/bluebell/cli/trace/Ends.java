package dev.bluebell.cli.trace;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.verbs.Device;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Two connected queue pairs of one device, with their memory and completion queues. Each has its
 * own protection domain, so that in virtual time a network lies between them.
 */
final class Ends {
  /** Most requests that a queue of an end holds. */
  static final int MOST = 64;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HcaDiagnosis diagnosis;
  private final End left;
  private final End right;

  Ends(Device device, HcaDiagnosis diagnosis, int bytes) {
    this.diagnosis = diagnosis;
    left = new End(device, bytes);
    right = new End(device, bytes);
    left.connect(right);
    right.connect(left);
  }

  End left() {
    return left;
  }

  End right() {
    return right;
  }

  /**
   * Waits until the right end has answered the left one that it has no receive posted, or until a
   * request of the left one has failed.
   */
  void awaitNotReady() {
    await(
        "no RNR NAK arrived",
        () -> {
          // The polling thread may be the one that runs the device.
          return left.poll()
              && (left.failed() || diagnosis.happenings().stream().anyMatch(this::isNotReady));
        });
  }

  /** Waits until the left end has sent {@code count} messages, and for them if no SEND failed. */
  void awaitMessages(int count) {
    left.awaitSent();
    for (int i = 0; i < count; i++) {
      awaitReceived(right);
    }
  }

  /** Waits until an end has received a message, or until a request of an end has failed. */
  void awaitReceived(End at) {
    await(
        "a message did not arrive",
        () -> left.poll() && right.poll() && (at.takeReceived() || failed()));
  }

  /** Whether a request has failed. */
  boolean failed() {
    return left.failed() || right.failed();
  }

  private boolean isNotReady(HcaHappening happening) {
    return happening.kind() == HcaHappening.RECEIVER_NOT_READY
        && happening.number() == left.number();
  }

  /** The connections, and the flight record since the first doorbell, oldest entry first. */
  List<HcaHappening> record() {
    List<HcaHappening> all = diagnosis.happenings();
    Predicate<HcaHappening> isEarly = happening -> happening.kind() != HcaHappening.DOORBELL;
    Stream<HcaHappening> connections =
        all.stream()
            .takeWhile(isEarly)
            .filter(happening -> happening.kind() == HcaHappening.CONNECTED);
    return Stream.concat(connections, all.stream().dropWhile(isEarly)).toList();
  }

  /** Waits for a condition, and fails after {@code PATIENCE}. */
  static void await(String otherwise, BooleanSupplier done) {
    long start = System.nanoTime();
    while (!done.getAsBoolean()) {
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        throw new WorkFailed(
            "%s within %d s; check the device with 'bluebell doctor'"
                .formatted(otherwise, PATIENCE.toSeconds()));
      }
      Thread.onSpinWait();
    }
  }
}
