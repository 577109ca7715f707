package dev.bluebell.cli.demo;

/** Where what the demo shows goes, and how much of it was right. */
abstract class DemoReport {
  private final long start = System.nanoTime();
  private int right;
  private int all;

  final void add(StepResult result) {
    count(result.isRight());
    print(result);
  }

  final void add(MishapResult result) {
    count(result.isRight());
    print(result);
  }

  final void add(ExhibitResult result) {
    count(result.isRight());
    print(result);
  }

  private void count(boolean isRight) {
    all++;
    right += isRight ? 1 : 0;
  }

  /**
   * Prints how many there were, after the last.
   *
   * @return whether all were right
   */
  final boolean end() {
    printEnd(right, all, System.nanoTime() - start);
    return right == all;
  }

  abstract void print(StepResult result);

  abstract void print(MishapResult result);

  abstract void print(ExhibitResult result);

  /** In place of the result of a step that the device can't show. */
  abstract void skip(Step step, String why);

  /** In place of the result of an exhibit that the device can't show. */
  abstract void skip(Exhibit exhibit, String why);

  /**
   * Prints how it went.
   *
   * @param right how many were right
   * @param all how many there were
   * @param nanos how long all took
   */
  abstract void printEnd(int right, int all, long nanos);
}
