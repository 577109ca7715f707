package dev.bluebell.cli.perf;

/** The output of results. */
interface PerfReport {

  /** Called before the first measurement. */
  void begin(PerfPlan plan, String device);

  /** Called after each measurement. */
  void add(PerfResult result);

  /** Called after the last measurement. */
  void end();
}
