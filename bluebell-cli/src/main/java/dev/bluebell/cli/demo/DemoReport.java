package dev.bluebell.cli.demo;

/** Where what the demo shows goes. */
interface DemoReport {
  void add(StepResult result);

  void add(MishapResult result);

  /**
   * After the last.
   *
   * @param right how many were right
   * @param all how many there were
   * @param nanos how long all took
   */
  void end(int right, int all, long nanos);
}
