package dev.bluebell.verbs;

/** The operations of every service: messages into the receive requests of a peer. */
@CheckReturnValue
public interface MessageOperations {

  /** Starts a SEND: the data goes to the memory of the peer's next receive request. */
  RequestData send();

  /**
   * Starts a SEND with 4 bytes for the peer's completion.
   *
   * @param immediate given to the peer as {@link Completion#immediate}
   */
  RequestData sendImmediate(int immediate);
}
