package dev.bluebell.uverbs.cm;

/** The end that sent a SIDR request for a datagram queue pair. */
interface DatagramPeer {

  /**
   * SIDR_REP.
   *
   * @param status {@link DatagramEnd#FOUND} or the reason of a refusal
   */
  void found(int status, int qpn, int qkey, byte[] data);
}
