package dev.bluebell.softnic.queue;

import java.util.Arrays;

/**
 * The list of tags of a tag-matching queue: buffers in the order in which they were appended, each
 * with a tag and a mask, known by the index of its entry.
 *
 * <p>A message that matches no entry is unexpected, and software may have appended a buffer for it
 * meanwhile. So both sides count unexpected messages, and an entry appended while the counts differ
 * waits: messages match it only after software has reported the device's count.
 *
 * <p>Pure logic, bounded by the size of the list. Owned by the thread that runs the engine.
 */
public final class TagList {
  /** Returned by {@link #match} when the message is unexpected. */
  public static final int NONE = -1;

  private static final int COUNT_MASK = 0xffff;

  private final long[] tags;
  private final long[] masks;

  // The two words of each entry's data segment.
  private final long[] counts;
  private final long[] addresses;

  // A list in both directions, in the order of appending; an entry that is not in it is its own
  // successor.
  private final int[] next;
  private final int[] previous;

  private int first = NONE;
  private int last = NONE;

  // The first entry that waits; all later entries wait, too.
  private int firstWaiting = NONE;

  private int appendIndex;
  private int length;
  private int unexpected;
  private int handled;

  /**
   * @param logSize log2 of the number of entries
   * @param appendIndex the entry that is appended first
   */
  public TagList(int logSize, int appendIndex) {
    int size = 1 << logSize;
    tags = new long[size];
    masks = new long[size];
    counts = new long[size];
    addresses = new long[size];
    next = new int[size];
    previous = new int[size];
    Arrays.setAll(next, index -> index);
    this.appendIndex = appendIndex & size - 1;
  }

  /** Number of entries that it has room for. */
  public int size() {
    return tags.length;
  }

  /** Number of entries in the list. */
  public int length() {
    return length;
  }

  /** The entry that is appended next. */
  public int appendIndex() {
    return appendIndex;
  }

  /** Unexpected messages so far, 16 bits: hw_phase_cnt of QUERY_XRQ. */
  public int unexpected() {
    return unexpected;
  }

  /** Unexpected messages that software has handled, 16 bits: sw_phase_cnt. */
  public int handled() {
    return handled;
  }

  /** True when an entry is in the list. */
  public boolean contains(int index) {
    return index < next.length && next[index] != index;
  }

  /**
   * Appends the entry at {@link #appendIndex}. If it is already in the list, it is replaced and
   * moves to the end.
   *
   * @param mask the bits of the tag that a message's tag must have
   * @param count first word of the data segment
   * @param address second word
   * @param following the entry that is appended next, below {@link #size}
   */
  public void append(long tag, long mask, long count, long address, int following) {
    int index = appendIndex;
    remove(index);
    tags[index] = tag;
    masks[index] = mask;
    counts[index] = count;
    addresses[index] = address;
    next[index] = NONE;
    previous[index] = last;
    if (last == NONE) {
      first = index;
    } else {
      next[last] = index;
    }
    last = index;
    length++;
    if (firstWaiting == NONE && unexpected != handled) {
      firstWaiting = index;
    }
    appendIndex = following;
  }

  /** Removes an entry; returns false when it is not in the list. */
  public boolean remove(int index) {
    if (!contains(index)) {
      return false;
    }
    int before = previous[index];
    int behind = next[index];
    if (before == NONE) {
      first = behind;
    } else {
      next[before] = behind;
    }
    if (behind == NONE) {
      last = before;
    } else {
      previous[behind] = before;
    }
    if (firstWaiting == index) {
      firstWaiting = behind;
    }
    next[index] = index;
    length--;
    return true;
  }

  /** Sets the number of unexpected messages that software has handled, 16 bits. */
  public void synchronize(int count) {
    handled = count & COUNT_MASK;
    if (handled == unexpected) {
      firstWaiting = NONE;
    }
  }

  /** The first entry that a tag matches, or {@link #NONE}. */
  public int match(long tag) {
    int index = first;
    while (index != firstWaiting && index != NONE) {
      if (((tag ^ tags[index]) & masks[index]) == 0) {
        return index;
      }
      index = next[index];
    }
    return NONE;
  }

  /** Counts an unexpected message. */
  public void countUnexpected() {
    unexpected = unexpected + 1 & COUNT_MASK;
  }

  /** First word of an entry's data segment, as in the request. */
  public long count(int index) {
    return counts[index];
  }

  /** Address in an entry's data segment. */
  public long address(int index) {
    return addresses[index];
  }
}
