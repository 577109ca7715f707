package dev.bluebell.verbs;

/**
 * The source of a datagram: a view that is valid as long as the completion. Belongs to the polling
 * thread.
 */
public interface DatagramSource {

  /** Number of the queue pair that sent the datagram, 24 bits. */
  int queuePairNumber();

  /**
   * True when the {@link UdQueuePair#HEADER_BYTES} bytes in front of the message hold a network
   * header: always on Ethernet, and on InfiniBand when the datagram has a global route. Without
   * one, the device leaves these bytes undefined.
   */
  boolean hasHeader();

  /**
   * Kind of that header, or {@link NetworkHeader.Kind#NONE}. InfiniBand has only the global route
   * header.
   */
  NetworkHeader.Kind headerKind();

  /** InfiniBand: local identifier of the port that sent the datagram, 16 bits; 0 on Ethernet. */
  int localIdentifier();

  /** InfiniBand: service level of the datagram, 0 … 15; 0 on Ethernet. */
  int serviceLevel();

  /** InfiniBand: path bits of the datagram's destination LID, 7 bits; 0 on Ethernet. */
  int pathBits();
}
