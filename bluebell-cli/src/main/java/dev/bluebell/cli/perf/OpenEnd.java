package dev.bluebell.cli.perf;

import java.util.function.Function;

/**
 * An end of a connection without a peer yet.
 *
 * @param address the address for the peer, which may be in another process
 * @param connector connects it, once, to the end with an address
 */
record OpenEnd(byte[] address, Function<byte[], End> connector) {

  /**
   * Connects it, once.
   *
   * @param peer address of an end of the same kind
   * @throws IllegalArgumentException when the bytes are not such an address
   */
  End connect(byte[] peer) {
    return connector.apply(peer);
  }
}
