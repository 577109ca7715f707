package dev.bluebell.verbs;

/**
 * A temporary key to a part of a region, for peers. Requests bind and invalidate it, through a
 * queue pair's {@link KeyOperations}, without a system call or a registration. Each bind yields a
 * new key; earlier keys are then invalid. Mirrors {@code verbs.h: ibv_mw}. Type 2 windows are 2B,
 * see {@link WindowType}.
 *
 * <p>It belongs to the thread that posts to the queue pair; allocating and closing are thread-safe.
 * Its state follows the posted requests; after a request failed, call {@link #refresh}.
 */
public interface MemoryWindow extends AutoCloseable {
  WindowType type();

  /** True when a bind was posted and no invalidation since then. */
  boolean isBound();

  /**
   * The key of the last bind, for peers.
   *
   * @throws IllegalStateException when the window is not bound
   */
  int rkey();

  /**
   * Description of the memory of the last bind for the requests of peers.
   *
   * @throws IllegalStateException when the window is not bound
   */
  RemoteMemory remote();

  /**
   * Records that a peer invalidated the window by a SEND with invalidate, as a receive completion
   * reported.
   *
   * @param rkey {@link Completion#invalidatedRkey()}
   * @throws IllegalArgumentException when that is not the key of the last bind
   */
  void invalidatedByPeer(int rkey);

  /**
   * Reads the window's state from the device. Call it after a request that binds or invalidates it
   * failed or was flushed.
   */
  void refresh();

  /** Frees the window and invalidates its key. Idempotent. */
  @Override
  void close();
}
