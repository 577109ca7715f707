package dev.bluebell.verbs;

/**
 * The last stage of a send request. Its end makes the request part of the queue; the device sees it
 * after the doorbell.
 *
 * <p>A request that ends unsignalled yields a completion only when it fails; its ring space is
 * freed by the completion of any later request. So at least one request per ring must be signalled.
 */
@CheckReturnValue
public interface RequestEnd {

  /**
   * Ends the request; its success yields a completion.
   *
   * @param id given back as {@link Completion#id()}
   */
  void signaled(long id);

  /**
   * Ends the request; its success yields no completion.
   *
   * @param id given back as {@link Completion#id()} if the request fails
   * @throws IllegalStateException if the queue would be full of unsignalled requests, which no
   *     completion would ever free; the request is dropped
   */
  void unsignaled(long id);
}
