package dev.bluebell.verbs;

/**
 * A key to a part of a region that is given to peers for a while, and taken back by a request: no
 * call to the kernel, no registration. It is bound and invalidated through a queue pair's {@link
 * KeyOperations}. Each bind hands out another key, so that an earlier one opens nothing. Mirrors
 * {@code verbs.h: ibv_mw}. Of type 2 it is 2B, see {@link WindowType}.
 *
 * <p>It belongs to the thread that posts to the queue pair; allocating and closing are thread-safe.
 * What it knows is what was posted: after a request failed, {@link #refresh} asks the device.
 */
public interface MemoryWindow extends AutoCloseable {
  WindowType type();

  /** True when a bind was posted, and no end of it since. */
  boolean isBound();

  /**
   * The key of the last bind, for peers.
   *
   * @throws IllegalStateException when the window is not bound
   */
  int rkey();

  /**
   * What a peer needs to name the memory of the last bind.
   *
   * @throws IllegalStateException when the window is not bound
   */
  RemoteMemory remote();

  /**
   * Takes note that a peer ended the binding by SEND with invalidate, as a receive completion told.
   *
   * @param rkey {@link Completion#invalidatedRkey()}
   * @throws IllegalArgumentException when that is not the key of the last bind
   */
  void invalidatedByPeer(int rkey);

  /**
   * Asks the device what the window is. Call it after a request that binds or invalidates it
   * failed, or was flushed.
   */
  void refresh();

  /** Frees the window; a binding ends with it. Idempotent. */
  @Override
  void close();
}
