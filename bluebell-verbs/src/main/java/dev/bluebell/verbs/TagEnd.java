package dev.bluebell.verbs;

/** The last stage of adding a tag. The device sees the tag after the doorbell. */
public interface TagEnd {

  /**
   * Also reports to the device how many unexpected messages the application has handled, as {@link
   * TagMatchingReceiveQueue#synchronize}.
   *
   * @param unexpected number of messages; the low 16 bits count
   */
  @CheckReturnValue
  TagEnd handled(int unexpected);

  /**
   * Ends the request; it generates a completion of its own when the tag is in the list.
   *
   * @param operationId id of that completion, {@link WorkOpcode#TAG_ADD}
   * @param id id of the message's completions
   * @return handle of the tag, for {@link TagMatchingReceiveQueue#remove}
   */
  int signaled(long operationId, long id);

  /**
   * Ends the request; only the message generates completions.
   *
   * @param id id of the message's completions
   * @return handle of the tag, for {@link TagMatchingReceiveQueue#remove}
   * @throws IllegalStateException if the queue of operations would be full of unsignalled ones,
   *     which no completion would ever free; the request is dropped
   */
  int unsignaled(long id);
}
