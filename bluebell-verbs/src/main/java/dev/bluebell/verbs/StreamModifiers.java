package dev.bluebell.verbs;

/** The stage in which a request on a stream takes its flags, which are optional, and ends. */
@CheckReturnValue
public interface StreamModifiers {

  /** The request starts only when all earlier READs and atomics of the stream are complete. */
  StreamModifiers fence();

  /** The completion at the peer, if the request causes one, is a solicited event. */
  StreamModifiers solicited();

  /**
   * Ends the request; it yields a completion.
   *
   * @param id given back as {@link Completion#id()}
   */
  void signaled(long id);
}
