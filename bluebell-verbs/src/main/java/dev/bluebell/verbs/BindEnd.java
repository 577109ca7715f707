package dev.bluebell.verbs;

/**
 * The last stage of a request that binds a memory window: its end hands out the window's new key.
 * Peers that name an earlier one are refused once the request is executed. The next request of the
 * queue waits for the bind by itself.
 */
@CheckReturnValue
public interface BindEnd {

  /** The request starts only when all earlier READs and atomics of the queue are complete. */
  BindEnd fence();

  /**
   * Ends the request; its success yields a completion.
   *
   * @param id given back as {@link Completion#id()}
   * @return the new rkey
   */
  int signaled(long id);

  /**
   * Ends the request; its success yields no completion.
   *
   * @param id given back as {@link Completion#id()} if the request fails
   * @return the new rkey
   * @throws IllegalStateException as {@link RequestEnd#unsignaled}; the request is dropped
   */
  int unsignaled(long id);
}
