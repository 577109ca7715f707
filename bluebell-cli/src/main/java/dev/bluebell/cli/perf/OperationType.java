package dev.bluebell.cli.perf;

/** The groups of operations that kinds of connections support; each includes the one before. */
enum OperationType {
  /** Messages into receive requests. */
  MESSAGES,
  /** In addition, RDMA WRITEs. */
  WRITES,
  /** In addition, operations with a response: READs and atomics. */
  RELIABLE
}
