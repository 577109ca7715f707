package dev.bluebell.verbs;

/**
 * A domain of extended reliable connections (XRC): its targets take messages for its shared receive
 * queues, any target for any queue. Mirrors {@code verbs.h: ibv_xrcd} without a file, so that it
 * belongs to one process.
 *
 * <p>Thread-safe.
 */
public interface XrcDomain extends AutoCloseable {
  /** Starts to describe a target, which an {@link XrcInitiator} connects to. */
  XrcTargetBuilder target();

  /** Number of the domain, 24 bits. */
  int number();

  /**
   * Frees the domain. Idempotent.
   *
   * @throws IllegalStateException when targets or shared receive queues of it still exist
   */
  @Override
  void close();
}
