package dev.bluebell.verbs;

/**
 * A stream of a {@link DcStreamInitiator}: its requests are executed and complete in their order,
 * and a failure ends the stream alone.
 *
 * <p>Posting belongs to the initiator's thread. {@link #reset} is thread-safe.
 */
public final class DcStream implements CopyOperations<StreamModifiers> {
  private final DcStreamInitiator initiator;
  private final int number;

  DcStream(DcStreamInitiator initiator, int number) {
    this.initiator = initiator;
    this.number = number;
  }

  /**
   * Names the target of the stream's next request, which then starts.
   *
   * @throws IllegalStateException when the send queue is full or another request is half built
   */
  @CheckReturnValue
  public StreamOperations target(DcTargetAddress target) {
    return initiator.start(target, number);
  }

  @Override
  @CheckReturnValue
  public StreamModifiers copyMemory(long from, int fromKey, long to, int toKey, int length) {
    return initiator.copyMemory(number, from, fromKey, to, toKey, length);
  }

  /**
   * Lets the stream work again after a request of it failed. Poll the completions of all its
   * requests first: they are flushed. Mirrors {@code mlx5dv.h: mlx5dv_dci_stream_id_reset}.
   *
   * @throws dev.bluebell.hca.HcaException when the stream did not fail, or its initiator failed as
   *     a whole
   */
  public void reset() {
    initiator.resetStream(number);
  }

  /** Number of the stream, from 0. */
  public int number() {
    return number;
  }

  @Override
  public String toString() {
    return "stream %d of %s".formatted(number, initiator);
  }
}
