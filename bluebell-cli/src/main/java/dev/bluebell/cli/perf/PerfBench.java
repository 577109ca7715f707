package dev.bluebell.cli.perf;

/** Where plans are run, one after the other. Belongs to one thread. */
interface PerfBench extends AutoCloseable {

  /** Runs a plan. */
  PerfResult run(PerfPlan plan);

  @Override
  void close();
}
