package dev.bluebell.verbs;

/**
 * Where a datagram came from, as its completion tells: a view that is valid as long as the
 * completion. Belongs to the thread that polls.
 */
public interface DatagramSource {

  /** Number of the queue pair that sent the datagram, 24 bits. */
  int queuePairNumber();

  /**
   * True when a network header lies in the {@link UdQueuePair#HEADER_BYTES} bytes in front of the
   * message: always on Ethernet, and on InfiniBand when the datagram has a global route. Without
   * one, the device leaves these bytes undefined.
   */
  boolean hasHeader();

  /**
   * Kind of that header; {@link NetworkHeader.Kind#NONE} without. On InfiniBand there is only the
   * global route header.
   */
  NetworkHeader.Kind headerKind();

  /** InfiniBand: local identifier of the port that sent the datagram, 16 bits; 0 on Ethernet. */
  int localIdentifier();

  /** InfiniBand: service level of the datagram, 0 … 15; 0 on Ethernet. */
  int serviceLevel();

  /** InfiniBand: bits of the local identifier that the datagram went to, 7 bits; 0 on Ethernet. */
  int pathBits();
}
