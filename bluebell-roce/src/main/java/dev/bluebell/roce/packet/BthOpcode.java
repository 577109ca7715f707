package dev.bluebell.roce.packet;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Opcodes of the base transport header, with the service in bits 7–5 and the operation in bits 4–0,
 * and the only table of the headers that follow each. Mirrors the InfiniBand specification's BTH,
 * and {@code ib_pack.h: IB_OPCODE_*}.
 *
 * <p>The specification leaves 0xc0–0xff to manufacturers. Which of them a ConnectX uses for dynamic
 * connections (DC), and with which headers, is not public: their packets have no known headers
 * behind the BTH here.
 */
public final class BthOpcode {
  public static final int SEND_FIRST = 0x00;
  public static final int SEND_MIDDLE = 0x01;
  public static final int SEND_LAST = 0x02;
  public static final int SEND_LAST_IMMEDIATE = 0x03;
  public static final int SEND_ONLY = 0x04;
  public static final int SEND_ONLY_IMMEDIATE = 0x05;
  public static final int WRITE_FIRST = 0x06;
  public static final int WRITE_MIDDLE = 0x07;
  public static final int WRITE_LAST = 0x08;
  public static final int WRITE_LAST_IMMEDIATE = 0x09;
  public static final int WRITE_ONLY = 0x0a;
  public static final int WRITE_ONLY_IMMEDIATE = 0x0b;
  public static final int READ_REQUEST = 0x0c;
  public static final int READ_RESPONSE_FIRST = 0x0d;
  public static final int READ_RESPONSE_MIDDLE = 0x0e;
  public static final int READ_RESPONSE_LAST = 0x0f;
  public static final int READ_RESPONSE_ONLY = 0x10;
  public static final int ACKNOWLEDGE = 0x11;
  public static final int ATOMIC_ACKNOWLEDGE = 0x12;
  public static final int COMPARE_SWAP = 0x13;
  public static final int FETCH_ADD = 0x14;
  public static final int SEND_LAST_INVALIDATE = 0x16;
  public static final int SEND_ONLY_INVALIDATE = 0x17;

  /** Flushes written data to memory, InfiniBand specification 1.5 and later. */
  public static final int FLUSH = 0x1c;

  /** Writes 8 bytes atomically, InfiniBand specification 1.5 and later. */
  public static final int ATOMIC_WRITE = 0x1d;

  public static final int OPERATION_MASK = 0x1f;

  // Bits 7–5.
  public static final int RC = 0x00;
  public static final int UC = 0x20;
  public static final int UD = 0x60;
  public static final int XRC = 0xa0;

  /** A congestion notification packet of RoCEv2, a whole opcode. */
  public static final int CNP = 0x81;

  /** First of the services that manufacturers define, such as DC. */
  public static final int MANUFACTURERS = 0xc0;

  private static final int SERVICE_MASK = 0xe0;
  private static final int OPCODES = 0x100;

  // Properties of operations.
  private static final int FIRST = 1;
  private static final int LAST = 1 << 1;
  private static final int SEND = 1 << 2;
  private static final int WRITE = 1 << 3;
  private static final int ANSWERED = 1 << 4;
  private static final int RESPONSE = 1 << 5;
  private static final int IMMEDIATE = 1 << 6;
  private static final int INVALIDATE = 1 << 7;
  private static final int READ_RESPONSE = 1 << 8;

  private static final short[] TRAITS = new short[OPERATION_MASK + 1];
  private static final String[] NAMES = new String[OPERATION_MASK + 1];

  /**
   * The headers behind the BTH; null for opcodes that are not publicly defined, and for reliable
   * datagrams.
   */
  private static final Header[][] EXTENSIONS = new Header[OPCODES][];

