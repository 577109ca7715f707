package dev.bluebell.softnic.queue;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.UmrSegment;
import dev.bluebell.hca.wqe.XrcSegment;
import org.jspecify.annotations.Nullable;

/**
 * A fetched send WQE: the fields of its control segment, and the places of its other segments in
 * the device's snapshot. Decoded once, by {@link WqeDecoder}; reused. Owned by one requester.
 */
public final class SendWqe {
  private static final int UNIT = ControlSegment.BYTES;

  private int index;
  private int opcode;
  private int ds;
  private int control;
  private int immediate;
  private boolean answered;
  private boolean begun;
  private boolean watched;
  private long at;
  private int remoteOffset;
  private int operandOffset;
  private int maskedBytes;
  private int addressOffset;
  private int listOffset;
  private int bytes;

  /** Sets the fields of the control segment; nothing else is known yet. */
  void decode(int wqeIndex, long snapshot, long first, long second) {
    index = wqeIndex;
    at = snapshot;
    opcode = ControlSegment.opcode(first);
    ds = ControlSegment.ds(first);
    control = ControlSegment.fmCeSe(second);
    immediate = ControlSegment.immediate(second);
    bytes = 0;
    answered = false;
    begun = false;
    watched = false;
  }

  /** Makes this stand for a WQE that could not be fetched, and is still in the ring. */
  public void decodeUnfetched(int wqeIndex) {
    decode(wqeIndex, 0, 0, 0);
  }

  /** Sets the places of the segments. */
  void place(Places places) {
    answered = places.answered();
    addressOffset = places.address();
    remoteOffset = places.remote();
    operandOffset = places.operand();
    maskedBytes = places.maskedBytes();
    listOffset = places.list();
  }

  /**
   * Offsets of the segments of a form; −1 for a segment that it does not have.
   *
   * @param address of the address vector
   * @param remote of the remote address
   * @param operand of an atomic's operands, of the segment that changes a list of tags or a memory
   *     key, of where a memory-to-memory operation reports, of the matrix that is transposed, or of
   *     the queue or value that WAIT, SEND_EN and RECV_EN are about
   * @param maskedBytes of each operand of a masked atomic; 0 for other requests
   * @param list of the data segments
   * @param fixedBytes of the segments that every WQE of the form has
   * @param answered whether the response contains data
   * @param compact the same with an address vector of 16 bytes; null where there can't be one
   */
  record Places(
      int address,
      int remote,
      int operand,
      int maskedBytes,
      int list,
      int fixedBytes,
      boolean answered,
      @Nullable Places compact) {
    /** How many bytes a compact address vector is shorter than a full one. */
    private static final int MISSING_BYTES = AddressVector.BYTES - AddressVector.COMPACT_BYTES;

    /** A copy that also has the form with a compact address vector. */
    Places withCompactVector() {
      return address < 0
          ? this
          : with(
              new Places(
                  address,
                  nearer(remote),
                  nearer(operand),
                  maskedBytes,
                  nearer(list),
                  fixedBytes - MISSING_BYTES,
                  answered,
                  null));
    }

    private Places with(Places beside) {
      return new Places(address, remote, operand, maskedBytes, list, fixedBytes, answered, beside);
    }

    /** Offset of a segment after a compact address vector; −1 stays −1. */
    private static int nearer(int offset) {
      return offset < 0 ? offset : offset - MISSING_BYTES;
    }
  }

  void setBytes(int length) {
    bytes = length;
  }

  /** Index of its first WQEBB, 16 bits. */
  public int index() {
    return index;
  }

  /** See {@link dev.bluebell.hca.wqe.WqeOpcode}. */
  public int opcode() {
    return opcode;
  }

  /** Opcode modifier of a fetched WQE. */
  public int opmod() {
    return ControlSegment.opmod(Memory.getLong(at));
  }

  /**
   * True when its execution has begun, for requests that begin only once even if they are resent.
   */
  public boolean isBegun() {
    return begun;
  }

  /** Notes that its execution has begun. */
  public void begin() {
    begun = true;
  }

  /** True on the first call for this WQE. */
  public boolean isWatchedFirst() {
    boolean first = !watched;
    watched = true;
    return first;
  }

