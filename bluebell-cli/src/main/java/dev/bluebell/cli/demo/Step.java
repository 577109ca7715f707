package dev.bluebell.cli.demo;

/**
 * One capability of the tour.
 *
 * @param chapter that it belongs to
 * @param title what it shows
 */
record Step(String chapter, String title, Work work) {

  /** What a step does. */
  @FunctionalInterface
  interface Work {
    /**
     * Shows the capability and checks the data.
     *
     * @return what was moved, in a few words
     * @throws dev.bluebell.cli.command.WorkFailed when something is wrong
     */
    String run(Stage stage) throws InterruptedException;
  }
}
