package dev.bluebell.verifier;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.MaskedCompareSwap;
import dev.bluebell.hca.wqe.MaskedFetchAdd;
import dev.bluebell.hca.wqe.QueueSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.TransposeSegment;
import dev.bluebell.hca.wqe.WaitValueSegment;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.hca.wqe.WqeSegment;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Right;
import dev.bluebell.program.image.Ring;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A send entry as a reliable connection interprets it. Immutable.
 *
 * @param bytes the entry, {@code ds} units long
 * @param form its segments
 * @param pieces its gather or scatter list
 */
record Request(byte[] bytes, WqeForm form, List<Piece> pieces) {
  /** Maximum length of a message of a program. */
  static final int MAX_BYTES = 1 << 24;

  /**
   * Reads an entry.
   *
   * @param entry bytes that start with the entry, and may be longer
   * @param checks true when the opmod of a NOP must be 0; conditions of 48 bits use this field
   * @throws IllegalRequest when a program's queue pairs cannot execute it
   */
  static Request of(byte[] entry, boolean checks) {
    int ds = ds(entry);
    if (ds == 0) {
      throw new IllegalRequest("has ds 0");
    }
    if (ds * ControlSegment.BYTES > entry.length) {
      throw new IllegalRequest("has ds %d and reaches beyond what may be fetched", ds);
    }
    int opcode = (int) ControlSegment.OPCODE.get(entry, 0);
    boolean free = opcode == WqeOpcode.NOP && !checks;
    int opmod = free ? 0 : (int) ControlSegment.OPMOD.get(entry, 0);
    WqeForm form = WqeForm.of(ServiceType.RC, opcode, opmod);
    if (form == null || !isExecuted(opcode, opmod)) {
      throw new IllegalRequest(
          "has opcode %s with opmod %d, which a program's queue does not execute",
          WqeOpcode.name(opcode), opmod);
    }
    byte[] bytes = Arrays.copyOf(entry, ds * ControlSegment.BYTES);
    if (opcode != WqeOpcode.NOP && bytes.length < form.fixedBytes()) {
      throw new IllegalRequest("has ds %d, too small for %s", ds, WqeOpcode.name(opcode));
    }
    if ((int) ControlSegment.FENCE_MODE.get(bytes, 0) > 4) {
      throw new IllegalRequest("has a reserved fence mode");
    }
    Request request = new Request(bytes, form, pieces(bytes, form));
    if (request.isTransposition()) {
      request.checkMatrix();
    } else if (request.isValueWait()) {
      request.checkCondition();
    } else if (request.isAtomic()) {
      request.checkAtomic();
    }
    return request;
  }

  /** Start indices of the initial entries of a ring. */
  static List<Integer> starts(Ring ring) {
    List<Integer> starts = new ArrayList<>();
    for (int index = 0; index < ring.posted(); ) {
      starts.add(index);
      index += Math.max(1, ControlSegment.wqebbs(ds(ring.slot(index))));
    }
    return starts;
  }

  /** Length, in units of 16 bytes, of the entry at the start of the bytes. */
  static int ds(byte[] entry) {
    return (int) ControlSegment.DS.get(entry, 0);
  }

  /** Refuses an entry that a queue does not execute at an index. */
  void check(Queue queue, long at, Rules rules) {
    if (rules.checks() && index() != (at & 0xffff)) {
      throw new IllegalRequest("carries index %d", index());
    }
    if (rules.checks() && qpn() != queue.qpn()) {
      throw new IllegalRequest("carries the number of queue 0x%x", qpn());
    }
    if ((isWait() || isEnable()) && !queue.master()) {
      throw new IllegalRequest("is %s, and the queue is not a master", Counted.a(name()));
    }
  }

  private static boolean isExecuted(int opcode, int opmod) {
    return switch (opcode) {
      case WqeOpcode.NOP,
          WqeOpcode.RDMA_WRITE,
          WqeOpcode.RDMA_WRITE_IMM,
          WqeOpcode.SEND,
          WqeOpcode.SEND_IMM,
          WqeOpcode.SEND_EN,
          WqeOpcode.RDMA_READ,
          WqeOpcode.ATOMIC_CS,
          WqeOpcode.ATOMIC_FA,
          WqeOpcode.LOCAL_MMO,
          WqeOpcode.UMR ->
          opmod == 0;
      case WqeOpcode.WAIT -> opmod == 0 || opmod == WqeForm.WAIT_ON_DATA;
      case WqeOpcode.ATOMIC_MASKED_CS, WqeOpcode.ATOMIC_MASKED_FA ->
          opmod == WqeForm.MASKED_ATOMIC_4 || opmod == WqeForm.MASKED_ATOMIC_8;
      default -> false;
    };
  }

