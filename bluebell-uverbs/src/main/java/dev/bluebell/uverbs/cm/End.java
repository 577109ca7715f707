package dev.bluebell.uverbs.cm;

/** One end of a connection or of a datagram request. Calls in a wrong state are EINVAL. */
interface End {

  /** The client accepts a request. */
  void accept(Offer reply);

  /** The client has prepared its queue pair after a reply. */
  void acknowledge();

  /** The client rejects a request, or a reply. */
  void reject(int reason, byte[] data);

  /** The client ends the connection, or agrees that it has ended. */
  void disconnect();

  /** The client received data before the peer's RTU. */
  void establish();

  /** The id is destroyed. */
  void abandon();
}
