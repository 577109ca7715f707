package dev.bluebell.cli.perf;

import java.util.function.Function;

/**
 * An end of a connection that has no peer yet.
 *
 * @param address what the peer must know of it, also one in another process
 * @param connector makes the connection, once, to the end that has an address
 */
record OpenEnd(byte[] address, Function<byte[], End> connector) {

  /**
   * Connects it, once.
   *
   * @param peer address of an end of the same kind
   * @throws IllegalArgumentException when the bytes are no such address
   */
  End connect(byte[] peer) {
    return connector.apply(peer);
  }
}