  private static List<Piece> pieces(byte[] bytes, WqeForm form) {
    List<Piece> pieces = new ArrayList<>();
    WqeSegment last = form.segments().getLast();
    if (last != WqeSegment.GATHER && last != WqeSegment.SCATTER) {
      return pieces;
    }
    long total = 0;
    for (int at = form.fixedBytes(); at < bytes.length; ) {
      Piece piece = piece(bytes, at);
      if (piece.inline() && form.isAnswered()) {
        throw new IllegalRequest("has inline bytes where its answer should go");
      }
      pieces.add(piece);
      total += piece.length();
      if (total > MAX_BYTES) {
        throw new IllegalRequest("moves more than %d bytes", MAX_BYTES);
      }
      at += piece.inline() ? 4 + piece.length() + 15 & ~15 : DataSegment.BYTES;
    }
    return pieces;
  }

  private static Piece piece(byte[] bytes, int at) {
    long first = new Field("first", 0, 64).get(bytes, at);
    if (DataSegment.isInline(first)) {
      int length = DataSegment.byteCount(first) & 0x3ff;
      if (at + 4 + length > bytes.length) {
        throw new IllegalRequest("has more inline bytes than ds has room for");
      }
      return new Piece(at + 4, length, 0, 0, true);
    }
    long length = DataSegment.length(first);
    if (length > MAX_BYTES) {
      throw new IllegalRequest("has a data segment of %d bytes", length);
    }
    long address = DataSegment.ADDRESS.get(bytes, at);
    return new Piece(at, (int) length, DataSegment.lkey(first), address, false);
  }

  int opcode() {
    return (int) ControlSegment.OPCODE.get(bytes, 0);
  }

  /** The opcode's name. */
  String name() {
    return WqeOpcode.name(opcode());
  }

  int index() {
    return (int) ControlSegment.INDEX.get(bytes, 0);
  }

  int qpn() {
    return (int) ControlSegment.QPN.get(bytes, 0);
  }

  /** Number of its WQEBBs. */
  int wqebbs() {
    return ControlSegment.wqebbs(ds(bytes));
  }

  /** True when it has a fence of any kind. */
  boolean hasFence() {
    return fence() != 0;
  }

  private int fence() {
    return (int) ControlSegment.FENCE_MODE.get(bytes, 0);
  }

  /** True when it waits for earlier READs and atomics. */
  boolean isFenced() {
    return fence() >= 2;
  }

  /** True when it waits for all earlier requests. */
  boolean isStronglyFenced() {
    return fence() == 3;
  }

  /** True when it waits for earlier transpositions. */
  boolean isSmallFenced() {
    return fence() == 1 || fence() == 4;
  }

  /** True when it generates a completion on success. */
  boolean isSignalled() {
    return (int) ControlSegment.COMPLETION_MODE.get(bytes, 0) >= 2;
  }

  /** True for a WAIT for a completion queue. */
  boolean isWait() {
    return opcode() == WqeOpcode.WAIT && !isValueWait();
  }

  /** True for a WAIT for a value in memory. */
  boolean isValueWait() {
    return form.segments().contains(WqeSegment.WAIT_VALUE);
  }

  /** WAIT for a value: key of the memory. */
  int valueKey() {
    return (int) WaitValueSegment.LKEY.get(bytes, valueOffset());
  }

  /** WAIT for a value: address of the memory. */
  long valueAddress() {
    return WaitValueSegment.ADDRESS.get(bytes, valueOffset());
  }

  /** WAIT for a value: mask of compared bits. */
  long valueMask() {
    return WaitValueSegment.MASK.get(bytes, valueOffset());
  }

  /** WAIT for a value: whether it ends with these 8 bytes in memory, big-endian. */
  boolean isMetBy(long found) {
    return WaitValueSegment.isMet(
        condition(), WaitValueSegment.VALUE.get(bytes, valueOffset()), valueMask(), found);
  }

  private int condition() {
    return (int) WaitValueSegment.OPERATION.get(bytes, valueOffset());
  }

