package dev.bluebell.cli.demo;

/**
 * One capability of the tour.
 *
 * @param chapter chapter of the tour
 * @param title the capability that it shows
 */
record Step(String chapter, String title, Work work) {

  /** The work of a step. */
  @FunctionalInterface
  interface Work {
    /**
     * Shows the capability and checks the data.
     *
     * @return short description of the data moved
     * @throws dev.bluebell.cli.command.WorkFailed when something is wrong
     */
    String run(Stage stage) throws InterruptedException;
  }
}
