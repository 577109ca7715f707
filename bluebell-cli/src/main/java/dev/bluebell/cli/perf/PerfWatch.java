package dev.bluebell.cli.perf;

/** Who sees how measurements go. */
interface PerfWatch {

  /** Whether they shall end with what they have; any thread may have said so. */
  boolean isStopped();

  /** Takes what a measurement does from now on, such as {@code warms up}. */
  void tell(String what);
}
