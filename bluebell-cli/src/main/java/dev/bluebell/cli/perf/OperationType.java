package dev.bluebell.cli.perf;

/** Operations that kinds of connections have, from the fewest to the most. */
enum OperationType {
  /** Messages into receive requests. */
  MESSAGES,
  /** Those, and RDMA WRITEs. */
  WRITES,
  /** Those, and what brings something back: READs and atomics. */
  RELIABLE
}
