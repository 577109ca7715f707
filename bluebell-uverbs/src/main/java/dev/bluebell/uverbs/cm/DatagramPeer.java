package dev.bluebell.uverbs.cm;

/** The end that asked for a queue pair of datagrams. */
interface DatagramPeer {

  /**
   * SIDR_REP.
   *
   * @param status {@link DatagramEnd#FOUND} or why not
   */
  void found(int status, int qpn, int qkey, byte[] data);

  /** False when it has an answer, or needs none any more. */
  boolean waits();
}
