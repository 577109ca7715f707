package dev.bluebell.softnic.queue;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.hca.wqe.WqeSegment;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the fetched WQEs of one kind of send queue, and checks each against the table of forms
 * ({@link WqeForm}). Stateless once made.
 */
public final class WqeDecoder {
  /** log_msg_max of the capabilities: no message is longer than 2^30 bytes. */
  public static final long MAX_MESSAGE = 1L << 30;

  private static final int UNIT = ControlSegment.BYTES;
  private static final int OPCODES = 256;

  private final String service;
  private final boolean isOfDatagrams;
  // By opcode; null where the queue does not execute it.
  private final @Nullable Opmods[] opmods = new Opmods[OPCODES];

  /** The forms of one opcode by opmod; null for an opmod without a form. */
  private record Opmods(SendWqe.@Nullable Places[] forms) {
    SendWqe.@Nullable Places find(int opmod) {
      return opmod < forms.length ? forms[opmod] : null;
    }

    Opmods withCompactVectors() {
      SendWqe.@Nullable Places[] both = new SendWqe.Places[forms.length];
      for (int opmod = 0; opmod < forms.length; opmod++) {
        SendWqe.Places whole = forms[opmod];
        both[opmod] = whole == null ? null : whole.withCompactVector();
      }
      return new Opmods(both);
    }

    String names() {
      return IntStream.range(0, forms.length)
          .filter(opmod -> forms[opmod] != null)
          .mapToObj(Integer::toString)
          .collect(Collectors.joining(" or "));
    }
  }

  /**
   * Makes a decoder for address vectors of 48 bytes.
   *
   * @param opcodes that the queue executes: masked atomics in all their sizes, MMO as DMA, WAIT in
   *     all its forms, others with opmod 0
   */
  public WqeDecoder(ServiceType service, int... opcodes) {
    isOfDatagrams = service == ServiceType.UD;
    this.service = Counted.a(service.toString());
    for (int opcode : opcodes) {
      int[] executed = executedOpmods(opcode);
      SendWqe.@Nullable Places[] forms = new SendWqe.Places[executed[executed.length - 1] + 1];
      for (int opmod : executed) {
        WqeForm form = WqeForm.of(service, opcode, opmod);
        if (form == null) {
          throw new IllegalArgumentException(
              "%s has no request with opcode %s".formatted(service, WqeOpcode.name(opcode)));
        }
        forms[opmod] = places(form);
      }
      opmods[opcode] = new Opmods(forms);
    }
  }

  private WqeDecoder(String service, boolean isOfDatagrams) {
    this.service = service;
    this.isOfDatagrams = isOfDatagrams;
  }

  private static int[] executedOpmods(int opcode) {
    return switch (opcode) {
      case WqeOpcode.ATOMIC_MASKED_CS, WqeOpcode.ATOMIC_MASKED_FA ->
          new int[] {WqeForm.MASKED_ATOMIC_4, WqeForm.MASKED_ATOMIC_8, WqeForm.MASKED_ATOMIC_16};
      case WqeOpcode.MMO -> new int[] {WqeForm.MMO_DMA};
      case WqeOpcode.WAIT -> new int[] {0, WqeForm.WAIT_ON_DATA, WqeForm.WAIT_ON_TIME};
      default -> new int[] {0};
    };
  }

  private static SendWqe.Places places(WqeForm form) {
    List<WqeSegment> segments = form.segments();
    int operand = form.offset(WqeSegment.TAG_MATCHING);
    int maskedBytes = 0;
    for (WqeSegment segment : segments) {
      int bytes = maskedBytes(segment);
      if (bytes > 0
          || segment == WqeSegment.COMPARE_SWAP
          || segment == WqeSegment.FETCH_ADD
          || segment == WqeSegment.UMR
          || segment == WqeSegment.MMO
          || segment == WqeSegment.TRANSPOSE
          || segment == WqeSegment.WAIT
          || segment == WqeSegment.WAIT_VALUE
          || segment == WqeSegment.ENABLE) {
        operand = form.offset(segment);
        maskedBytes = bytes;
      }
    }
    int address =
        Math.max(form.offset(WqeSegment.ADDRESS_VECTOR), form.offset(WqeSegment.DC_ADDRESS_VECTOR));
    return new SendWqe.Places(
        address,
        form.offset(WqeSegment.REMOTE_ADDRESS),
        operand,
        maskedBytes,
        segments.getLast().isList() ? form.fixedBytes() : -1,
        form.fixedBytes(),
        form.isAnswered(),
        null);
  }

  /** The same decoder for a port that also accepts address vectors of 16 bytes. */
  public WqeDecoder withCompactVectors() {
    WqeDecoder other = new WqeDecoder(service, isOfDatagrams);
    for (int opcode = 0; opcode < OPCODES; opcode++) {
      Opmods whole = opmods[opcode];
      other.opmods[opcode] = whole == null ? null : whole.withCompactVectors();
    }
    return other;
  }

  private static int maskedBytes(WqeSegment segment) {
    return switch (segment) {
      case MASKED_COMPARE_SWAP_4, MASKED_FETCH_ADD_4 -> 4;
      case MASKED_COMPARE_SWAP_8, MASKED_FETCH_ADD_8 -> 8;
      case MASKED_COMPARE_SWAP_16, MASKED_FETCH_ADD_16 -> 16;
      default -> 0;
    };
  }

