package dev.bluebell.cli.demo;

import java.util.List;

/**
 * One way for things to go wrong.
 *
 * @param title the mistake
 */
record Mishap(String title, Work work) {

  /** Runs it on a device of its own. */
  MishapResult run() throws InterruptedException {
    try (Scene scene = new Scene()) {
      return new MishapResult(this, work.run(scene), null);
    } catch (RuntimeException e) {
      return new MishapResult(this, List.of(), String.valueOf(e.getMessage()));
    }
  }

  /** Makes the mistake. */
  @FunctionalInterface
  interface Work {
    /**
     * Makes the mistake and checks that it is reported as it must be.
     *
     * @return what the sides saw
     * @throws dev.bluebell.cli.WorkFailed when it is reported otherwise, or not at all
     */
    List<Finding> run(Scene scene) throws InterruptedException;
  }
}
