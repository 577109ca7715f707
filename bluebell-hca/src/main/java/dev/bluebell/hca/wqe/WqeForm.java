package dev.bluebell.hca.wqe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The form of a send work queue entry: its segments in order, which depend on the service of its
 * queue pair, its opcode and its opmod. Code that writes, executes or describes entries uses this
 * single table of forms. It mirrors the entries that rdma-core's {@code qp.c} builds, and UCX for
 * masked atomics; the device decides what a request with a form may do.
 *
 * <p>Immutable.
 */
public final class WqeForm {
  private static final int OPCODES = 256;

  /** Opmod of a masked atomic on 4 bytes; the next two are for 8 and 16 bytes. */
  public static final int MASKED_ATOMIC_4 = 0x08;

  public static final int MASKED_ATOMIC_8 = 0x09;
  public static final int MASKED_ATOMIC_16 = 0x0a;

  /** Opmod of TSO that makes it a multi-packet entry, {@code mlx5_prm.h: MLX5_OPC_MOD_MPW}. */
  public static final int MULTI_PACKET = 1;

  /** Opmods of WAIT: until a value in memory, or the clock, meets a condition. */
  public static final int WAIT_ON_DATA = 1;

  public static final int WAIT_ON_TIME = 2;

  /** Opmods of MMO, {@code mlx5_prm.h: MLX5_OPC_MOD_MMO_*}. */
  public static final int MMO_DMA = 1;

  public static final int MMO_COMPRESS = 2;
  public static final int MMO_DECOMPRESS = 3;
  public static final int MMO_REGEX = 4;

  // By service and opcode; null where the service has no such request.
  private static final @Nullable WqeForm[][] PLAIN =
      new WqeForm[ServiceType.values().length][OPCODES];

  // Forms that depend on an opmod, by service, opmod and opcode.
  private static final Map<Integer, WqeForm> MODIFIED = new HashMap<>();

  private final List<WqeSegment> segments;
  private final int fixedBytes;
  private final boolean answered;

  static {
    for (ServiceType service : ServiceType.values()) {
      add(service, WqeOpcode.NOP);
    }
    for (ServiceType service : List.of(ServiceType.RC, ServiceType.XRC, ServiceType.DCI)) {
      List<WqeSegment> to = addressing(service);
      messages(service, to);
      add(service, WqeOpcode.SEND_INVAL, to, WqeSegment.GATHER);
      writes(service, to);
      fetches(service, to);
      local(service);
    }
    messages(ServiceType.UC, List.of());
    // No packet of an unreliable connection invalidates a key, but libmlx5 posts the request.
    add(ServiceType.UC, WqeOpcode.SEND_INVAL, List.of(), WqeSegment.GATHER);
    writes(ServiceType.UC, List.of());
    local(ServiceType.UC);
    messages(ServiceType.UD, addressing(ServiceType.UD));
    local(ServiceType.UD);
    List<WqeSegment> ethernet = addressing(ServiceType.RAW);
    messages(ServiceType.RAW, ethernet);
    add(ServiceType.RAW, WqeOpcode.TSO, ethernet, WqeSegment.GATHER);
    add(ServiceType.RAW, WqeOpcode.TSO, MULTI_PACKET, ethernet, WqeSegment.GATHER);
    add(ServiceType.RAW, WqeOpcode.ENHANCED_MPSW, ethernet, WqeSegment.GATHER);
    local(ServiceType.RAW);
  }

  private WqeForm(List<WqeSegment> segments) {
    this.segments = List.copyOf(segments);
    fixedBytes = segments.stream().mapToInt(WqeSegment::bytes).sum();
    answered = segments.getLast() == WqeSegment.SCATTER;
  }

  // ---- the table

  private static List<WqeSegment> addressing(ServiceType service) {
    return switch (service) {
      case RC, UC -> List.of();
      case XRC -> List.of(WqeSegment.XRC);
      case UD -> List.of(WqeSegment.ADDRESS_VECTOR);
      case DCI -> List.of(WqeSegment.DC_ADDRESS_VECTOR);
      case RAW -> List.of(WqeSegment.ETHERNET);
    };
  }

  private static void messages(ServiceType service, List<WqeSegment> to) {
    add(service, WqeOpcode.SEND, to, WqeSegment.GATHER);
    add(service, WqeOpcode.SEND_IMM, to, WqeSegment.GATHER);
  }

  private static void writes(ServiceType service, List<WqeSegment> to) {
    add(service, WqeOpcode.RDMA_WRITE, to, WqeSegment.REMOTE_ADDRESS, WqeSegment.GATHER);
    add(service, WqeOpcode.RDMA_WRITE_IMM, to, WqeSegment.REMOTE_ADDRESS, WqeSegment.GATHER);
  }

