package dev.bluebell.cli.perf;

/** Where results go. */
interface PerfReport {

  /** Before the first measurement. */
  void begin(PerfPlan plan, String device);

  /** After each. */
  void add(PerfResult result);

  /** After the last. */
  void end();
}
