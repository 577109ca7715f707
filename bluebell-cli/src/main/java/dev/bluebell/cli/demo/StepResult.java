package dev.bluebell.cli.demo;

import org.jspecify.annotations.Nullable;

/**
 * The result of a step.
 *
 * @param nanos time on the stopwatch; 0 when it never ran
 * @param moved description of the data moved
 * @param complaint what is wrong; null when all is right
 */
record StepResult(Step step, long nanos, String moved, @Nullable String complaint) {

  /**
   * Runs a step.
   *
   * @throws NeedsSoftware when the stage is on a device that can't show it
   */
  static StepResult of(Step step, Stage stage) throws InterruptedException {
    stage.start();
    stage.stop();
    try {
      String moved = step.work().run(stage);
      return new StepResult(step, stage.nanos(), moved, null);
    } catch (NeedsSoftware e) {
      throw e;
    } catch (RuntimeException e) {
      // After any failure, the tour continues, and ends with the exit code for failure.
      return new StepResult(step, stage.nanos(), "", String.valueOf(e.getMessage()));
    }
  }

  boolean isRight() {
    return complaint == null;
  }
}
