package dev.bluebell.verbs;

/**
 * A region composed of pieces of other regions, which requests and peers address as one range from
 * 0. Its layout is a list of pieces or interleaved pieces. A request sets the layout, see {@link
 * KeyOperations}, and may replace it at any time. Mirrors {@code mlx5dv.h: mlx5dv_mkey}.
 *
 * <p>It belongs to the thread that posts its layouts; allocating and closing are thread-safe.
 */
public interface IndirectRegion extends AutoCloseable {
  /** Key for gather and scatter entries of the local device, whose addresses begin at 0. */
  int lkey();

  /** Key for peers. */
  int rkey();

  /** Size in bytes of the layout that was posted last; 0 before the first. */
  long length();

  /** Description of this memory for the requests of peers. */
  RemoteMemory remote();

  /** Destroys the region; later requests that use its keys fail. Idempotent. */
  @Override
  void close();
}