  static {
    define(SEND_FIRST, "SEND_FIRST", SEND | FIRST);
    define(SEND_MIDDLE, "SEND_MIDDLE", SEND);
    define(SEND_LAST, "SEND_LAST", SEND | LAST);
    define(SEND_LAST_IMMEDIATE, "SEND_LAST_IMMEDIATE", SEND | LAST | IMMEDIATE, ImmDt.HEADER);
    define(SEND_ONLY, "SEND_ONLY", SEND | FIRST | LAST);
    define(
        SEND_ONLY_IMMEDIATE, "SEND_ONLY_IMMEDIATE", SEND | FIRST | LAST | IMMEDIATE, ImmDt.HEADER);
    define(SEND_LAST_INVALIDATE, "SEND_LAST_INVALIDATE", SEND | LAST | INVALIDATE, Ieth.HEADER);
    define(
        SEND_ONLY_INVALIDATE,
        "SEND_ONLY_INVALIDATE",
        SEND | FIRST | LAST | INVALIDATE,
        Ieth.HEADER);
    define(WRITE_FIRST, "WRITE_FIRST", WRITE | FIRST, Reth.HEADER);
    define(WRITE_MIDDLE, "WRITE_MIDDLE", WRITE);
    define(WRITE_LAST, "WRITE_LAST", WRITE | LAST);
    define(WRITE_LAST_IMMEDIATE, "WRITE_LAST_IMMEDIATE", WRITE | LAST | IMMEDIATE, ImmDt.HEADER);
    define(WRITE_ONLY, "WRITE_ONLY", WRITE | FIRST | LAST, Reth.HEADER);
    define(
        WRITE_ONLY_IMMEDIATE,
        "WRITE_ONLY_IMMEDIATE",
        WRITE | FIRST | LAST | IMMEDIATE,
        Reth.HEADER,
        ImmDt.HEADER);
    define(READ_REQUEST, "READ_REQUEST", FIRST | LAST | ANSWERED, Reth.HEADER);
    define(COMPARE_SWAP, "COMPARE_SWAP", FIRST | LAST | ANSWERED, AtomicEth.HEADER);
    define(FETCH_ADD, "FETCH_ADD", FIRST | LAST | ANSWERED, AtomicEth.HEADER);
    define(
        READ_RESPONSE_FIRST, "READ_RESPONSE_FIRST", RESPONSE | READ_RESPONSE | FIRST, Aeth.HEADER);
    define(READ_RESPONSE_MIDDLE, "READ_RESPONSE_MIDDLE", RESPONSE | READ_RESPONSE);
    define(READ_RESPONSE_LAST, "READ_RESPONSE_LAST", RESPONSE | READ_RESPONSE | LAST, Aeth.HEADER);
    define(
        READ_RESPONSE_ONLY,
        "READ_RESPONSE_ONLY",
        RESPONSE | READ_RESPONSE | FIRST | LAST,
        Aeth.HEADER);
    define(ACKNOWLEDGE, "ACKNOWLEDGE", RESPONSE | FIRST | LAST, Aeth.HEADER);
    define(
        ATOMIC_ACKNOWLEDGE,
        "ATOMIC_ACKNOWLEDGE",
        RESPONSE | FIRST | LAST,
        Aeth.HEADER,
        AtomicAckEth.HEADER);
    define(FLUSH, "FLUSH", FIRST | LAST | ANSWERED, Feth.HEADER, Reth.HEADER);
    define(ATOMIC_WRITE, "ATOMIC_WRITE", FIRST | LAST | ANSWERED, Reth.HEADER);
    for (int operation : new int[] {SEND_ONLY, SEND_ONLY_IMMEDIATE}) {
      EXTENSIONS[UD | operation] = with(Deth.HEADER, EXTENSIONS[operation]);
    }
    EXTENSIONS[CNP] = new Header[] {Cnp.HEADER};
  }

  private BthOpcode() {}

  /**
   * Defines an operation of all services that have it, except UD.
   *
   * @param own the headers behind the BTH, without those of the service
   */
  private static void define(int operation, String name, int traits, Header... own) {
    TRAITS[operation] = (short) traits;
    NAMES[operation] = name;
    EXTENSIONS[RC | operation] = own;
    EXTENSIONS[XRC | operation] = isResponse(operation) ? own : with(XrcEth.HEADER, own);
    if ((isSend(operation) || isWrite(operation)) && !hasInvalidate(operation)) {
      EXTENSIONS[UC | operation] = own;
    }
  }

