package dev.bluebell.softnic.queue;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.hca.wqe.WqeSegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the fetched WQEs of one kind of send queue, and checks that each has the form that the
 * table of forms ({@link WqeForm}) says. Stateless once made.
 */
public final class WqeDecoder {
  /** log_msg_max of the capabilities: no message is longer than 2^30 bytes. */
  public static final long MAX_MESSAGE = 1L << 30;

  private static final int UNIT = ControlSegment.BYTES;
  private static final int OPCODES = 256;

  private final String service;
  // By opcode; fixed bytes are 0 where the opcode is not executed.
  private final int[] fixedBytes = new int[OPCODES];
  private final SendWqe.@Nullable Places[] places = new SendWqe.Places[OPCODES];

  /**
   * @param opcodes that the queue executes, each with opmod 0
   */
  public WqeDecoder(ServiceType service, int... opcodes) {
    this.service = (service == ServiceType.RC ? "an " : "a ") + service;
    for (int opcode : opcodes) {
      WqeForm form = WqeForm.of(service, opcode, 0);
      if (form == null) {
        throw new IllegalArgumentException(
            "%s has no request with opcode %s".formatted(service, WqeOpcode.name(opcode)));
      }
      fixedBytes[opcode] = form.fixedBytes();
      places[opcode] = places(form);
    }
  }

  private static SendWqe.Places places(WqeForm form) {
    int operand =
        Math.max(
            form.offset(WqeSegment.TAG_MATCHING),
            Math.max(form.offset(WqeSegment.COMPARE_SWAP), form.offset(WqeSegment.FETCH_ADD)));
    List<WqeSegment> segments = form.segments();
    return new SendWqe.Places(
        Math.max(form.offset(WqeSegment.ADDRESS_VECTOR), form.offset(WqeSegment.DC_ADDRESS_VECTOR)),
        form.offset(WqeSegment.REMOTE_ADDRESS),
        operand,
        segments.getLast().isList() ? form.fixedBytes() : -1,
        form.isAnswered());
  }

  /**
   * Decodes the WQE whose snapshot was fetched at an index.
   *
   * @param limit bytes that a message of the queue may have
   * @param into decoded as far as its control segment when {@code fault} is set afterwards, because
   *     the form is wrong
   */
  public void decode(SendQueue queue, int index, long limit, SendWqe into, Fault fault) {
    long at = queue.snapshot(index);
    long first = Memory.getLong(at);
    long second = Memory.getLong(at + 8);
    into.decode(index, at, first, second);
    int opcode = into.opcode();
    int fixed = fixedBytes[opcode];
    int bytes = into.ds() * UNIT;
    SendWqe.Places found = places[opcode];
    if (found == null
        || bytes < fixed
        || into.fence() > ControlSegment.FENCE_SMALL_AND_FENCE
        || ControlSegment.opmod(first) != 0) {
      malformed(first, into, fixed, fault);
      return;
    }
    into.place(found);
    // The buffer of a tag is no message, and may be empty.
    if (found.list() >= 0
        && (bytes > fixed || found.answered())
        && opcode != WqeOpcode.TAG_MATCHING) {
      into.setBytes(length(into, limit, fault));
    }
  }

  private static int length(SendWqe wqe, long limit, Fault fault) {
    long length = DataSegments.measure(wqe.list(), wqe.listEnd(), !wqe.isAnswered(), fault);
    if (length < 0) {
      return 0;
    }
    if (wqe.isAnswered() && wqe.opcode() != WqeOpcode.RDMA_READ) {
      return atomicLength(length, wqe.listEnd() - wqe.list(), fault);
    }
    return length <= limit ? (int) length : tooLong(length, limit, fault);
  }

  private static int atomicLength(long length, long bytes, Fault fault) {
    if (bytes == DataSegment.BYTES && length == AtomicSegment.OPERAND_BYTES) {
      return (int) length;
    }
    fault.set(
        Syndrome.LOCAL_LENGTH_ERR,
        VendorSyndrome.UNKNOWN,
        "an atomic needs exactly one data segment with byte_count 8 (ds 4), not %d with byte_count %s"
            .formatted(
                bytes / DataSegment.BYTES,
                length == DataSegment.ZERO_LENGTH ? "0, which means 2 GiB" : length));
    return 0;
  }

  private static int tooLong(long length, long limit, Fault fault) {
    fault.set(
        Syndrome.LOCAL_LENGTH_ERR,
        VendorSyndrome.UNKNOWN,
        "the byte_count of its data segments adds up to %d, more than the %s%s"
            .formatted(
                length,
                limit == MAX_MESSAGE
                    ? "2^30 bytes of a message"
                    : "%d bytes of a datagram (mtu)".formatted(limit),
                length >= DataSegment.ZERO_LENGTH ? "; byte_count 0 means 2 GiB" : ""));
    return 0;
  }

  private void malformed(long first, SendWqe wqe, int fixed, Fault fault) {
    String name = WqeOpcode.name(wqe.opcode());
    int opmod = ControlSegment.opmod(first);
    String why;
    if (fixed == 0) {
      why =
          "opcode %s is not one that %s send queue of this device executes"
              .formatted(name, service);
    } else if (opmod != 0) {
      why = "opmod %d is not one that opcode %s has here; it must be 0".formatted(opmod, name);
    } else if (wqe.ds() * UNIT < fixed) {
      why =
          "ds %d is too small for opcode %s, whose fixed segments alone are %d units of 16 bytes"
              .formatted(wqe.ds(), name, fixed / UNIT);
    } else {
      why =
          "fm_ce_se 0x%02x has the fence mode %d, which is reserved"
              .formatted(wqe.control(), wqe.fence() >>> 5);
    }
    fault.set(Syndrome.LOCAL_QP_OP_ERR, VendorSyndrome.UNKNOWN, why);
  }
}
