package dev.bluebell.verbs;

/** The last stage of a request on a stream, which takes its optional flags. */
@CheckReturnValue
public interface StreamModifiers {

  /** The request starts only when all earlier READs and atomics of the stream are complete. */
  StreamModifiers fence();

  /** Makes the completion at the peer, if the request causes one, a solicited one. */
  StreamModifiers solicited();

  /**
   * Ends the request; it generates a completion.
   *
   * @param id returned as {@link Completion#id()}
   */
  void signaled(long id);
}
