package dev.bluebell.cli.perf;

/** An end of a connection that has no peer yet. */
interface OpenEnd {

  /** What the peer must know of it, also one in another process. */
  byte[] address();

  /**
   * Connects it, once.
   *
   * @param peer address of an end of the same kind
   * @throws IllegalArgumentException when the bytes are no such address
   */
  End connect(byte[] peer);
}
