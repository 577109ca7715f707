package dev.bluebell.verbs.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What a send queue remembers of each request until a completion retires it. The posting thread
 * adds, the polling thread retires.
 */
final class PostedRequests {
  private static final VarHandle RETIRED;

  static {
    try {
      RETIRED = MethodHandles.lookup().findVarHandle(PostedRequests.class, "retired", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final long[] ids;

  /**
   * By slot of the first WQEBB: WQEBBs of the request, negative for NOP fill, 0 where none starts.
   */
  private final byte[] sizes;

  private int capacity;
  private int retired;

  PostedRequests(int wqebbs, int startIndex) {
    ids = new long[wqebbs];
    sizes = new byte[wqebbs];
    capacity = wqebbs;
    retired = startIndex;
  }

  /** WQEBBs that are free when {@code producer} is the next index; at most 0 when closed. */
  int free(int producer) {
    return capacity - (producer - (int) RETIRED.getAcquire(this));
  }

  /** Index of the first WQEBB that no completion has freed yet. */
  int retired() {
    return (int) RETIRED.getAcquire(this);
  }

  boolean isClosed() {
    return capacity == 0;
  }

  void close() {
    capacity = 0;
  }

  void reset() {
    RETIRED.setRelease(this, 0);
  }

  void add(int index, int wqebbs, long id) {
    int slot = index & ids.length - 1;
    ids[slot] = id;
    sizes[slot] = (byte) wqebbs;
    if (wqebbs > 1) {
      clearInner(index, wqebbs);
    }
  }

  void addFill(int index, int wqebbs) {
    sizes[index & sizes.length - 1] = (byte) -wqebbs;
    clearInner(index, wqebbs);
  }

  private void clearInner(int index, int wqebbs) {
    for (int i = 1; i < wqebbs; i++) {
      sizes[index + i & sizes.length - 1] = 0;
    }
  }

  /**
   * Retires the request that starts at {@code counter}, and all before it.
   *
   * @param counter 16 bits, as the completion gives it
   * @return false when it was NOP fill, which nobody posted
   * @throws IllegalStateException when no outstanding request starts there
   */
  boolean complete(int counter, int producer, int qpn, CqeView view) {
    int first = retired;
    int distance = counter - first & 0xffff;
    int index = first + distance;
    int slot = index & ids.length - 1;
    int wqebbs = sizes[slot];
    if (distance >= producer - first || wqebbs == 0) {
      throw new IllegalStateException(
          "the device completed a send request of QP 0x%06x at WQE index %d, where none is outstanding"
              .formatted(qpn, counter));
    }
    if (wqebbs < 0) {
      RETIRED.setRelease(this, index - wqebbs);
      return false;
    }
    view.id = ids[slot];
    RETIRED.setRelease(this, index + wqebbs);
    return true;
  }
}
