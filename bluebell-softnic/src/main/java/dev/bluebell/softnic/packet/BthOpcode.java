package dev.bluebell.softnic.packet;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;

/**
 * Opcodes of the base transport header, and the one table of what each says: the service in bits
 * 7–5, the operation in bits 4–0. Mirrors the InfiniBand specification's BTH, and {@code ib_pack.h:
 * IB_OPCODE_*}.
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

  /** A dynamically connected initiator leaves its target; unanswered. */
  public static final int DISCONNECT = 0x1f;

  public static final int OPERATION_MASK = 0x1f;

  private static final int RC = 0x00;
  private static final int UC = 0x20;
  private static final int UD = 0x60;
  private static final int XRC = 0xa0;

  /**
   * The specification leaves these to manufacturers. Which of them a ConnectX uses for dynamic
   * connections, and with which headers, is not public.
   */
  private static final int DC = 0xc0;

  private static final int SERVICE_MASK = 0xe0;

  // What an operation is.
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

  static {
    traits(SEND_FIRST, SEND | FIRST);
    traits(SEND_MIDDLE, SEND);
    traits(SEND_LAST, SEND | LAST);
    traits(SEND_LAST_IMMEDIATE, SEND | LAST | IMMEDIATE);
    traits(SEND_ONLY, SEND | FIRST | LAST);
    traits(SEND_ONLY_IMMEDIATE, SEND | FIRST | LAST | IMMEDIATE);
    traits(SEND_LAST_INVALIDATE, SEND | LAST | INVALIDATE);
    traits(SEND_ONLY_INVALIDATE, SEND | FIRST | LAST | INVALIDATE);
    traits(WRITE_FIRST, WRITE | FIRST);
    traits(WRITE_MIDDLE, WRITE);
    traits(WRITE_LAST, WRITE | LAST);
    traits(WRITE_LAST_IMMEDIATE, WRITE | LAST | IMMEDIATE);
    traits(WRITE_ONLY, WRITE | FIRST | LAST);
    traits(WRITE_ONLY_IMMEDIATE, WRITE | FIRST | LAST | IMMEDIATE);
    traits(READ_REQUEST, FIRST | LAST | ANSWERED);
    traits(COMPARE_SWAP, FIRST | LAST | ANSWERED);
    traits(FETCH_ADD, FIRST | LAST | ANSWERED);
    traits(READ_RESPONSE_FIRST, RESPONSE | READ_RESPONSE | FIRST);
    traits(READ_RESPONSE_MIDDLE, RESPONSE | READ_RESPONSE);
    traits(READ_RESPONSE_LAST, RESPONSE | READ_RESPONSE | LAST);
    traits(READ_RESPONSE_ONLY, RESPONSE | READ_RESPONSE | FIRST | LAST);
    traits(ACKNOWLEDGE, RESPONSE | FIRST | LAST);
    traits(ATOMIC_ACKNOWLEDGE, RESPONSE | FIRST | LAST);
  }

  private BthOpcode() {}

  private static void traits(int operation, int traits) {
    TRAITS[operation] = (short) traits;
  }

  private static boolean is(int opcode, int trait) {
    return (TRAITS[opcode & OPERATION_MASK] & trait) != 0;
  }

  // ---- composing

  /**
   * Bits 7–5 of a service's opcodes.
   *
   * @throws IllegalArgumentException for a service that has none in public
   */
  public static int service(ServiceType service) {
    return switch (service) {
      case RC -> RC;
      case UC -> UC;
      case UD -> UD;
      case XRC -> XRC;
      case DCI -> DC;
      case RAW -> throw new IllegalArgumentException("%s has no BTH opcodes".formatted(service));
    };
  }

  /**
   * The operation that carries a part of a SEND or RDMA WRITE.
   *
   * @param wqeOpcode see {@link WqeOpcode}
   * @param first whether the part starts the message
   * @param last whether it ends it
   */
  public static int part(int wqeOpcode, boolean first, boolean last) {
    boolean write = wqeOpcode == WqeOpcode.RDMA_WRITE || wqeOpcode == WqeOpcode.RDMA_WRITE_IMM;
    int base = write ? WRITE_FIRST : SEND_FIRST;
    if (!last) {
      return first ? base : base + 1;
    }
    int end = base + (first ? SEND_ONLY : SEND_LAST);
    return switch (wqeOpcode) {
      case WqeOpcode.SEND_IMM, WqeOpcode.RDMA_WRITE_IMM -> end + 1;
      case WqeOpcode.SEND_INVAL -> first ? SEND_ONLY_INVALIDATE : SEND_LAST_INVALIDATE;
      default -> end;
    };
  }

  /** The operation that carries a part of a READ's answer. */
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

  /** True for an opcode of a service, which has eight bits. */
  public static boolean isOf(int opcode, ServiceType service) {
    return (opcode & ~OPERATION_MASK) == service(service);
  }

  /** The service of an opcode. */
  public static String serviceName(int opcode) {
    return switch (opcode & SERVICE_MASK) {
      case RC -> "RC";
      case UC -> "UC";
      case UD -> "UD";
      case XRC -> "XRC";
      case DC -> "DCI";
      default -> "0x%02x".formatted(opcode & SERVICE_MASK);
    };
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

  /** True for requests whose answer brings data: READs and atomics. */
  public static boolean isAnswered(int opcode) {
    return is(opcode, ANSWERED);
  }

  /** True for what a responder sends. */
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

  /** True when an IETH comes with it: the key to invalidate. */
  public static boolean hasInvalidate(int opcode) {
    return is(opcode, INVALIDATE);
  }

  /** The name of the work request that an opcode carries or answers, as in {@link WqeOpcode}. */
  public static String name(int opcode) {
    return switch (opcode & OPERATION_MASK) {
      case READ_REQUEST -> "RDMA_READ";
      case COMPARE_SWAP -> "ATOMIC_CS";
      case FETCH_ADD -> "ATOMIC_FA";
      default -> partName(opcode);
    };
  }

  private static String partName(int opcode) {
    if (opcode == (DC | DISCONNECT)) {
      return "DISCONNECT";
    }
    if (!isSend(opcode) && !isWrite(opcode)) {
      return isResponse(opcode) ? "response" : "0x%02x".formatted(opcode);
    }
    return (isSend(opcode) ? "SEND" : "RDMA_WRITE")
        + (hasImmediate(opcode) ? "_IMM" : "")
        + (hasInvalidate(opcode) ? "_INVAL" : "");
  }
}