  /** WAIT for a value: offset of its segment in the entry. */
  int valueOffset() {
    return form.offset(WqeSegment.WAIT_VALUE);
  }

  private void checkCondition() {
    if (!WaitValueSegment.isCondition(condition())) {
      throw new IllegalRequest("has the condition 0x%x, which does not exist", condition());
    }
    if (valueAddress() % Long.BYTES != 0) {
      throw new IllegalRequest(
          "waits for 8 bytes at 0x%x, which is not a multiple of 8", valueAddress());
    }
  }

  boolean isEnable() {
    return opcode() == WqeOpcode.SEND_EN;
  }

  boolean isAtomic() {
    return form.isAnswered() && opcode() != WqeOpcode.RDMA_READ;
  }

  /** True for a fetch-and-add to a whole integer, which commutes with others. */
  boolean isSum() {
    return opcode() == WqeOpcode.ATOMIC_FA;
  }

  boolean isCompareAndSwap() {
    return opcode() == WqeOpcode.ATOMIC_CS || opcode() == WqeOpcode.ATOMIC_MASKED_CS;
  }

  /** True for READs and atomics. */
  boolean isAnswered() {
    return form.isAnswered();
  }

  /** True for WRITEs and SENDs, which carry bytes to the peer. */
  boolean isPosted() {
    return form.segments().contains(WqeSegment.GATHER) && !isTransposition();
  }

  /** True for the transposition of a matrix, from its first piece to its second. */
  boolean isTransposition() {
    return opcode() == WqeOpcode.LOCAL_MMO;
  }

  /** True for a UMR. */
  boolean isKeyChange() {
    return opcode() == WqeOpcode.UMR;
  }

  /** UMR: the key that it changes, as the entry names it. */
  int changedKey() {
    return (int) ControlSegment.UMR_MKEY.get(bytes, 0);
  }

  /** For each byte of the transposed matrix, its position in the original. */
  int[] transposed() {
    int size = matrix(TransposeSegment.ELEMENT_SIZE);
    int rows = matrix(TransposeSegment.ROWS);
    int columns = matrix(TransposeSegment.COLUMNS);
    int[] from = new int[size * rows * columns];
    for (int i = 0; i < from.length; i++) {
      int element = i / size;
      from[i] = (element % rows * columns + element / rows) * size + i % size;
    }
    return from;
  }

  private int matrix(Field field) {
    return (int) field.get(bytes, form.offset(WqeSegment.TRANSPOSE));
  }

  private void checkMatrix() {
    int element = matrix(TransposeSegment.ELEMENT_SIZE);
    int rows = matrix(TransposeSegment.ROWS);
    int columns = matrix(TransposeSegment.COLUMNS);
    if (!TransposeSegment.isExecuted(rows, columns, element)) {
      throw new IllegalRequest(
          "transposes a matrix of %d rows, %d columns and elements of %d bytes, which exceeds the"
              + " limits of the device (M643)",
          rows, columns, Integer.toUnsignedLong(element));
    }
    int length = element * rows * columns;
    if (pieces.size() != 2
        || pieces.stream().anyMatch(each -> each.inline() || each.length() != length)) {
      throw new IllegalRequest("does not name a matrix of %d bytes twice", length);
    }
  }

  /** True when it consumes an entry of the peer's receive queue. */
  boolean takesReceive() {
    int opcode = opcode();
    return opcode == WqeOpcode.SEND
        || opcode == WqeOpcode.SEND_IMM
        || opcode == WqeOpcode.RDMA_WRITE_IMM;
  }

  /** True when its bytes are placed by the receive entry. */
  boolean isMessage() {
    return opcode() == WqeOpcode.SEND || opcode() == WqeOpcode.SEND_IMM;
  }

  private void checkAtomic() {
    if (pieces.size() != 1) {
      throw new IllegalRequest(
          "is an atomic with %d data segments: it needs exactly one", pieces.size());
    }
    if (length() != operandBytes()) {
      throw new IllegalRequest("is an atomic with an answer of %d bytes", length());
    }
    if (remoteAddress() % operandBytes() != 0) {
      throw new IllegalRequest(
          "is an atomic on 0x%x, which is not a multiple of %d", remoteAddress(), operandBytes());
    }
  }

