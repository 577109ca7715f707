package dev.bluebell.program.plan;

import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.MaskedCompareSwap;
import dev.bluebell.hca.wqe.MaskedFetchAdd;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.program.Buffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a queue. It is a block itself, since others may write its fields; what they write is
 * a {@link Span} of it that {@link #opcodeField} and its like give.
 */
public final class Instruction implements Block {
  /** Offset of the opcode, the last byte of the first dword. */
  private static final int OPCODE_OFFSET = ControlSegment.OPCODE.bit() / 8;

  private static final int REMOTE_OFFSET = ControlSegment.BYTES;
  private static final int OPERANDS_OFFSET = REMOTE_OFFSET + RemoteAddressSegment.BYTES;

  private Lane lane;
  private final int opcode;
  private final @Nullable Address remote;
  private final byte[] operands;
  private final List<Local> local = new ArrayList<>();

  // Where they lie: schedulers compare all with all.
  private final List<Span> localSpans = new ArrayList<>();
  private final List<Span> locals = Collections.unmodifiableList(localSpans);
  private final List<Span> addressed;

  private final String comment;
  private @Nullable Area addend;
  private boolean armed;
  private boolean bare;
  private int immediate;
  private String construct = "";

  /**
   * A local range.
   *
   * @param address where it lies
   * @param bytes its length
   */
  public record Local(Address address, int bytes) {
    static Local of(Span span) {
      return new Local(Address.of(span), span.length());
    }
  }

  private Instruction(
      Lane lane, int opcode, @Nullable Address remote, int operandBytes, String comment) {
    this.lane = lane;
    this.opcode = opcode;
    this.remote = remote;
    addressed = remote == null ? List.of() : List.of(remote.span());
    this.operands = new byte[operandBytes];
    this.comment = comment;
  }

  // ---- kinds

  /** Copies local ranges, one behind the other, to one place. */
  public static Instruction write(Address to, List<Span> from, String comment) {
    Instruction write = new Instruction(Lane.WORKER, WqeOpcode.RDMA_WRITE, to, 0, comment);
    from.forEach(write::gather);
    return write;
  }

  /** Copies from one place to local ranges, which {@link #scatter} names. */
  public static Instruction read(Address from, String comment) {
    return new Instruction(Lane.WORKER, WqeOpcode.RDMA_READ, from, 0, comment);
  }

  /** Compares a word and exchanges it. */
  public static Instruction compareSwap(Span word, Area sink, String comment) {
    return atomic(WqeOpcode.ATOMIC_CS, word, sink, comment);
  }

  /** Adds to a word. */
  public static Instruction fetchAdd(Span word, Area sink, String comment) {
    return atomic(WqeOpcode.ATOMIC_FA, word, sink, comment);
  }

  /** Compares some bits of a word and exchanges some. */
  public static Instruction maskedCompareSwap(Span word, Area sink, String comment) {
    return atomic(WqeOpcode.ATOMIC_MASKED_CS, word, sink, comment);
  }

  /** Adds to the fields of a word. */
  public static Instruction maskedFetchAdd(Span word, Area sink, String comment) {
    return atomic(WqeOpcode.ATOMIC_MASKED_FA, word, sink, comment);
  }

  private static Instruction atomic(int opcode, Span word, Area sink, String comment) {
    return atomic(opcode, Address.of(word), sink.span(0, Long.BYTES), comment);
  }

  /**
   * An atomic of 8 bytes.
   *
   * @param answer where what the word was goes, 8 bytes
   */
  public static Instruction atomic(int opcode, Address word, Span answer, String comment) {
    int operandBytes =
        switch (opcode) {
          case WqeOpcode.ATOMIC_MASKED_CS -> MaskedCompareSwap.OF_8.bytes();
          case WqeOpcode.ATOMIC_MASKED_FA -> MaskedFetchAdd.OF_8.bytes();
          default -> AtomicSegment.BYTES;
        };
    Instruction atomic = new Instruction(Lane.WORKER, opcode, word, operandBytes, comment);
    atomic.scatter(answer);
    return atomic;
  }

  /** Sends a message to the client. */
  public static Instruction send(Address from, int bytes, String comment) {
    Instruction send = new Instruction(Lane.CLIENT, WqeOpcode.SEND, null, 0, comment);
    send.add(new Local(from, bytes));
    return send;
  }

  /** Sends the client a message with nothing in it. */
  static Instruction notice(String comment) {
    return new Instruction(Lane.CLIENT, WqeOpcode.SEND, null, 0, comment);
  }

  /**
   * Writes to memory of the client.
   *
   * @param told true when the client gets a completion
   */
  public static Instruction writeTo(
      ClientMemory to, boolean told, Address from, int bytes, String comment) {
    int opcode = told ? WqeOpcode.RDMA_WRITE_IMM : WqeOpcode.RDMA_WRITE;
    Instruction write = new Instruction(Lane.CLIENT, opcode, Address.of(to, bytes), 0, comment);
    write.add(new Local(from, bytes));
    write.immediate = told ? to.buffer().number() : 0;
    return write;
  }

  /** What of it a call changes that arms or erases it, and how it is at the start. */
  public List<Restored> restored() {
    List<Restored> restored = new ArrayList<>();
    restored.add(Restored.of(opcodeField(), initialOpcode()));
    // In a bare one an operand is put there by each call.
    if (opmod() != 0 && !bare) {
      restored.add(Restored.of(opmodField(), initialOpmod()));
    }
    return restored;
  }

  // ---- while it is made

  /** Adds a local range that a READ fills. */
  public void scatter(Span to) {
    add(Local.of(to));
  }

  /** Adds a local range to what a message has. */
  public void gather(Span from) {
    add(Local.of(from));
  }

  private void add(Local range) {
    local.add(range);
    localSpans.add(range.address().span());
  }

  /** Makes it a NOP, until somebody writes {@link #opcode} over {@link #opcodeField}. */
  public void arm() {
    armed = true;
  }

  /**
   * Makes it a NOP whose first word has no index and no QPN: these bits hold an operand, as devices
   * that do not check them allow.
   */
  public void bare() {
    armed = true;
    bare = true;
  }

  /** Puts it into another queue that works on memory. */
  public void moveTo(Lane to) {
    lane = to;
  }

  /** Says which statement it is a part of. */
  public void belongTo(String statement) {
    construct = statement;
  }

  /** Sets bits of one of the operands, each of 8 bytes. */
  public void orOperand(int index, long bits) {
    for (int i = 0; i < Long.BYTES; i++) {
      operands[Long.BYTES * index + i] |= (byte) (bits >>> 56 - 8 * i);
    }
  }

  /** Sets bytes of the operands, which lie {@code offset} bytes behind the entry's start. */
  public void put(int offset, byte... bytes) {
    System.arraycopy(bytes, 0, operands, offset - OPERANDS_OFFSET, bytes.length);
  }

  /** Adds the address of an area to the first operand. */
  public void addAddress(Area area) {
    addend = area;
  }

  // ---- fields that others write

  /** The opcode. */
  public Span opcodeField() {
    return new Span(this, OPCODE_OFFSET, 1);
  }

  /** The opcode modifier. */
  public Span opmodField() {
    return new Span(this, ControlSegment.OPMOD.bit() / 8, 1);
  }

  /** What makes it a NOP when it is zeroed. */
  public List<Span> opcodeAndModifier() {
    return opmod() == 0 ? List.of(opcodeField()) : List.of(opcodeField(), opmodField());
  }

  /** The first word, which the opcode is in. */
  public Span firstWord() {
    return new Span(this, 0, Long.BYTES);
  }

  /** The remote address. */
  public Span remoteField() {
    return new Span(this, REMOTE_OFFSET, Long.BYTES);
  }

  /** The remote address and the key behind it. */
  public Span remoteAndKeyField() {
    return new Span(this, REMOTE_OFFSET, Buffer.PLACE_BYTES);
  }

  /** One of the operands of an atomic, each of 8 bytes. */
  public Span operandField(int index) {
    return new Span(this, OPERANDS_OFFSET + Long.BYTES * index, Long.BYTES);
  }

  /** The address of the first local range. */
  public Span localField() {
    int segment = bytes() - local.size() * DataSegment.BYTES;
    return new Span(this, segment + DataSegment.ADDRESS.bit() / 8, Long.BYTES);
  }

  // ---- what it is

  /** The queue that it is in. */
  public Lane lane() {
    return lane;
  }

  /** What it does, or does when it is armed. */
  public int opcode() {
    return opcode;
  }

  /** The opcode that is in memory at the start. */
  public int initialOpcode() {
    return armed ? WqeOpcode.NOP : opcode;
  }

  /** True when it is a NOP at the start. */
  public boolean isArmed() {
    return armed;
  }

  /** True when its first word has no index and no QPN at the start. */
  public boolean isBare() {
    return bare;
  }

  /** Opcode modifier. */
  public int opmod() {
    return switch (opcode) {
      case WqeOpcode.ATOMIC_MASKED_CS, WqeOpcode.ATOMIC_MASKED_FA -> WqeForm.MASKED_ATOMIC_8;
      default -> 0;
    };
  }

  /** The opcode modifier that is in memory at the start: a NOP has none. */
  public int initialOpmod() {
    return armed ? 0 : opmod();
  }

  /** What it points to by a remote address; null when it has none. */
  public @Nullable Address remote() {
    return remote;
  }

  /** What it tells the client, if it has an immediate; else 0. */
  public int immediate() {
    return immediate;
  }

  /** Operands of an atomic in network order; empty for others. */
  public byte[] operands() {
    return operands.clone();
  }

  /** What the address of is added to the first operand; null when nothing is. */
  public @Nullable Area addend() {
    return addend;
  }

  /** Local ranges, in order. */
  public List<Local> local() {
    return List.copyOf(local);
  }

  /** Why it is there. */
  public String comment() {
    return comment;
  }

  /** The statement that it is a part of. */
  public String construct() {
    return construct;
  }

  /** True for messages and WRITEs to the client. */
  boolean isSent() {
    return lane == Lane.CLIENT;
  }

  /** True for READs and atomics, which bring an answer. */
  public boolean isAnswered() {
    return opcode == WqeOpcode.RDMA_READ || isAtomic();
  }

  /** True for atomics. */
  public boolean isAtomic() {
    return operands.length > 0;
  }

  /** Units of 16 bytes. */
  public int ds() {
    return bytes() / ControlSegment.BYTES;
  }

  /** Slots of the ring that it takes. */
  public int wqebbs() {
    return ControlSegment.wqebbs(ds());
  }

  @Override
  public int bytes() {
    return ControlSegment.BYTES
        + (remote == null ? 0 : RemoteAddressSegment.BYTES)
        + operands.length
        + local.size() * DataSegment.BYTES;
  }

  @Override
  public String name() {
    return WqeOpcode.name(opcode).toLowerCase(java.util.Locale.ROOT);
  }

  @Override
  public String toString() {
    return "%s: %s".formatted(name(), comment);
  }

  // ---- what it touches

  /** What it reads when it begins. */
  public List<Span> gathers() {
    return isAnswered() ? List.of() : locals;
  }

  /** What it has written when it completes. */
  public List<Span> scatters() {
    return isAnswered() ? locals : List.of();
  }

  /** What it reads at the end that it addresses. */
  public List<Span> remoteReads() {
    return isAnswered() ? addressed : List.of();
  }

  /** What it writes at the end that it addresses. */
  public List<Span> remoteWrites() {
    return opcode == WqeOpcode.RDMA_READ ? List.of() : addressed;
  }
}
