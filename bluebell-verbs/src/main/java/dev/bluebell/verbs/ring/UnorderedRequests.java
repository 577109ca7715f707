package dev.bluebell.verbs.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The outstanding requests of a queue whose requests complete in any order, as on the streams of a
 * DC initiator or in a shared receive queue. All of them are signalled, and each completion
 * releases the slots of its own request only.
 *
 * <p>A request has an index, which counts modulo 2^16 or names a slot, and a span: the number of
 * slots that it takes, the first being the index modulo the number of slots. A slot is never handed
 * out twice: a request is released once, and {@link #free} counts no slot of an outstanding one.
 *
 * <p>One thread {@linkplain #add adds} and asks what is free; any number of threads release. The
 * device orders these threads: a completed request was added before its doorbell rang.
 */
final class UnorderedRequests {
  private static final VarHandle STATE = MethodHandles.arrayElementVarHandle(int[].class);
  private static final int INDEX_MASK = 0xffff;
  private static final int SPAN_SHIFT = 16;
  private static final int SPAN_MASK = 0xff;
  private static final int OUTSTANDING = 1 << 31;
  private static final int FILL = 1 << 30;
  private final long[] ids;

  /** By slot: the flags, the span and the index of the request that starts there; 0 for none. */
  private final int[] states;

  /** Index of the oldest request that the adding thread has not seen released. */
  private int oldest;

  /**
   * A table without requests.
   *
   * @param slots a power of two, 1 … 32768
   * @param startIndex index of the first request, for {@link #free}
   */
  UnorderedRequests(int slots, int startIndex) {
    if (Integer.bitCount(slots) != 1 || slots > INDEX_MASK) {
      throw new IllegalArgumentException(
          "%d slots are not a power of two up to 2^15".formatted(slots));
    }
    ids = new long[slots];
    states = new int[slots];
    oldest = startIndex & INDEX_MASK;
  }

  /**
   * Adds a request. Its slots must be free.
   *
   * @param index of its first slot; the low 16 bits count
   * @param span slots that it takes, 1 … 255
   * @param id returned by {@link #id}
   */
  void add(int index, int span, long id) {
    int slot = index & ids.length - 1;
    ids[slot] = id;
    STATE.setRelease(states, slot, OUTSTANDING | span << SPAN_SHIFT | index & INDEX_MASK);
  }

  /**
   * Adds NOP fill, which generates no completion unless it fails. It is free when it is released,
   * or when the request behind it is, because the device executes that request after it.
   */
  void addFill(int index, int span) {
    int slot = index & ids.length - 1;
    STATE.setRelease(states, slot, OUTSTANDING | FILL | span << SPAN_SHIFT | index & INDEX_MASK);
  }

  /** True when a request, or fill, with this index was added and not released. */
  boolean isOutstanding(int index) {
    return isOutstanding(state(index), index);
  }

  /** True when NOP fill was added at an index. */
  boolean isFill(int index) {
    return isFillState(state(index));
  }

  /** Id of the request at an index, which must be outstanding. */
  long id(int index) {
    return ids[index & ids.length - 1];
  }

  /**
   * Releases the request or fill at an index. Read its id before.
   *
   * @return false when nothing was outstanding at this index: it was never added, or was already
   *     released
   */
  boolean release(int index) {
    int state = state(index);
    return isOutstanding(state, index)
        && STATE.compareAndSet(states, index & states.length - 1, state, state & ~OUTSTANDING);
  }

  /**
   * Number of contiguous free slots from the start of the next request on, in a queue that takes
   * its slots in order. A stale count is too low: before refusing a request, use {@link
   * #exactFree}.
   *
   * @param next index behind the request that was added last
   */
  int free(int next) {
    return states.length - (next - oldest & INDEX_MASK);
  }

  /**
   * As {@link #free}, but exact: it examines the requests released since, in time proportional to
   * their number.
   */
  int exactFree(int next) {
    int index = oldest;
    while (!isSame(index, next)) {
      int state = state(index);
      if (!isFree(state, index, next)) {
        break;
      }
      index += state >>> SPAN_SHIFT & SPAN_MASK;
    }
    oldest = index & INDEX_MASK;
    return free(next);
  }

  /**
   * Slots of unreleased requests, and of fill that was not executed, in a queue that takes its
   * slots in order. {@link #exactFree} also counts as taken the slots behind an unreleased one.
   *
   * @param next index behind the request that was added last
   */
  int outstandingSlots(int next) {
    int slots = 0;
    int index = oldest;
    while (!isSame(index, next)) {
      int state = state(index);
      int span = state >>> SPAN_SHIFT & SPAN_MASK;
      slots += isFree(state, index, next) ? 0 : span;
      index += span;
    }
    return slots;
  }

  private boolean isFree(int state, int index, int next) {
    return isFillState(state)
        ? isPassed(state, index + (state >>> SPAN_SHIFT & SPAN_MASK), next)
        : !isOutstanding(state, index);
  }

  /** True for fill that the device has executed. */
  private boolean isPassed(int fill, int behind, int next) {
    boolean released = (fill & OUTSTANDING) == 0;
    return released || !isSame(behind, next) && !isOutstanding(behind);
  }

  /** Removes all requests and starts at an index. No other thread may use the table meanwhile. */
  void reset(int startIndex) {
    Arrays.fill(states, 0);
    oldest = startIndex & INDEX_MASK;
  }

  private int state(int index) {
    return (int) STATE.getAcquire(states, index & states.length - 1);
  }

  private static boolean isFillState(int state) {
    return (state & FILL) != 0;
  }

  private static boolean isOutstanding(int state, int index) {
    return state < 0 && isSame(state, index);
  }

  private static boolean isSame(int index, int other) {
    return ((index ^ other) & INDEX_MASK) == 0;
  }
}