  /** Units of 16 bytes; 0 for one that could not be fetched. */
  public int ds() {
    return ds;
  }

  /** WQEBBs that it occupies; 0 for one that could not be fetched. */
  public int wqebbs() {
    return ControlSegment.wqebbs(ds);
  }

  /** fm_ce_se, 8 bits. */
  int control() {
    return control;
  }

  /** Fence mode: one of {@link ControlSegment}'s {@code FENCE} constants, or 0. */
  public int fence() {
    return control & ControlSegment.FENCE_MASK;
  }

  /** Completion mode: one of {@link ControlSegment}'s {@code CE} constants. */
  public int completion() {
    return control & ControlSegment.CE_MASK;
  }

  /** True when it writes a CQE on success. */
  public boolean isSignaled() {
    return completion() >= ControlSegment.CE_ALWAYS;
  }

  /** True when its completion is to raise an event like a solicited one. */
  public boolean raisesEvent() {
    return completion() == ControlSegment.CE_ALWAYS_EVENT;
  }

  /** True when the receiver's completion is to raise a solicited event. */
  public boolean isSolicited() {
    return (control & ControlSegment.SOLICITED) != 0;
  }

  /** Immediate, or the key to invalidate, by opcode. */
  public int immediate() {
    return immediate;
  }

  /** True when the response contains data: READs and atomics. */
  public boolean isAnswered() {
    return answered;
  }

  /** Bytes of the message, at most 2^30. */
  public int bytes() {
    return bytes;
  }

  /** Address of the address vector, for forms that have one. */
  public long addressVector() {
    return at + addressOffset;
  }

  /**
   * Number of the remote shared receive queue, for forms that have it after the control segment.
   */
  public int srqn() {
    return XrcSegment.srqn(Memory.getLong(at + UNIT));
  }

  /** Remote address that the request reads or writes, for forms that have one. */
  public long remoteAddress() {
    return Memory.getLong(at + remoteOffset);
  }

  /** Key of the remote memory, for forms that have one. */
  public int rkey() {
    return RemoteAddressSegment.rkey(Memory.getLong(at + remoteOffset + 8));
  }

  /** True when the form has a remote address. */
  public boolean hasRemoteAddress() {
    return remoteOffset >= 0;
  }

  /**
   * A field of the segment of a WAIT, SEND_EN, RECV_EN, transposition or other memory-to-memory
   * operation.
   */
  public long operation(Field field) {
    return field.get(Memory.getLong(at + operandOffset + field.word()));
  }

  /** Address of the segment that changes a memory key (UMR) or a list of tags, for such forms. */
  public long change() {
    return at + operandOffset;
  }

  /** Address of the new context in a UMR. */
  public long mkeyContext() {
    return change() + UmrSegment.BYTES;
  }

  /** Swap value or addend of an atomic. */
  public long swapAdd() {
    return Memory.getLong(at + operandOffset + AtomicSegment.SWAP_ADD_OFFSET);
  }

  /** Compare value of an atomic. */
  public long compare() {
    return Memory.getLong(at + operandOffset + AtomicSegment.COMPARE_OFFSET);
  }

  /** Bytes of each operand of a masked atomic: 4, 8 or 16; 0 for other requests. */
  public int maskedBytes() {
    return maskedBytes;
  }

  /**
   * An operand of a masked atomic; its low half if it has 16 bytes.
   *
   * @param operand of the segment's layout
   */
  public long operand(Field operand) {
    long address = at + operandOffset + (operand.bit() >>> 3);
    return switch (maskedBytes) {
      case 4 -> Memory.getInt(address) & 0xffffffffL;
      case 8 -> Memory.getLong(address);
      default -> Memory.getLong(address + 8);
    };
  }

  /** The high half of an operand of 16 bytes of a masked atomic; 0 for shorter ones. */
  public long operandHigh(Field operand) {
    return maskedBytes == 16 ? Memory.getLong(at + operandOffset + (operand.bit() >>> 3)) : 0;
  }

  /** Address of the first data segment. */
  public long list() {
    return at + listOffset;
  }

  /** Address after the last data segment. */
  public long listEnd() {
    return at + (long) ds * UNIT;
  }
}
