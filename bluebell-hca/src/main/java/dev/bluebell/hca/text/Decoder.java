package dev.bluebell.hca.text;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.NextSegment;
import dev.bluebell.hca.wqe.ReceiveSignatureSegment;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Decodes bytes to text, guessing their kind if necessary, and encodes text, which states its kind.
 */
public final class Decoder {
  private static final int MINIMUM_BYTES = 16;
  private static final int UNIT = DataSegment.BYTES;

  /** The kinds of formats. */
  public enum Kind {
    /** A send queue entry: {@link WqeText}. */
    WQE,
    /** An entry of a receive queue: {@link ReceiveWqeText}. */
    RECEIVE,
    /** An entry of a receive queue with signatures: {@link ReceiveWqeText}. */
    SIGNED_RECEIVE,
    /** An entry of a shared receive queue: {@link ReceiveWqeText}. */
    SHARED_RECEIVE,
    /** A completion queue entry: {@link CqeText}. */
    CQE,
    /** An array of the basic layout of compression: {@link MiniCqeText}. */
    MINI_CQES,
    /** A block of the enhanced layout of compression: {@link MiniCqeText}. */
    MINI_CQE_BLOCK,
    /** The input of a command: {@link CommandText}. */
    INPUT,
    /**
     * The output of a command: {@link CommandText}, which needs the opcode to name more than the
     * status.
     */
    OUTPUT
  }

  private Decoder() {}

  /**
   * Guesses the kind of bytes by their length and by the zero bits and known values of each format;
   * empty when no kind fits.
   */
  public static Optional<Kind> guess(byte[] bytes) {
    if (bytes.length < MINIMUM_BYTES) {
      return Optional.empty();
    }
    if (isWqe(bytes)) {
      return Optional.of(Kind.WQE);
    }
    if (isInput(bytes)) {
      return Optional.of(Kind.INPUT);
    }
    if (isScatterList(bytes, 0)) {
      return Optional.of(Kind.RECEIVE);
    }
    if (isHead(bytes) && isScatterList(bytes, UNIT)) {
      boolean linked =
          NextSegment.NEXT_WQE_INDEX.get(bytes, 0) != 0
              || ReceiveSignatureSegment.SIGNATURE.get(bytes, 0) == 0;
      return Optional.of(linked ? Kind.SHARED_RECEIVE : Kind.SIGNED_RECEIVE);
    }
    if (isCqe(bytes)) {
      return Optional.of(Kind.CQE);
    }
    return isOutput(bytes) ? Optional.of(Kind.OUTPUT) : Optional.empty();
  }

