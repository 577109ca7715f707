package dev.bluebell.verbs;

/** The last stage of a receive request. */
@CheckReturnValue
public interface ReceiveEnd {

  /**
   * Ends the request. The device sees it after the receive doorbell.
   *
   * @param id returned as {@link Completion#id()}
   */
  void post(long id);
}
