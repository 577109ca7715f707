package dev.bluebell.verbs;

/**
 * The last stage of a send request. Ending the request adds it to the queue; the device sees it
 * after the doorbell.
 *
 * <p>An unsignalled request generates a completion only when it fails; the completion of any later
 * request frees its ring space. So at least one request per ring must be signalled.
 */
@CheckReturnValue
public interface RequestEnd {

  /**
   * Ends the request; success generates a completion.
   *
   * @param id returned as {@link Completion#id()}
   */
  void signaled(long id);

  /**
   * Ends the request; success generates no completion.
   *
   * @param id returned as {@link Completion#id()} if the request fails
   * @throws IllegalStateException if the queue would be full of unsignalled requests, which no
   *     completion would ever free; the request is dropped
   */
  void unsignaled(long id);
}
