package dev.bluebell.verbs;

/**
 * The stage in which a request of a {@link RelaxedRcQueuePair} takes its flags. Its completion can
 * be asked for only when it is fenced.
 */
@CheckReturnValue
public interface RelaxedModifiers {

  /** The completion at the peer, if the request causes one, is a solicited event. */
  RelaxedModifiers solicited();

  /**
   * The request starts only when all earlier READs and atomics of the queue are complete. It may
   * then be signalled.
   */
  RequestModifiers fence();

  /**
   * Ends the request; its success yields no completion.
   *
   * @param id given back as {@link Completion#id()} if the request fails
   * @throws IllegalStateException if the queue would be full of unsignalled requests, which no
   *     completion would ever free; the request is dropped
   */
  void unsignaled(long id);
}
