package dev.bluebell.verbs;

/** The last stage of a tag that is added. The device sees it after the doorbell. */
public interface TagEnd {

  /**
   * Tells the device, too, how many unexpected messages the application has handled, as {@link
   * TagMatchingReceiveQueue#synchronize}.
   *
   * @param unexpected 16 bits count
   */
  @CheckReturnValue
  TagEnd handled(int unexpected);

  /**
   * Ends the request; when the tag is in the list, that yields a completion of its own.
   *
   * @param operationId id of the completion that tells so, {@link WorkOpcode#TAG_ADD}
   * @param id of the completions that tell of the message
   * @return what {@link TagMatchingReceiveQueue#remove} knows the tag by
   */
  int signaled(long operationId, long id);

  /**
   * Ends the request; only the message yields completions.
   *
   * @param id of the completions that tell of the message
   * @return what {@link TagMatchingReceiveQueue#remove} knows the tag by
   * @throws IllegalStateException if the queue of operations would be full of unsignalled ones,
   *     which no completion would ever free; the request is dropped
   */
  int unsignaled(long id);
}