  private static void fetches(ServiceType service, List<WqeSegment> to) {
    add(service, WqeOpcode.RDMA_READ, to, WqeSegment.REMOTE_ADDRESS, WqeSegment.SCATTER);
    atomic(service, WqeOpcode.ATOMIC_CS, 0, to, WqeSegment.COMPARE_SWAP);
    atomic(service, WqeOpcode.ATOMIC_FA, 0, to, WqeSegment.FETCH_ADD);
    int swap = WqeOpcode.ATOMIC_MASKED_CS;
    atomic(service, swap, MASKED_ATOMIC_4, to, WqeSegment.MASKED_COMPARE_SWAP_4);
    atomic(service, swap, MASKED_ATOMIC_8, to, WqeSegment.MASKED_COMPARE_SWAP_8);
    atomic(service, swap, MASKED_ATOMIC_16, to, WqeSegment.MASKED_COMPARE_SWAP_16);
    int add = WqeOpcode.ATOMIC_MASKED_FA;
    atomic(service, add, MASKED_ATOMIC_4, to, WqeSegment.MASKED_FETCH_ADD_4);
    atomic(service, add, MASKED_ATOMIC_8, to, WqeSegment.MASKED_FETCH_ADD_8);
    atomic(service, add, MASKED_ATOMIC_16, to, WqeSegment.MASKED_FETCH_ADD_16);
  }

  private static void atomic(
      ServiceType service, int opcode, int opmod, List<WqeSegment> to, WqeSegment operands) {
    add(service, opcode, opmod, to, WqeSegment.REMOTE_ADDRESS, operands, WqeSegment.SCATTER);
  }

  // Requests that concern this device alone have no addressing.
  private static void local(ServiceType service) {
    List<WqeSegment> none = List.of();
    add(service, WqeOpcode.WAIT, none, WqeSegment.WAIT);
    add(service, WqeOpcode.WAIT, WAIT_ON_DATA, none, WqeSegment.WAIT_VALUE);
    add(service, WqeOpcode.WAIT, WAIT_ON_TIME, none, WqeSegment.WAIT_VALUE);
    add(service, WqeOpcode.SEND_EN, none, WqeSegment.ENABLE);
    add(service, WqeOpcode.RECV_EN, none, WqeSegment.ENABLE);
    add(service, WqeOpcode.SET_PSV, none, WqeSegment.PSV);
    add(service, WqeOpcode.DUMP, none, WqeSegment.GATHER);
    add(service, WqeOpcode.UMR, none, WqeSegment.UMR, WqeSegment.MKEY, WqeSegment.TRANSLATION);
    add(service, WqeOpcode.TAG_MATCHING, none, WqeSegment.TAG_MATCHING, WqeSegment.SCATTER);
    add(service, WqeOpcode.LOCAL_MMO, none, WqeSegment.TRANSPOSE, WqeSegment.GATHER);
    for (int opmod : new int[] {MMO_DMA, MMO_COMPRESS, MMO_DECOMPRESS, MMO_REGEX}) {
      add(service, WqeOpcode.MMO, opmod, none, WqeSegment.MMO, WqeSegment.GATHER);
    }
  }

  private static void add(ServiceType service, int opcode) {
    add(service, opcode, 0, List.of());
  }

  private static void add(
      ServiceType service, int opcode, List<WqeSegment> to, WqeSegment... behind) {
    add(service, opcode, 0, to, behind);
  }

  private static void add(
      ServiceType service, int opcode, int opmod, List<WqeSegment> to, WqeSegment... behind) {
    List<WqeSegment> segments = new ArrayList<>();
    segments.add(WqeSegment.CONTROL);
    segments.addAll(to);
    segments.addAll(List.of(behind));
    WqeForm form = new WqeForm(segments);
    if (opmod == 0) {
      PLAIN[service.ordinal()][opcode] = form;
    } else {
      MODIFIED.put(key(service, opcode, opmod), form);
    }
  }

  private static int key(ServiceType service, int opcode, int opmod) {
    return service.ordinal() << 16 | opmod << 8 | opcode;
  }

  // ---- look-up

  /**
   * The form of an entry; null when the service has no such request.
   *
   * @param opcode 0–255
   * @param opmod 0–255
   */
  public static @Nullable WqeForm of(ServiceType service, int opcode, int opmod) {
    return opmod == 0
        ? PLAIN[service.ordinal()][opcode]
        : MODIFIED.get(key(service, opcode, opmod));
  }

  /**
   * True when opmods other than 0 have a meaning for an opcode, as far as the table knows.
   *
   * @param opcode 0–255
   */
  public static boolean takesOpmod(int opcode) {
    boolean plain = Arrays.stream(PLAIN).anyMatch(forms -> forms[opcode] != null);
    return !plain || MODIFIED.keySet().stream().anyMatch(key -> (key & 0xff) == opcode);
  }

  /** All segments, in order; the first is the control segment. */
  public List<WqeSegment> segments() {
    return segments;
  }

  /**
   * Bytes of the segments that every entry of this form has: the list, if any, starts there.
   * Assumes a full address vector; segments behind a compact one start {@code BYTES −
   * COMPACT_BYTES} of {@link AddressVector} earlier.
   */
  public int fixedBytes() {
    return fixedBytes;
  }

  /**
   * Offset of a segment from the start of the entry, counted as {@link #fixedBytes} counts; −1 when
   * the form does not have it.
   */
  public int offset(WqeSegment segment) {
    int at = 0;
    for (WqeSegment each : segments) {
      if (each == segment) {
        return at;
      }
      at += each.bytes();
    }
    return -1;
  }

  /** True when the response carries data: READs and atomics. */
  public boolean isAnswered() {
    return answered;
  }

  @Override
  public String toString() {
    return segments.toString();
  }
}
