package dev.bluebell.cli.demo;

/** The output of the demo, with the number of results that were right. */
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
   * Prints the summary after the last result.
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

  /** Reports a step that the device can't show. */
  abstract void skip(Step step, String why);

  /** Reports an exhibit that the device can't show. */
  abstract void skip(Exhibit exhibit, String why);

  /**
   * Prints the summary.
   *
   * @param right number of results that were right
   * @param all number of all results
   * @param nanos duration of the whole demo
   */
  abstract void printEnd(int right, int all, long nanos);
}
