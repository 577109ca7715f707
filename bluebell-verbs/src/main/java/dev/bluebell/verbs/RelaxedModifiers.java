package dev.bluebell.verbs;

/**
 * The stage that takes the flags of a {@link RelaxedRcQueuePair}'s request. Only a fenced request
 * can be signalled.
 */
@CheckReturnValue
public interface RelaxedModifiers {

  /** Makes the completion at the peer, if the request causes one, a solicited one. */
  RelaxedModifiers solicited();

  /**
   * The request starts only when all earlier READs and atomics of the queue are complete. It may
   * then be signalled.
   */
  RequestModifiers fence();

  /**
   * Ends the request; success generates no completion.
   *
   * @param id returned as {@link Completion#id()} if the request fails
   * @throws IllegalStateException if the queue would be full of unsignalled requests, which no
   *     completion would ever free; the request is dropped
   */
  void unsignaled(long id);
}
