package dev.bluebell.conformance;

import dev.bluebell.conformance.traffic.AtomicRequest;
import java.util.List;

/**
 * The rows of the table of operations. Each has one letter per {@link ConnectionKind}, in their
 * order: {@code y}es, {@code d}evice, {@code n}o, not {@code h}ere; see {@link Verdict}.
 */
public enum Operation {
  // relaxed RC, UC, UD, DC, DC stream and XRC follow RC.
  SEND("SEND", "yyyyyyy", "send", "IBA; `ibv_post_send.3`"),
  SEND_IMMEDIATE("SEND with immediate", "yyyyyyy", "sendImmediate", "IBA; `ibv_post_send.3`"),
  SEND_INVALIDATE(
      "SEND with invalidate",
      "yynnyyy",
      "sendInvalidate",
      "IBA: only RC and XRC have packets for it. `ibv_post_send.3` and libmlx5's `qp.c` let UC"
          + " post it; this device refuses it there (M69). `mlx5dv_wr_post.3` allows it on DC"),
  WRITE("RDMA WRITE", "yyynyyy", "write", "IBA; `ibv_post_send.3`"),
  WRITE_IMMEDIATE(
      "RDMA WRITE with immediate", "yyynyyy", "writeImmediate", "IBA; `ibv_post_send.3`"),
  READ(
      "RDMA READ",
      "yynnyyy",
      "read",
      "IBA: unreliable services have no responses; `ibv_post_send.3`"),
  COMPARE_AND_SWAP("compare-and-swap", "yynnyyy", "compareAndSwap", "IBA; `ibv_post_send.3`"),
  FETCH_AND_ADD("fetch-and-add", "yynnyyy", "fetchAndAdd", "IBA; `ibv_post_send.3`"),
  MASKED_COMPARE_AND_SWAP_4(
      "masked compare-and-swap, 4 bytes",
      "yynnyyy",
      "maskedCompareAndSwap4",
      "not in IBA; UCX `rc_mlx5.inl` for RC and DC; XRC inferred (M128)"),
  MASKED_COMPARE_AND_SWAP_8(
      "masked compare-and-swap, 8 bytes", "yynnyyy", "maskedCompareAndSwap8", "as for 4 bytes"),
  MASKED_COMPARE_AND_SWAP_16(
      "masked compare-and-swap, 16 bytes",
      "yynnyyy",
      "maskedCompareAndSwap16",
      "as for 4 bytes; M128 has the order of the two halves in memory"),
  MASKED_FETCH_AND_ADD_4(
      "masked fetch-and-add, 4 bytes", "yynnyyy", "maskedFetchAndAdd4", "as for compare-and-swap"),
  MASKED_FETCH_AND_ADD_8(
      "masked fetch-and-add, 8 bytes", "yynnyyy", "maskedFetchAndAdd8", "as for compare-and-swap"),
  MASKED_FETCH_AND_ADD_16(
      "masked fetch-and-add, 16 bytes",
      "yynnyyy",
      "maskedFetchAndAdd16",
      "as for compare-and-swap"),
  AND(
      "AND, 4, 8 and 16 bytes",
      "yynnyyy",
      "fetchAndAnd8",
      "a masked compare-and-swap that the driver composes"),
  OR("OR, 4, 8 and 16 bytes", "yynnyyy", "fetchAndOr8", "a masked compare-and-swap"),
  XOR("XOR, 4, 8 and 16 bytes", "yynnyyy", "fetchAndXor8", "a masked fetch-and-add"),
  SWAP("SWAP, 4, 8 and 16 bytes", "yynnyyy", "swap8", "a masked compare-and-swap"),
  MEMORY_COPY(
      "copy from memory to memory (MMO)",
      "ynnnyyn",
      "copyMemory",
      "libmlx5 `qp.c` mlx5_qp_fill_wr_pfns: RC and DC (M134). The driver does not enable copies"
          + " on relaxed RC queue pairs, so the device refuses them there (M135)"),
  NOP("NOP", "yyyyydy", "nop", "`qp.c`; in the driver, every request of a stream has a target"),
  RAW(
      "raw request, written by the caller",
      "yyyyyny",
      "raw",
      "`qp.c` mlx5_wr_raw_wqe; not on streams: the driver itself must fill in the fields that name"
          + " the stream"),
  TAG_LIST(
      "change of a list of tags",
      "ynnnnnn",
      "",
      "libmlx5 `qp.c` mlx5_post_srq_ops: only on the queue pair of a tag-matching queue"
          + " (TM-SRQ); the driver creates this queue pair itself (M140)"),
  CROSS_CHANNEL(
      "WAIT, SEND_EN, RECV_EN on a queue pair without cd_master",
      "nnnnnnn",
      "",
      "Linux `mlx5_ifc.h`: with cd_master 1 (in the driver `crossChannel()`, for RC), every kind of"
          + " queue pair executes them (M260)"),
  INLINE_SEND("SEND, inline data", "yyyyyyy", "", "`ibv_post_send.3` IBV_SEND_INLINE"),
  INLINE_WRITE("RDMA WRITE, inline data", "yyynyyy", "", "`ibv_post_send.3` IBV_SEND_INLINE"),
  INLINE_READ(
      "RDMA READ with inline data",
      "nnnnnnn",
      "",
      "`ibv_post_send.3`: only SEND and WRITE have inline data"),
  ZERO_SEND("SEND of no bytes", "yyyyyyy", "", "IBA"),
  ZERO_WRITE("RDMA WRITE of no bytes", "yyynyyy", "", "IBA"),
  ZERO_READ("RDMA READ of no bytes", "yynnyyy", "", "IBA"),
  LONG_SEND("SEND of more than the path MTU", "yyynyyy", "", "IBA: a datagram is one packet (M78)"),
  OWN_RECEIVES(
      "receive queue of its own",
      "yyyynnn",
      "",
      "IBA; Linux `qp.c`: targets of DC and XRC receive only from shared queues"),
  SHARED_RECEIVES("shared receive queue (SRQ)", "yyyyyyn", "", "IBA; XRC has its own kind of SRQ"),
  XRC_RECEIVES("XRC SRQ, named by the request", "nnnnnny", "", "IBA annex A14"),
  TAG_RECEIVES(
      "tag-matching queue (TM-SRQ), eager",
      "yynnhhn",
      "",
      "rdma-core's `Documentation/tag_matching.md`: RC; UCX uses it for DC, too (M154)"),
  STRIDING_RECEIVES(
      "striding receive queue", "yynnyyn", "", "UCX `rc_mlx5_devx.c`: RC and DC (M165)"),
  INLINE_RECEIVES(
      "message inside its completion",
      "yyynddn",
      "",
      "Linux `qp.c` enables it on RC and UC, and on DC targets whose CQEs have 128 bytes; so does"
          + " UCX (M188); UD and XRC inferred (M127)"),
  INLINE_ANSWERS(
      "data of a READ inside its completion",
      "yynnddd",
      "",
      "Linux `qp.c` enables it on RC and DC; libmlx5 and Bluebell's driver only on RC; XRC"
          + " inferred (M125)");

