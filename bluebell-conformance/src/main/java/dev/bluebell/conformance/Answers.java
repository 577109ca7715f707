package dev.bluebell.conformance;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.verbs.CompletionQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Finds and words the answers to questions. */
final class Answers {
  /** Longer than all retries of a request with the driver's default timeout. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A key below those that devices assign. */
  static final int NOBODYS_KEY = 0x1234;

  /** Number of a queue that does not exist. */
  static final int NOBODYS_NUMBER = 0xf0_f0f0;

  private Answers() {}

  /** Lets the device work until a condition holds; false after some seconds. */
  static boolean happens(Bench bench, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        return false;
      }
      int unused = bench.device().progress();
      Thread.onSpinWait();
    }
    return true;
  }

  /** The next completion; empty after some seconds without one. */
  static Optional<Done> next(Bench bench, CompletionQueue completions) {
    List<Done> done = new ArrayList<>();
    boolean unused =
        happens(bench, () -> completions.poll(completion -> done.add(Done.of(completion)), 1) > 0);
    return done.stream().findFirst();
  }

  /** Describes the completion of the next request. */
  static String of(Bench bench, CompletionQueue completions) {
    return next(bench, completions).map(Answers::of).orElse("nothing completes");
  }

  /** Rings for a request, and says how it completes. */
  static String of(End end) {
    end.queuePair().ringDoorbell();
    return of(end.bench(), end.completions());
  }

  /** Rings for a request, and says how it completes. */
  static String of(Line line) {
    line.sender().ringDoorbell();
    return of(line.bench, line.sends());
  }

  /** Describes a completion. */
  static String of(Done done) {
    return done.isSuccess()
        ? "SUCCESS"
        : "%s, vendor syndrome 0x%02x".formatted(done.status(), done.vendorSyndrome());
  }

  /** Yes if a request succeeds, no if nothing completes, otherwise the failure. */
  static String success(Bench bench, CompletionQueue completions) {
    return next(bench, completions).map(done -> done.isSuccess() ? "yes" : of(done)).orElse("no");
  }

  /** The status that a device returns for a command. */
  static String of(Runnable command) {
    try {
      command.run();
      return "accepted";
    } catch (HcaException refused) {
      return CommandStatus.name(refused.status());
    }
  }
}
