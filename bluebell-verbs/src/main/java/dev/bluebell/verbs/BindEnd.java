package dev.bluebell.verbs;

/**
 * The last stage of a request that binds a memory window. Ending the request returns the window's
 * new key. Once the request is executed, peers that use an earlier key are refused. The next
 * request of the queue waits for the bind automatically.
 */
@CheckReturnValue
public interface BindEnd {

  /** The request starts only when all earlier READs and atomics of the queue are complete. */
  BindEnd fence();

  /**
   * Ends the request; success generates a completion.
   *
   * @param id returned as {@link Completion#id()}
   * @return the new rkey
   */
  int signaled(long id);

  /**
   * Ends the request; success generates no completion.
   *
   * @param id returned as {@link Completion#id()} if the request fails
   * @return the new rkey
   * @throws IllegalStateException as {@link RequestEnd#unsignaled}; the request is dropped
   */
  int unsignaled(long id);
}
