package dev.bluebell.verbs;

/**
 * A region made of pieces of others, which requests and peers name as one, from address 0: a list,
 * or pieces that come in turns. A request gives it its layout, see {@link KeyOperations}; another
 * one may follow at any time. Mirrors {@code mlx5dv.h: mlx5dv_mkey}.
 *
 * <p>It belongs to the thread that posts its layouts; allocating and closing are thread-safe.
 */
public interface IndirectRegion extends AutoCloseable {
  /** Key for gather and scatter entries of the local device, whose addresses begin at 0. */
  int lkey();

  /** Key for peers. */
  int rkey();

  /** Bytes of the layout that was posted last; 0 before. */
  long length();

  /** What a peer needs to name this memory in its requests. */
  RemoteMemory remote();

  /** Ends the region; later requests that name its keys fail. Idempotent. */
  @Override
  void close();
}
