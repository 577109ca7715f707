package dev.bluebell.verbs;

/**
 * A stream of a {@link DcStreamInitiator}: its requests are executed and complete in their order,
 * and a failure ends the stream alone.
 *
 * <p>Posting belongs to the initiator's thread. {@link #reset} is thread-safe.
 */
public interface DcStream extends CopyOperations<StreamModifiers> {
  /**
   * Names the target of the stream's next request, which then starts.
   *
   * @throws IllegalStateException when the send queue is full or another request is half built
   */
  @CheckReturnValue
  StreamOperations target(DcTargetAddress target);

  /**
   * Lets the stream work again after a request of it failed. Poll the completions of all its
   * requests first: they are flushed. Mirrors {@code mlx5dv.h: mlx5dv_dci_stream_id_reset}.
   *
   * @throws dev.bluebell.hca.HcaException when the stream did not fail, or its initiator failed as
   *     a whole
   */
  void reset();

  /** Number of the stream, from 0. */
  int number();
}
