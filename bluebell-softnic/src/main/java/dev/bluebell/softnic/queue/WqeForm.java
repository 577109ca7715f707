package dev.bluebell.softnic.queue;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.WqeOpcode;

/**
 * The form of the send WQEs that each service executes: which segments an opcode has, and whether a
 * WQE has them.
 */
public final class WqeForm {
  /** log_msg_max of the capabilities: no message is longer than 2^30 bytes. */
  private static final long MAX_MESSAGE = 1L << 30;

  private static final int UNIT = ControlSegment.BYTES;

  /** Bytes in front of the data segments of a datagram. */
  public static final int DATAGRAM_FIXED_BYTES = ControlSegment.BYTES + AddressVector.BYTES;

  // By opcode, the bytes in front of the data segments; 0 for opcodes that are not executed.
  private static final byte[] FIXED_BYTES = new byte[256];
  private static final byte[] FIXED_BYTES_OF_UC = new byte[256];
  private static final byte[] FIXED_BYTES_OF_UD = new byte[256];

  static {
    int message = ControlSegment.BYTES;
    int remote = message + RemoteAddressSegment.BYTES;
    int atomic = remote + AtomicSegment.BYTES;
    FIXED_BYTES[WqeOpcode.NOP] = (byte) message;
    FIXED_BYTES[WqeOpcode.SEND] = (byte) message;
    FIXED_BYTES[WqeOpcode.SEND_IMM] = (byte) message;
    FIXED_BYTES[WqeOpcode.SEND_INVAL] = (byte) message;
    FIXED_BYTES[WqeOpcode.RDMA_WRITE] = (byte) remote;
    FIXED_BYTES[WqeOpcode.RDMA_WRITE_IMM] = (byte) remote;
    FIXED_BYTES[WqeOpcode.RDMA_READ] = (byte) remote;
    FIXED_BYTES[WqeOpcode.ATOMIC_CS] = (byte) atomic;
    FIXED_BYTES[WqeOpcode.ATOMIC_FA] = (byte) atomic;
    FIXED_BYTES_OF_UC[WqeOpcode.NOP] = (byte) message;
    FIXED_BYTES_OF_UC[WqeOpcode.SEND] = (byte) message;
    FIXED_BYTES_OF_UC[WqeOpcode.SEND_IMM] = (byte) message;
    FIXED_BYTES_OF_UC[WqeOpcode.RDMA_WRITE] = (byte) remote;
    FIXED_BYTES_OF_UC[WqeOpcode.RDMA_WRITE_IMM] = (byte) remote;
    FIXED_BYTES_OF_UD[WqeOpcode.NOP] = (byte) message;
    FIXED_BYTES_OF_UD[WqeOpcode.SEND] = (byte) DATAGRAM_FIXED_BYTES;
    FIXED_BYTES_OF_UD[WqeOpcode.SEND_IMM] = (byte) DATAGRAM_FIXED_BYTES;
  }

  private WqeForm() {}

  /** Bytes in front of the data segments of a connection's WQE with this opcode, 0–255. */
  public static int fixedBytes(int opcode) {
    return FIXED_BYTES[opcode & 0xff];
  }

  /**
   * True for the opcodes whose answer carries data: they are limited in number, and a fence waits
   * for them.
   */
  public static boolean fetches(int opcode) {
    return opcode == WqeOpcode.RDMA_READ
        || opcode == WqeOpcode.ATOMIC_CS
        || opcode == WqeOpcode.ATOMIC_FA;
  }

  /**
   * Checks the form of a WQE of a reliable connection.
   *
   * @param at address of the device's snapshot of it
   * @param first first word of its control segment
   * @param control its fm_ce_se
   * @return length of its message; 0 with {@code fault} set when its form is wrong
   */
  public static long messageLength(long at, long first, int control, Fault fault) {
    return length(FIXED_BYTES, "an RC", MAX_MESSAGE, at, first, control, fault);
  }

  /** As {@link #messageLength}, of an unreliable connection. */
  public static long unreliableLength(long at, long first, int control, Fault fault) {
    return length(FIXED_BYTES_OF_UC, "a UC", MAX_MESSAGE, at, first, control, fault);
  }

  /**
   * As {@link #messageLength}, of a datagram.
   *
   * @param mtu bytes that a datagram may have
   */
  public static long datagramLength(long at, long first, int control, int mtu, Fault fault) {
    return length(FIXED_BYTES_OF_UD, "a UD", mtu, at, first, control, fault);
  }

  private static long length(
      byte[] table, String service, long limit, long at, long first, int control, Fault fault) {
    int opcode = ControlSegment.opcode(first);
    int bytes = ControlSegment.ds(first) * UNIT;
    int fixed = table[opcode];
    boolean badControl =
        (control & ControlSegment.FENCE_MASK) > ControlSegment.FENCE_SMALL_AND_FENCE;
    if (fixed == 0 || bytes < fixed || badControl || ControlSegment.opmod(first) != 0) {
      return malformed(service, first, control, fixed, fault);
    }
    if (opcode == WqeOpcode.NOP || bytes == fixed && !fetches(opcode)) {
      return 0;
    }
    return dataLength(at + fixed, at + bytes, opcode, limit, fault);
  }

  private static long dataLength(long from, long to, int opcode, long limit, Fault fault) {
    long length = DataSegments.measure(from, to, !fetches(opcode), fault);
    if (length < 0) {
      return 0;
    }
    if (opcode == WqeOpcode.ATOMIC_CS || opcode == WqeOpcode.ATOMIC_FA) {
      return atomicLength(length, to - from, fault);
    }
    return length <= limit ? length : tooLong(length, limit, fault);
  }

  private static long atomicLength(long length, long bytes, Fault fault) {
    if (bytes == DataSegment.BYTES && length == AtomicSegment.OPERAND_BYTES) {
      return length;
    }
    fault.set(
        Syndrome.LOCAL_LENGTH_ERR,
        VendorSyndrome.UNKNOWN,
        "an atomic needs exactly one data segment with byte_count 8 (ds 4), not %d with byte_count %d"
            .formatted(bytes / DataSegment.BYTES, length));
    return 0;
  }

  private static long tooLong(long length, long limit, Fault fault) {
    fault.set(
        Syndrome.LOCAL_LENGTH_ERR,
        VendorSyndrome.UNKNOWN,
        "the byte_count of its data segments adds up to %d, more than the %s"
            .formatted(
                length,
                limit == MAX_MESSAGE
                    ? "2^30 bytes of a message"
                    : "%d bytes of a datagram (mtu)".formatted(limit)));
    return 0;
  }

  private static long malformed(String service, long first, int control, int fixed, Fault fault) {
    String name = WqeOpcode.name(ControlSegment.opcode(first));
    String why;
    if (fixed == 0) {
      why =
          "opcode %s is not one that %s send queue of this device executes"
              .formatted(name, service);
    } else if (ControlSegment.opmod(first) != 0) {
      why =
          "opmod %d is not one that opcode %s has here; it must be 0"
              .formatted(ControlSegment.opmod(first), name);
    } else if (ControlSegment.ds(first) * UNIT < fixed) {
      why =
          "ds %d is too small for opcode %s, whose fixed segments alone are %d units of 16 bytes"
              .formatted(ControlSegment.ds(first), name, fixed / UNIT);
    } else {
      why =
          "fm_ce_se 0x%02x has the fence mode %d, which is reserved"
              .formatted(control, control >>> 5);
    }
    fault.set(Syndrome.LOCAL_QP_OP_ERR, VendorSyndrome.UNKNOWN, why);
    return 0;
  }
}
