package dev.bluebell.verbs.ring;

import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.InlineSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;

/**
 * The memory layout of a send queue, and how it is used. The addresses must stay valid as long as
 * the ring is used, and are trusted.
 *
 * @param address of the ring; a multiple of 64
 * @param logWqebbs binary logarithm of the ring's size in WQEBBs, 0 … 15
 * @param qpn number of the queue pair, 24 bits
 * @param doorbellRecord address of the queue pair's doorbell record
 * @param register address of the BlueFlame register
 * @param maxWqeBytes largest request in bytes, see {@link #wqeBytes}; the ring's size and the 63
 *     units of a WQE limit it too
 * @param startIndex producer index to start with, in WQEBBs, 0 … 65535; 0 for a device's queue. The
 *     register's buffer is chosen as if the queue had been rung once for each WQEBB before.
 * @param nopFill true to fill the end of the ring with a NOP instead of splitting a request there
 * @param blueFlame true to copy a single short request into the register instead of ringing it
 * @param managed true for a queue that requests of other queues enable
 * @param staged true to build requests in other memory, and to copy them into the ring when its
 *     doorbell rings; false for a ring that other queues read or write before it rings
 */
public record SendRingLayout(
    long address,
    int logWqebbs,
    int qpn,
    long doorbellRecord,
    long register,
    int maxWqeBytes,
    int startIndex,
    boolean nopFill,
    boolean blueFlame,
    boolean managed,
    boolean staged) {
  private static final int MAX_LOG_WQEBBS = 15;

  /** Refuses values that would lead to accesses outside the ring. */
  public SendRingLayout {
    if (logWqebbs < 0 || logWqebbs > MAX_LOG_WQEBBS) {
      throw new IllegalArgumentException(
          "a send ring has 2^0 to 2^15 WQEBBs, not 2^%d".formatted(logWqebbs));
    }
    if ((address | register) % ControlSegment.WQEBB_BYTES != 0) {
      throw new IllegalArgumentException("a send ring and its register start at multiples of 64");
    }
    if (maxWqeBytes < ControlSegment.WQEBB_BYTES) {
      throw new IllegalArgumentException(
          "a WQE has at least %d bytes".formatted(ControlSegment.WQEBB_BYTES));
    }
    if (managed && staged) {
      throw new IllegalArgumentException(
          "a managed send ring can't be staged: its requests are enabled without its doorbell");
    }
  }

  /** A ring that starts at index 0, splits requests at its end and rings with 8 bytes. */
  public static SendRingLayout of(
      long address, int logWqebbs, int qpn, long doorbellRecord, long register, int maxWqeBytes) {
    return new SendRingLayout(
        address,
        logWqebbs,
        qpn,
        doorbellRecord,
        register,
        maxWqeBytes,
        0,
        false,
        false,
        false,
        false);
  }

  /** A copy with another start index. */
  public SendRingLayout startingAt(int index) {
    return with(index & 0xffff, nopFill, blueFlame, managed, staged);
  }

  /** A copy with NOP fill on or off. */
  public SendRingLayout withNopFill(boolean on) {
    return with(startIndex, on, blueFlame, managed, staged);
  }

  /** A copy with BlueFlame on or off. */
  public SendRingLayout withBlueFlame(boolean on) {
    return with(startIndex, nopFill, on, managed, staged);
  }

  /** A copy for a managed or an unmanaged queue. */
  public SendRingLayout withManaged(boolean on) {
    return with(startIndex, nopFill, blueFlame, on, staged);
  }

  /** A copy that stages requests or not. */
  public SendRingLayout withStaging(boolean on) {
    return with(startIndex, nopFill, blueFlame, managed, on);
  }

  private SendRingLayout with(
      int start, boolean fill, boolean copies, boolean isManaged, boolean isStaged) {
    return new SendRingLayout(
        address,
        logWqebbs,
        qpn,
        doorbellRecord,
        register,
        maxWqeBytes,
        start,
        fill,
        copies,
        isManaged,
        isStaged);
  }

  /** {@link #wqeBytes(ServiceType, int, int)} of reliable connections. */
  public static int wqeBytes(int maxGather, int maxInline) {
    return wqeBytes(ServiceType.RC, maxGather, maxInline);
  }

  /**
   * Bytes of the largest request, in whole WQEBBs, for requests with the given amounts of data.
   *
   * @param service of the queue, which determines the other segments of requests
   * @param maxGather gather entries of a request
   * @param maxInline bytes of inline data of a request
   */
  public static int wqeBytes(ServiceType service, int maxGather, int maxInline) {
    int inline = maxInline == 0 ? 0 : InlineSegment.HEADER_BYTES + maxInline;
    int data = Math.max(maxGather * DataSegment.BYTES, inline);
    int bytes =
        Math.max(
            bytes(service, WqeOpcode.SEND, data),
            Math.max(
                bytes(service, WqeOpcode.RDMA_WRITE, data),
                bytes(service, WqeOpcode.ATOMIC_CS, DataSegment.BYTES)));
    return -(-bytes & -ControlSegment.WQEBB_BYTES);
  }

  /** Bytes of a request with the given amounts of data; 0 when the service has no such request. */
  private static int bytes(ServiceType service, int opcode, int data) {
    WqeForm form = WqeForm.of(service, opcode, 0);
    return form == null ? 0 : form.fixedBytes() + data;
  }

  /** Offset of the register's buffer that the next ring uses. */
  int firstBuffer() {
    return (startIndex & 1) == 0 ? 0 : Uar.BLUEFLAME_BUFFER_BYTES;
  }
}
