package dev.bluebell.cli.demo;

/** Where what the demo shows goes. */
interface DemoReport {
  void add(StepResult result);

  /** In place of the result of a step that the device can't show. */
  void skip(Step step, String why);

  void add(MishapResult result);

  void add(ExhibitResult result);

  /** In place of the result of an exhibit that the device can't show. */
  void skip(Exhibit exhibit, String why);

  /**
   * After the last.
   *
   * @param right how many were right
   * @param all how many there were
   * @param nanos how long all took
   */
  void end(int right, int all, long nanos);
}
