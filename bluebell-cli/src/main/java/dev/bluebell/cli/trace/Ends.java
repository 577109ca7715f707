package dev.bluebell.cli.trace;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.verbs.Device;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Two connected queue pairs of one device, with all that they need. Each has a protection domain of
 * its own, so that a network lies between them where time is virtual.
 */
final class Ends {
  /** Messages in the order of which a scene counts. */
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

  /** Waits until the device has told the left end that the right one has no receive. */
  void awaitNotReady() {
    await(
        "the receiver was never said to be not ready",
        () -> {
          // Whoever polls may run the device.
          return left.poll() && diagnosis.happenings().stream().anyMatch(this::isNotReady);
        });
  }

  private boolean isNotReady(HcaHappening happening) {
    return happening.kind() == HcaHappening.RECEIVER_NOT_READY
        && happening.number() == left.number();
  }

  /** What was recorded since the first request, oldest first. */
  List<HcaHappening> record() {
    return diagnosis.happenings().stream()
        .dropWhile(happening -> happening.kind() != HcaHappening.DOORBELL)
        .toList();
  }

  /** Waits for something, and gives up when it takes for ever. */
  static void await(String otherwise, BooleanSupplier done) {
    long start = System.nanoTime();
    while (!done.getAsBoolean()) {
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        throw new WorkFailed(
            "%s within %d s; 'bluebell doctor' tells how this device is"
                .formatted(otherwise, PATIENCE.toSeconds()));
      }
      Thread.onSpinWait();
    }
  }
}
