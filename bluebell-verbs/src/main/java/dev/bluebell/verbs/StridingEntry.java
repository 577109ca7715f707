package dev.bluebell.verbs;

/**
 * Memory of a {@link StridingReceiveQueue} for many messages. {@link #post} gives it to the device,
 * each completion reports one of its strides, and {@link #release} marks that stride as read. The
 * entry can be posted again only when all strides were reported and released, so that the device
 * does not overwrite a message while a thread reads it.
 *
 * <p>Posting belongs to the thread that posts to the queue; any thread may release strides, in any
 * order.
 */
public abstract class StridingEntry {

  /** For the implementation only. */
  protected StridingEntry() {}

  /** The id of the entry and of all its completions. */
  public abstract long id();

  /** The region that the memory is in. */
  public abstract MemoryRegion region();

  /** Offset of the first byte in the region. */
  public abstract long offset();

  /** Address of the first byte, as registered. */
  public abstract long address();

  /**
   * Posts the entry. The device sees it after {@link StridingReceiveQueue#ringDoorbell}.
   *
   * @throws IllegalStateException when the entry is posted and not all its strides were released,
   *     or the queue is full or closed; nothing changed
   */
  public abstract void post();

  /**
   * Marks a reported stride as read. Call it once for each completion.
   *
   * @return true when it was the last stride, so that the entry can be posted again
   * @throws IllegalStateException when all reported strides were released before
   */
  public abstract boolean release();

  /** True when the entry can be posted. */
  public abstract boolean isFree();
}
