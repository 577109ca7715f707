package dev.bluebell.verbs;

/**
 * A domain of extended reliable connections (XRC): each of its targets can receive messages for
 * each of its shared receive queues. Mirrors {@code verbs.h: ibv_xrcd} without a file, so it
 * belongs to one process.
 *
 * <p>Thread-safe.
 */
public interface XrcDomain extends AutoCloseable {
  /** Returns a builder of a target, which an {@link XrcInitiator} connects to. */
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