  /**
   * Describes bytes whose kind is guessed.
   *
   * @throws IllegalArgumentException when they fit no known format
   */
  public static String decode(byte[] bytes) {
    Kind kind =
        guess(bytes)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "no known format matches these bytes (length %d); specify their kind"
                            .formatted(bytes.length)));
    return decode(kind, bytes);
  }

  /**
   * Describes bytes of a kind. Assumes that a WQE belongs to a queue without addressing (RC), and
   * decodes an output without its command's opcode.
   *
   * @throws IllegalArgumentException when their number is wrong for the kind
   */
  public static String decode(Kind kind, byte[] bytes) {
    return switch (kind) {
      case WQE -> WqeText.disassemble(bytes);
      case RECEIVE -> ReceiveWqeText.disassemble(bytes);
      case SIGNED_RECEIVE -> ReceiveWqeText.disassembleSigned(bytes);
      case SHARED_RECEIVE -> ReceiveWqeText.disassembleShared(bytes);
      case CQE -> CqeText.disassemble(bytes);
      case MINI_CQES -> MiniCqeText.disassemble(bytes);
      case MINI_CQE_BLOCK -> MiniCqeText.disassembleBlock(bytes);
      case INPUT -> CommandText.disassembleInput(bytes);
      case OUTPUT -> CommandText.disassembleOutput(0, 0, bytes);
    };
  }

  /**
   * The bytes that a text of any kind describes.
   *
   * @throws IllegalArgumentException when the text is invalid; the message names the line and what
   *     was expected there
   */
  public static byte[] encode(String text) {
    Block block = Block.parse(text);
    return switch (block.kind()) {
      case "wqe" -> WqeText.assemble(text);
      case "recv" -> ReceiveWqeText.assemble(text);
      case "cqe" -> CqeText.assemble(text);
      case "mini_cqes" -> MiniCqeText.assemble(text);
      case "input", "output" -> CommandText.assemble(text);
      default ->
          throw block
              .head()
              .error(
                  "expected wqe, recv, cqe, mini_cqes, input or output, found '%s'",
                  Text.clip(block.kind()));
    };
  }

  private static boolean isWqe(byte[] bytes) {
    long first = longAt(bytes, 0);
    int bytesOfEntry = ControlSegment.ds(first) * UNIT;
    int behind = bytes.length - bytesOfEntry;
    boolean length = bytesOfEntry > 0 && behind >= 0 && behind < ControlSegment.WQEBB_BYTES;
    boolean reserved = (bytes[7] & 0xc0) != 0 || (bytes[11] & 0x11) != 0;
    return length && !reserved && ControlSegment.qpn(first) != 0 && isOpcode(first);
  }

  private static boolean isOpcode(long first) {
    int opcode = ControlSegment.opcode(first);
    boolean opmod = ControlSegment.opmod(first) == 0 || WqeForm.takesOpmod(opcode);
    return opmod && isNamed(WqeOpcode.name(opcode));
  }

  private static boolean isInput(byte[] bytes) {
    int opcode = (int) CmdIn.OPCODE.get(bytes, 0);
    return isNamed(CommandOpcode.name(opcode)) && bytes[4] == 0 && bytes[5] == 0;
  }

  private static boolean isHead(byte[] bytes) {
    return HexLines.isZero(bytes, 0, 2) && HexLines.isZero(bytes, 5, UNIT);
  }

  // Complete pointers with a key and a user-space address, up to the end or a terminator.
  private static boolean isScatterList(byte[] bytes, int from) {
    int at = from;
    for (; at + UNIT <= bytes.length; at += UNIT) {
      long first = longAt(bytes, at);
      long address = longAt(bytes, at + 8);
      if (first == DataSegment.first(0, DataSegment.INVALID_LKEY) && address == 0) {
        return true;
      }
      boolean some = DataSegment.byteCount(first) > 0 && DataSegment.lkey(first) != 0;
      if (!some || address == 0 || address >>> 48 != 0) {
        return false;
      }
    }
    return at == bytes.length && at > from;
  }

  private static boolean isCqe(byte[] bytes) {
    if (bytes.length != Cqe.BYTES && bytes.length != Cqe.BYTES_128) {
      return false;
    }
    int base = bytes.length - Cqe.BYTES;
    long last = longAt(bytes, base + Cqe.LAST_WORD);
    int opcode = Cqe.opcode(last);
    return switch (opcode) {
      case CqeOpcode.REQ -> Cqe.qpn(last) != 0 && isNamed(WqeOpcode.name(Cqe.sendOpcode(last)));
      case CqeOpcode.REQ_ERR, CqeOpcode.RESP_ERR ->
          isNamed(Syndrome.name(Cqe.syndrome(longAt(bytes, base + Cqe.TIMESTAMP_WORD))));
      default -> isNamed(CqeOpcode.name(opcode));
    };
  }

  private static boolean isOutput(byte[] bytes) {
    int status = (int) CmdOut.STATUS.get(bytes, 0);
    boolean ok = status == CommandStatus.OK;
    return isNamed(CommandStatus.name(status)) && HexLines.isZero(bytes, 1, ok ? 8 : 4);
  }

  private static boolean isNamed(String name) {
    return !name.startsWith("0x");
  }

  private static long longAt(byte[] bytes, int offset) {
    return ByteBuffer.wrap(bytes).getLong(offset);
  }
}