  private static Header[] with(Header first, Header[] others) {
    Header[] all = new Header[others.length + 1];
    all[0] = first;
    System.arraycopy(others, 0, all, 1, others.length);
    return all;
  }

  private static boolean is(int opcode, int trait) {
    return (TRAITS[opcode & OPERATION_MASK] & trait) != 0;
  }

  /** The operation of a READ response packet. */
  public static int readResponse(boolean first, boolean last) {
    return last
        ? first ? READ_RESPONSE_ONLY : READ_RESPONSE_LAST
        : first ? READ_RESPONSE_FIRST : READ_RESPONSE_MIDDLE;
  }

  // ---- what an opcode says

  /** Its operation, without the service. */
  public static int operation(int opcode) {
    return opcode & OPERATION_MASK;
  }

  /** True for the first or only packet of a message. */
  public static boolean isFirst(int opcode) {
    return is(opcode, FIRST);
  }

  /** True for the last or only packet of a message. */
  public static boolean isLast(int opcode) {
    return is(opcode, LAST);
  }

  public static boolean isSend(int opcode) {
    return is(opcode, SEND);
  }

  public static boolean isWrite(int opcode) {
    return is(opcode, WRITE);
  }

  /**
   * True for requests that are answered by something other than an ACK, such as READs and atomics.
   */
  public static boolean isAnswered(int opcode) {
    return is(opcode, ANSWERED);
  }

  /** True for opcodes that a responder sends. */
  public static boolean isResponse(int opcode) {
    return is(opcode, RESPONSE);
  }

  public static boolean isReadResponse(int opcode) {
    return is(opcode, READ_RESPONSE);
  }

  /** True when an ImmDt header comes with it. */
  public static boolean hasImmediate(int opcode) {
    return is(opcode, IMMEDIATE);
  }

  /** True when an IETH follows, with the key to invalidate. */
  public static boolean hasInvalidate(int opcode) {
    return is(opcode, INVALIDATE);
  }

  /**
   * True for an opcode, 8 bits, that the specification defines, but for those of reliable
   * datagrams, and for that of a CNP.
   */
  public static boolean isKnown(int opcode) {
    return EXTENSIONS[opcode] != null;
  }

  /** The headers between BTH and payload, in wire order; empty when unknown. */
  public static List<Header> extensions(int opcode) {
    Header[] headers = EXTENSIONS[opcode];
    return headers == null ? List.of() : List.of(headers);
  }

  /** As {@link #extensions}, without copying. */
  static Header @Nullable [] extensionsOf(int opcode) {
    return EXTENSIONS[opcode];
  }

  /** The service bits of an opcode, such as {@link #RC}. */
  public static int service(int opcode) {
    return opcode & SERVICE_MASK;
  }

  /** The name of an opcode's service. */
  public static String serviceName(int opcode) {
    return switch (service(opcode)) {
      case RC -> "RC";
      case UC -> "UC";
      case UD -> "UD";
      case XRC -> "XRC";
      default -> opcode == CNP ? "CNP" : "0x%02x".formatted(service(opcode));
    };
  }

  /** The name of a known opcode, such as {@code RC_SEND_ONLY}, or the number of an unknown one. */
  public static String text(int opcode) {
    if (opcode == CNP) {
      return "CNP";
    }
    return isKnown(opcode)
        ? serviceName(opcode) + "_" + NAMES[operation(opcode)]
        : "0x%02x".formatted(opcode);
  }

  /** The opcode with a name; −1 when there is none. */
  public static int parse(String text) {
    String name = text.toUpperCase(Locale.ROOT);
    return IntStream.range(0, OPCODES)
        .filter(opcode -> isKnown(opcode) && text(opcode).equals(name))
        .findFirst()
        .orElse(-1);
  }
}
