package dev.bluebell.verbs;

/**
 * Memory of a {@link StridingReceiveQueue} for many messages. It goes round: {@link #post} gives it
 * to the device, each completion tells of one of its strides, and {@link #release} says that what
 * lies there was read. When all strides were told and read, the entry can be posted again; before
 * that it can't, so that no message is overwritten that somebody still reads.
 *
 * <p>Posting belongs to the thread that posts to the queue; strides may be released by any thread,
 * in any order.
 */
public abstract class StridingEntry {

  /** For the implementation only. */
  protected StridingEntry() {}

  /** The id that the entry was made with, which is that of all its completions. */
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
   * @throws IllegalStateException when it is posted already and not all of its strides were
   *     released, or the queue is full or closed; nothing changed
   */
  public abstract void post();

  /**
   * Says that a stride was read of which a completion told: once for each completion.
   *
   * @return true when it was the last of all strides, so that the entry can be posted again
   * @throws IllegalStateException when all strides of which completions told were released before
   */
  public abstract boolean release();

  /** True when the entry can be posted. */
  public abstract boolean isFree();
}