  /**
   * Decodes the WQE whose snapshot was fetched at an index.
   *
   * @param limit bytes that a message of the queue may have
   * @param into receives the decoded WQE; only its control segment when the form is wrong and
   *     {@code fault} is set
   */
  public void decode(SendQueue queue, int index, long limit, SendWqe into, Fault fault) {
    long at = queue.snapshot(index);
    long first = Memory.getLong(at);
    long second = Memory.getLong(at + 8);
    into.decode(index, at, first, second);
    if (queue.isSigned() && !isRightlySigned(at, second, into, fault)) {
      return;
    }
    Opmods executed = opmods[into.opcode()];
    SendWqe.Places found = executed == null ? null : executed.find(queue.opmod(first));
    int bytes = into.ds() * UNIT;
    if (found != null && found.compact() != null && isCompact(at + found.address(), at + bytes)) {
      found = found.compact();
    }
    if (found == null
        || bytes < found.fixedBytes()
        || into.fence() > ControlSegment.FENCE_SMALL_AND_FENCE) {
      malformed(first, into, executed, found, fault);
      return;
    }
    into.place(found);
    if (into.opcode() == WqeOpcode.MMO || into.opcode() == WqeOpcode.LOCAL_MMO) {
      into.setBytes(copyLength(into, limit, fault));
      return;
    }
    // The buffer of a tag and a translation are not messages, and may be empty.
    if (found.list() >= 0
        && (bytes > found.fixedBytes() || found.answered())
        && into.opcode() != WqeOpcode.TAG_MATCHING
        && into.opcode() != WqeOpcode.UMR) {
      into.setBytes(length(into, limit, fault));
    }
  }

  private static boolean isCompact(long addressVector, long end) {
    return addressVector + AddressVector.COMPACT_BYTES <= end
        && !AddressVector.isExtended(
            Memory.getLong(addressVector + AddressVector.DESTINATION_WORD));
  }

  private static boolean isRightlySigned(long at, long second, SendWqe wqe, Fault fault) {
    long sum = Signatures.sum(at, at + (long) wqe.ds() * UNIT);
    if (Signatures.isRight(sum)) {
      return true;
    }
    int found = ControlSegment.signature(second);
    fault.set(
        Syndrome.LOCAL_QP_OP_ERR,
        "signature 0x%02x in the control segment should be 0x%02x for the WQE's bytes (wq_signature is 1)"
            .formatted(found, Signatures.expected(sum, found)));
    return false;
  }

  private int length(SendWqe wqe, long limit, Fault fault) {
    long length = DataSegments.measure(wqe.list(), wqe.listEnd(), !wqe.isAnswered(), fault);
    if (length < 0) {
      return 0;
    }
    if (wqe.isAnswered() && wqe.opcode() != WqeOpcode.RDMA_READ) {
      return atomicLength(wqe, length, fault);
    }
    return length <= limit ? (int) length : tooLong(length, limit, fault);
  }

  private static int atomicLength(SendWqe wqe, long length, Fault fault) {
    long bytes = wqe.listEnd() - wqe.list();
    int operand = wqe.maskedBytes() == 0 ? AtomicSegment.OPERAND_BYTES : wqe.maskedBytes();
    if (bytes == DataSegment.BYTES && length == operand) {
      return operand;
    }
    fault.set(
        Syndrome.LOCAL_LENGTH_ERR,
        "an atomic needs exactly one data segment with byte_count %d (ds %d), not %d with byte_count %s"
            .formatted(
                operand,
                wqe.ds() - bytes / UNIT + 1,
                bytes / DataSegment.BYTES,
                length == DataSegment.ZERO_LENGTH ? "0, which means 2 GiB" : length));
    return 0;
  }

  private int copyLength(SendWqe wqe, long limit, Fault fault) {
    long at = wqe.list();
    boolean isPair = wqe.listEnd() - at == 2 * DataSegment.BYTES;
    long source = isPair ? Memory.getLong(at) : -1;
    long target = isPair ? Memory.getLong(at + DataSegment.BYTES) : -1;
    long length = DataSegment.length(source);
    if (source < 0 || target < 0 || length != DataSegment.length(target)) {
      fault.set(
          Syndrome.LOCAL_LENGTH_ERR,
          "opcode %s needs exactly two data segments with the same byte_count, the source and the destination (ds 4)"
              .formatted(WqeOpcode.name(wqe.opcode())));
      return 0;
    }
    return length <= limit ? (int) length : tooLong(length, limit, fault);
  }

  private int tooLong(long length, long limit, Fault fault) {
    fault.set(
        Syndrome.LOCAL_LENGTH_ERR,
        "the byte_count of its data segments adds up to %d, more than the %s%s"
            .formatted(
                length,
                limit == MAX_MESSAGE
                    ? "2^30 bytes of a message"
                    : (isOfDatagrams
                            ? "%d bytes of a datagram (mtu)"
                            : "%d bytes that log_msg_max of the queue pair allows")
                        .formatted(limit),
                length >= DataSegment.ZERO_LENGTH ? "; byte_count 0 means 2 GiB" : ""));
    return 0;
  }

  private void malformed(
      long first,
      SendWqe wqe,
      @Nullable Opmods executed,
      SendWqe.@Nullable Places found,
      Fault fault) {
    String name = WqeOpcode.name(wqe.opcode());
    String why;
    if (executed == null) {
      why = "opcode %s is not supported by %s send queue of this device".formatted(name, service);
    } else if (found == null) {
      why =
          "opmod %d is not valid for opcode %s here; it must be %s"
              .formatted(ControlSegment.opmod(first), name, executed.names());
    } else if (wqe.ds() * UNIT < found.fixedBytes()) {
      why =
          "ds %d is too small for opcode %s, whose fixed segments alone are %d units of 16 bytes"
              .formatted(wqe.ds(), name, found.fixedBytes() / UNIT);
    } else {
      why =
          "fm_ce_se 0x%02x has the fence mode %d, which is reserved"
              .formatted(wqe.control(), wqe.fence() >>> 5);
    }
    fault.set(Syndrome.LOCAL_QP_OP_ERR, why);
  }
}
