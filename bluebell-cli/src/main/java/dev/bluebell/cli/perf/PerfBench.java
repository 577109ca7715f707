package dev.bluebell.cli.perf;

/** Runs plans, one after another. Belongs to one thread. */
interface PerfBench extends AutoCloseable {

  /** Runs a plan. */
  PerfResult run(PerfPlan plan);

  @Override
  void close();
}
