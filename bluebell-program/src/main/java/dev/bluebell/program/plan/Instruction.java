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
 * A queue entry that works on memory or sends to the client. It is a {@link Block}, since other
 * entries may write its fields; {@link #opcodeField} and similar methods return the {@link Span} of
 * such a field.
 */
public final class Instruction implements Block {
  /** Offset of the opcode, the last byte of the first dword. */
  private static final int OPCODE_OFFSET = ControlSegment.OPCODE.bit() / 8;

  private static final int REMOTE_OFFSET = ControlSegment.BYTES;
  private static final int OPERANDS_OFFSET = REMOTE_OFFSET + RemoteAddressSegment.BYTES;

  /** Maximum number of local ranges of a READ: other segments take two units of the entry. */
  public static final int MAX_SCATTERS = ControlSegment.MAX_DS - 2;

  private Lane lane;
  private final int opcode;
  private final @Nullable Address remote;
  private final byte[] operands;
  private final List<Local> local = new ArrayList<>();

  // Ranges of {@code local}, collected here because schedulers compare all instructions.
  private final List<Span> localSpans = new ArrayList<>();
  private final List<Span> locals = Collections.unmodifiableList(localSpans);
  private final List<Span> addressed;

  private final String comment;
  private @Nullable Area addend;
  private boolean armed;
  private boolean bare;
  private int immediate;

  /**
   * A local range.
   *
   * @param address address of its first byte
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

  /** Copies local ranges, in order, to one place. */
  public static Instruction write(Address to, List<Span> from, String comment) {
    Instruction write = new Instruction(Lane.WORKER, WqeOpcode.RDMA_WRITE, to, 0, comment);
    from.forEach(write::gather);
    return write;
  }

  /** Copies from one place to local ranges, which {@link #scatter} adds. */
  public static Instruction read(Address from, String comment) {
    return new Instruction(Lane.WORKER, WqeOpcode.RDMA_READ, from, 0, comment);
  }

  /** An atomic of 8 bytes whose original word is discarded. */
  public static Instruction atomic(int opcode, Span word, Area sink, String comment) {
    return atomic(opcode, Address.of(word), sink.span(0, Long.BYTES), comment);
  }

  /**
   * An atomic of 8 bytes.
   *
   * @param answer destination of the original word, 8 bytes
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

  /**
   * Writes to memory of the client.
   *
   * @param told true when the client receives a completion
   */
  public static Instruction writeTo(
      ClientMemory to, boolean told, Address from, int bytes, String comment) {
    int opcode = told ? WqeOpcode.RDMA_WRITE_IMM : WqeOpcode.RDMA_WRITE;
    Instruction write = new Instruction(Lane.CLIENT, opcode, Address.of(to, bytes), 0, comment);
    write.add(new Local(from, bytes));
    write.immediate = told ? to.buffer().number() : 0;
    return write;
  }

  /** Its initial bytes that a call changes when it arms or erases the instruction. */
  public List<Restored> restored() {
    List<Restored> restored = new ArrayList<>();
    restored.add(Restored.of(opcodeField(), initialOpcode()));
    // In a bare instruction, each call writes an operand here.
    if (opmod() != 0 && !bare) {
      restored.add(Restored.of(opmodField(), initialOpmod()));
    }
    return restored;
  }

  // ---- construction

  /** Adds a local range that a READ scatters to. */
  public void scatter(Span to) {
    add(Local.of(to));
  }

  /** Adds a local range to the payload of a message or WRITE. */
  public void gather(Span from) {
    add(Local.of(from));
  }

  private void add(Local range) {
    local.add(range);
    localSpans.add(range.address().span());
  }

  /** Makes it a NOP until another entry writes {@link #opcode} to {@link #opcodeField}. */
  public void arm() {
    armed = true;
  }

  /**
   * Makes it a NOP whose first word has no index and no QPN: these bits hold an operand, for
   * devices that do not check them.
   */
  public void bare() {
    armed = true;
    bare = true;
  }

  /** Moves it to another queue that works on memory. */
  public void moveTo(Lane to) {
    lane = to;
  }

  /** Sets bits of an 8-byte operand. */
  public void orOperand(int index, long bits) {
    for (int i = 0; i < Long.BYTES; i++) {
      operands[Long.BYTES * index + i] |= (byte) (bits >>> 56 - 8 * i);
    }
  }

  /** Sets bytes of the operands, at an offset from the start of the entry. */
  public void put(int offset, byte... bytes) {
    System.arraycopy(bytes, 0, operands, offset - OPERANDS_OFFSET, bytes.length);
  }

  /** Adds the address of an area to the first operand. */
  public void addAddress(Area area) {
    addend = area;
  }

  // ---- fields that others write

  public Span opcodeField() {
    return new Span(this, OPCODE_OFFSET, 1);
  }

  public Span opmodField() {
    return new Span(this, ControlSegment.OPMOD.bit() / 8, 1);
  }

  /** The fields that make it a NOP when they are zeroed. */
  public List<Span> opcodeAndModifier() {
    return opmod() == 0 ? List.of(opcodeField()) : List.of(opcodeField(), opmodField());
  }

  /** The first word, which contains the opcode. */
  public Span firstWord() {
    return new Span(this, 0, Long.BYTES);
  }

  public Span remoteField() {
    return new Span(this, REMOTE_OFFSET, Long.BYTES);
  }

  /** The remote address and the key after it. */
  public Span remoteAndKeyField() {
    return new Span(this, REMOTE_OFFSET, Buffer.PLACE_BYTES);
  }

  /** An 8-byte operand of an atomic. */
  public Span operandField(int index) {
    return new Span(this, OPERANDS_OFFSET + Long.BYTES * index, Long.BYTES);
  }

  /** The address of the first local range. */
  public Span localField() {
    int segment = bytes() - local.size() * DataSegment.BYTES;
    return new Span(this, segment + DataSegment.ADDRESS.bit() / 8, Long.BYTES);
  }

  // ---- properties

  public Lane lane() {
    return lane;
  }

  /** Its opcode when it is armed. */
  public int opcode() {
    return opcode;
  }

  /** The initial opcode in memory. */
  public int initialOpcode() {
    return armed ? WqeOpcode.NOP : opcode;
  }

  /** True when it is a NOP initially. */
  public boolean isArmed() {
    return armed;
  }

  /** True when its first word initially has no index and no QPN. */
  public boolean isBare() {
    return bare;
  }

  public int opmod() {
    return switch (opcode) {
      case WqeOpcode.ATOMIC_MASKED_CS, WqeOpcode.ATOMIC_MASKED_FA -> WqeForm.MASKED_ATOMIC_8;
      default -> 0;
    };
  }

  /** The initial opcode modifier in memory: 0 for a NOP. */
  public int initialOpmod() {
    return armed ? 0 : opmod();
  }

  /** Its remote address; null when it has none. */
  public @Nullable Address remote() {
    return remote;
  }

  /** Its immediate for the client; 0 when it has none. */
  public int immediate() {
    return immediate;
  }

  /** Operands of an atomic in network order; empty for others. */
  public byte[] operands() {
    return operands.clone();
  }

  /** The area whose address is added to the first operand; null when there is none. */
  public @Nullable Area addend() {
    return addend;
  }

  /** Local ranges, in order. */
  public List<Local> local() {
    return List.copyOf(local);
  }

  /** Its purpose. */
  public String comment() {
    return comment;
  }

  /** True for messages and WRITEs to the client. */
  boolean isSent() {
    return lane == Lane.CLIENT;
  }

  /** True for READs and atomics, which have a response. */
  public boolean isAnswered() {
    return opcode == WqeOpcode.RDMA_READ || isAtomic();
  }

  public boolean isAtomic() {
    return operands.length > 0;
  }

  /** Length in units of 16 bytes. */
  public int ds() {
    return bytes() / ControlSegment.BYTES;
  }

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

  // ---- accessed memory

  /** Local bytes that it reads when it is executed. */
  public List<Span> gathers() {
    return isAnswered() ? List.of() : locals;
  }

  /** Local bytes that its response has written when it completes. */
  public List<Span> scatters() {
    return isAnswered() ? locals : List.of();
  }

  /** Remote bytes that it reads. */
  public List<Span> remoteReads() {
    return isAnswered() ? addressed : List.of();
  }

  /** Remote bytes that it writes. */
  public List<Span> remoteWrites() {
    return opcode == WqeOpcode.RDMA_READ ? List.of() : addressed;
  }
}
