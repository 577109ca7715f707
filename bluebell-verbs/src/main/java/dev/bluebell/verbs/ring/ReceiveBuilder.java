package dev.bluebell.verbs.ring;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ReceiveEnd;
import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.ReceiveRequest;

/**
 * A receive request being built, in a queue of one queue pair or of many. It is reused and holds
 * its own state, for the reasons given in {@link SendRequest}.
 */
abstract class ReceiveBuilder implements ReceiveLanding, ReceiveRequest {
  /**
   * In {@link #offset}: the request has ended. It exceeds the end of every request, so that nothing
   * more is written, even with checks off.
   */
  private static final int ENDED = Integer.MAX_VALUE;

  private static final long TERMINATOR = DataSegment.first(0, DataSegment.INVALID_LKEY);

  private final String owner;
  private final String holder;

  /** Bytes of a request. */
  final int stride;

  /** Bytes in front of the segments. */
  final int start;

  /** Address of the request. */
  private long address;

  /** Bytes written so far. */
  private int offset = ENDED;

  /**
   * @param owner the object that has the queue, as messages name it
   * @param holder its kind, as messages name it
   * @param stride bytes of a request
   * @param start bytes in front of the segments
   */
  ReceiveBuilder(String owner, String holder, int stride, int start) {
    this.owner = owner;
    this.holder = holder;
    this.stride = stride;
    this.start = start;
  }

  /** Starts a request at an address. */
  final void begin(long at) {
    address = at;
    offset = start;
  }

  final boolean isHalfBuilt() {
    return offset != ENDED;
  }

  /** Ends the request. */
  final void finish() {
    offset = ENDED;
  }

  /** Drops the request, if it has not ended. */
  void drop() {
    finish();
  }

  /** Address of the request. */
  final long address() {
    return address;
  }

  /** Bytes written so far. */
  final int offset() {
    return offset;
  }

  @Override
  public final ReceiveRequest scatter(long to, int length, int lkey) {
    check();
    if (length < 0) {
      throw refuse(new IllegalArgumentException("a segment can't have %d bytes".formatted(length)));
    }
    if (length > 0) {
      if (offset >= stride) {
        throw refuse(
            new IllegalArgumentException(
                "a receive request of %s has at most %d segments: create the %s with a larger maxScatter"
                    .formatted(owner, (stride - start) / DataSegment.BYTES, holder)));
      }
      put(DataSegment.first(length, lkey), to);
    }
    return this;
  }

  @Override
  public final ReceiveRequest scatter(MemoryRegion region, long from, int length) {
    check();
    if (!RegionRange.isInside(region, from, length)) {
      throw refuse(RegionRange.outside(region, from, length));
    }
    return scatter(region.address() + from, length, region.lkey());
  }

  @Override
  public final ReceiveEnd empty() {
    check();
    return this;
  }

  /** Ends the list of segments if it is shorter than the request. */
  final void terminate() {
    if (offset < stride) {
      put(TERMINATOR, 0);
    }
  }

  final void put(long first, long second) {
    long at = address + offset & Memory.ADDRESS_BITS;
    Memory.putLong(at, first);
    Memory.putLong(at + 8, second);
    offset += DataSegment.BYTES;
  }

  final void check() {
    if (Checks.ENABLED && !isHalfBuilt()) {
      throw new IllegalStateException(
          "this receive request of %s has already ended: start another".formatted(owner));
    }
  }

  private RuntimeException refuse(RuntimeException reason) {
    drop();
    return reason;
  }
}
