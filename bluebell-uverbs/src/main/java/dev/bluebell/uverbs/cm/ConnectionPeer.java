package dev.bluebell.uverbs.cm;

/** The other end of a connection, to which an end sends messages. */
interface ConnectionPeer {

  /** True if it repeats messages until they are answered, and reports a missing answer itself. */
  boolean repeats();

  /** REQ has arrived; this is the peer's end from now on. */
  void taken(ReliableEnd by);

  /**
   * REP.
   *
   * @param psn that the receiver starts to send with, 24 bits
   */
  void replied(Offer reply, int psn);

  /** REJ. */
  void rejected(int reason, byte[] data);

  /** RTU. */
  void ready();

  /** Data arrived before RTU: the connection is established, and REP need not be repeated. */
  void established();

  /** DREQ. */
  void disconnectRequested();

  /** DREP. */
  void disconnectReplied();
}
