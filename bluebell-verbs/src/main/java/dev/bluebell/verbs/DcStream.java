package dev.bluebell.verbs;

/**
 * A stream of a {@link DcStreamInitiator}: its requests execute and complete in order, and a
 * failure stops only this stream.
 *
 * <p>Posting belongs to the initiator's thread. {@link #reset} is thread-safe.
 */
public interface DcStream extends CopyOperations<StreamModifiers> {
  /**
   * Starts a request of the stream to a target.
   *
   * @throws IllegalStateException when the send queue is full or another request is unfinished
   */
  @CheckReturnValue
  StreamOperations target(DcTargetAddress target);

  /**
   * Restarts the stream after one of its requests failed. Poll the completions of all its requests
   * first: they are flushed. Mirrors {@code mlx5dv.h: mlx5dv_dci_stream_id_reset}.
   *
   * @throws dev.bluebell.hca.HcaException when the stream did not fail, or the whole initiator
   *     failed
   */
  void reset();

  /** Number of the stream, from 0. */
  int number();
}
