package dev.bluebell.verbs;

/**
 * Messages to a peer, generic in the stage that follows them.
 *
 * @param <D> the stage after operations that send data
 */
@CheckReturnValue
public interface SendingOperations<D> {

  /** Starts a SEND: the data goes to the memory of the peer's next receive request. */
  D send();

  /**
   * Starts a SEND with 4 bytes for the peer's completion.
   *
   * @param immediate passed to the peer as {@link Completion#immediate}
   */
  D sendImmediate(int immediate);
}