  boolean hasRemoteAddress() {
    return form.offset(WqeSegment.REMOTE_ADDRESS) >= 0;
  }

  /** Offset of the remote address segment in the entry. */
  int remoteOffset() {
    return form.offset(WqeSegment.REMOTE_ADDRESS);
  }

  /** The right that it needs at its remote address. */
  Right right() {
    if (isAtomic()) {
      return Right.REMOTE_ATOMIC;
    }
    return isAnswered() ? Right.REMOTE_READ : Right.REMOTE_WRITE;
  }

  long remoteAddress() {
    return RemoteAddressSegment.ADDRESS.get(bytes, remoteOffset());
  }

  int rkey() {
    return (int) RemoteAddressSegment.RKEY.get(bytes, remoteOffset());
  }

  /** Number of bytes of its list. */
  int length() {
    return pieces.stream().mapToInt(Piece::length).sum();
  }

  /** SEND_EN and WAIT: offset of their segment. */
  int queueOffset() {
    return ControlSegment.BYTES;
  }

  /** SEND_EN: index after the last one that its target may execute, 16 bits. */
  int maxIndex() {
    return (int) QueueSegment.MAX_INDEX.get(bytes, queueOffset()) & 0xffff;
  }

  /** WAIT: number of the awaited completion, from 0, 24 bits. */
  int awaited() {
    return (int) QueueSegment.PRODUCER_INDEX.get(bytes, queueOffset()) & 0xffffff;
  }

  /** SEND_EN: number of the target; WAIT: number of the completion queue. */
  int object() {
    return (int) QueueSegment.QPN.get(bytes, queueOffset());
  }

  /** Atomics: length of an operand, 4 or 8 bytes. */
  int operandBytes() {
    int opmod = (int) ControlSegment.OPMOD.get(bytes, 0);
    return opmod == WqeForm.MASKED_ATOMIC_4 ? 4 : AtomicSegment.OPERAND_BYTES;
  }

  /** True for an atomic whose result is big-endian, unlike the integer in memory (M129). */
  boolean isAnsweredBigEndian() {
    return isAtomic() && operandBytes() == 4;
  }

  /** Atomics: offset in the entry of the swap value or the addend. */
  int operandsOffset() {
    return remoteOffset() + RemoteAddressSegment.BYTES;
  }

  /** Compare-and-swap: offset in the entry of the value to compare with. */
  int compareOffset() {
    return operandsOffset() + operandBytes();
  }

  /** Compare-and-swap: mask of swapped bits. */
  long swapMask() {
    return mask(true);
  }

  /** Compare-and-swap: mask of compared bits. */
  long compareMask() {
    return mask(false);
  }

  private long mask(boolean ofSwap) {
    if (opcode() != WqeOpcode.ATOMIC_MASKED_CS) {
      return -1;
    }
    MaskedCompareSwap layout = MaskedCompareSwap.ofOperands(operandBytes());
    return (ofSwap ? layout.swapMask() : layout.compareMask()).get(bytes, operandsOffset());
  }

  /** Compare-and-swap: the new value. Fetch-and-add: the addend. */
  long swapOrAdd() {
    return new Field("operand", 0, 8 * operandBytes()).get(bytes, operandsOffset());
  }

  /** Compare-and-swap: the value to compare with. */
  long compare() {
    return new Field("operand", 0, 8 * operandBytes()).get(bytes, compareOffset());
  }

  /** Fetch-and-add: the highest bit of each field, or 0. */
  long boundary() {
    return opcode() == WqeOpcode.ATOMIC_MASKED_FA
        ? MaskedFetchAdd.ofOperands(operandBytes()).fieldBoundary().get(bytes, operandsOffset())
        : 0;
  }

  /** The value after the atomic, computed from the value before, both in host order. */
  long atomicResult(long old) {
    if (isCompareAndSwap()) {
      boolean equal = ((old ^ compare()) & compareMask() & width()) == 0;
      return equal ? old & ~swapMask() | swapOrAdd() & swapMask() : old;
    }
    return add(old, swapOrAdd(), boundary());
  }

  private long width() {
    return operandBytes() == 4 ? 0xffffffffL : -1;
  }

  /** Adds field by field: no carry leaves a bit of {@code boundary}. */
  static long add(long a, long b, long boundary) {
    long sum = (a & ~boundary) + (b & ~boundary);
    return sum ^ (a ^ b) & boundary;
  }
}