  private final String title;
  private final String letters;
  private final String method;
  private final String source;

  Operation(String title, String letters, String method, String source) {
    this.title = title;
    this.letters = letters;
    this.method = method;
    this.source = source;
  }

  /** The verdict for a kind of connection. */
  Verdict verdict(ConnectionKind kind) {
    return Verdict.of(letters.charAt(kind.ordinal()));
  }

  /** The capabilities that the operation needs on all kinds, as in {@link Needs}. */
  List<String> needs() {
    return switch (this) {
      case MEMORY_COPY -> List.of("dma_mmo_qp");
      case TAG_LIST, TAG_RECEIVES -> List.of("tag_matching");
      case CROSS_CHANNEL -> List.of("cd");
      case STRIDING_RECEIVES -> List.of("ib_striding_wq");
      case INLINE_RECEIVES, INLINE_ANSWERS -> List.of("sctr_data_cqe");
      default -> List.of();
    };
  }

  /** The atomic operation of the row. */
  AtomicRequest.Kind atomic() {
    return switch (this) {
      case MASKED_COMPARE_AND_SWAP_4, MASKED_COMPARE_AND_SWAP_8, MASKED_COMPARE_AND_SWAP_16 ->
          AtomicRequest.Kind.MASKED_COMPARE_AND_SWAP;
      case MASKED_FETCH_AND_ADD_4, MASKED_FETCH_AND_ADD_8, MASKED_FETCH_AND_ADD_16 ->
          AtomicRequest.Kind.MASKED_FETCH_AND_ADD;
      default -> AtomicRequest.Kind.valueOf(name());
    };
  }

  /** Operand sizes of an atomic operation in bytes: all sizes that the row covers. */
  List<Integer> operandBytes() {
    return switch (this) {
      case MASKED_COMPARE_AND_SWAP_4, MASKED_FETCH_AND_ADD_4 -> List.of(4);
      case MASKED_COMPARE_AND_SWAP_16, MASKED_FETCH_AND_ADD_16 -> List.of(16);
      case AND, OR, XOR, SWAP -> List.of(4, 8, 16);
      default -> List.of(8);
    };
  }

  /** Name of the driver's method that starts it; empty when it has no method of its own. */
  String method() {
    return method;
  }

  /** The source, and how this device differs from it. */
  String source() {
    return source;
  }

  @Override
  public String toString() {
    return title;
  }
}
