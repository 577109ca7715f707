package dev.bluebell.softnic.packet;

import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.BthOpcode;

/** Packet opcodes ({@link BthOpcode}) for the work requests and services of the device. */
public final class Opcodes {
  /** A dynamically connected initiator leaves its target; unanswered. */
  public static final int DISCONNECT = 0x1f;

  /** The opcodes and headers that a ConnectX uses for dynamic connections are not public. */
  private static final int DC = BthOpcode.MANUFACTURERS;

  private Opcodes() {}

  // ---- composing

  /**
   * Bits 7–5 of a service's opcodes.
   *
   * @throws IllegalArgumentException for a service without BTH opcodes
   */
  public static int service(ServiceType service) {
    return switch (service) {
      case RC -> BthOpcode.RC;
      case UC -> BthOpcode.UC;
      case UD -> BthOpcode.UD;
      case XRC -> BthOpcode.XRC;
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
    int base = write ? BthOpcode.WRITE_FIRST : BthOpcode.SEND_FIRST;
    if (!last) {
      return first ? base : base + 1;
    }
    int end = base + (first ? BthOpcode.SEND_ONLY : BthOpcode.SEND_LAST);
    return switch (wqeOpcode) {
      case WqeOpcode.SEND_IMM, WqeOpcode.RDMA_WRITE_IMM -> end + 1;
      case WqeOpcode.SEND_INVAL ->
          first ? BthOpcode.SEND_ONLY_INVALIDATE : BthOpcode.SEND_LAST_INVALIDATE;
      default -> end;
    };
  }

  // ---- parsing

  /** True when an 8-bit opcode belongs to a service. */
  public static boolean isOf(int opcode, ServiceType service) {
    return (opcode & ~BthOpcode.OPERATION_MASK) == service(service);
  }

  /** The service of an opcode. */
  public static String serviceName(int opcode) {
    return BthOpcode.service(opcode) == DC ? "DCI" : BthOpcode.serviceName(opcode);
  }

  /** The name of the work request that an opcode carries or answers, as in {@link WqeOpcode}. */
  public static String name(int opcode) {
    return switch (opcode & BthOpcode.OPERATION_MASK) {
      case BthOpcode.READ_REQUEST -> "RDMA_READ";
      case BthOpcode.COMPARE_SWAP -> "ATOMIC_CS";
      case BthOpcode.FETCH_ADD -> "ATOMIC_FA";
      default -> partName(opcode);
    };
  }

  private static String partName(int opcode) {
    if (opcode == (DC | DISCONNECT)) {
      return "DISCONNECT";
    }
    if (!BthOpcode.isSend(opcode) && !BthOpcode.isWrite(opcode)) {
      return BthOpcode.isResponse(opcode) ? "response" : "0x%02x".formatted(opcode);
    }
    return (BthOpcode.isSend(opcode) ? "SEND" : "RDMA_WRITE")
        + (BthOpcode.hasImmediate(opcode) ? "_IMM" : "")
        + (BthOpcode.hasInvalidate(opcode) ? "_INVAL" : "");
  }
}
