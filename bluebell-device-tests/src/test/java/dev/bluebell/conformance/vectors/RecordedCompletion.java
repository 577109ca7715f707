package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.WorkOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A completion as libmlx5 reported it, in the terms of {@code verbs.h: ibv_wc}. Fields that libmlx5
 * left untouched are null in the vector and not compared.
 */
final class RecordedCompletion {
  private static final int GRH = 1;
  private static final int WITH_IMMEDIATE = 2;
  private static final int WITH_INVALIDATE = 8;

  /** By {@code verbs.h: ibv_wc_status}. */
  private static final Map<Integer, CompletionStatus> STATUS =
      Map.ofEntries(
          Map.entry(0, CompletionStatus.SUCCESS),
          Map.entry(1, CompletionStatus.LOCAL_LENGTH_ERROR),
          Map.entry(2, CompletionStatus.LOCAL_QP_OPERATION_ERROR),
          Map.entry(4, CompletionStatus.LOCAL_PROTECTION_ERROR),
          Map.entry(5, CompletionStatus.WORK_REQUEST_FLUSHED),
          Map.entry(6, CompletionStatus.MEMORY_WINDOW_BIND_ERROR),
          Map.entry(7, CompletionStatus.BAD_RESPONSE),
          Map.entry(8, CompletionStatus.LOCAL_ACCESS_ERROR),
          Map.entry(9, CompletionStatus.REMOTE_INVALID_REQUEST),
          Map.entry(10, CompletionStatus.REMOTE_ACCESS_ERROR),
          Map.entry(11, CompletionStatus.REMOTE_OPERATION_ERROR),
          Map.entry(12, CompletionStatus.RETRY_EXCEEDED),
          Map.entry(13, CompletionStatus.RNR_RETRY_EXCEEDED),
          Map.entry(16, CompletionStatus.REMOTE_ABORTED),
          Map.entry(21, CompletionStatus.GENERAL_ERROR));

  /** By {@code verbs.h: ibv_wc_opcode}, without its prefix. */
  private static final Map<String, WorkOpcode> OPCODE =
      Map.of(
          "SEND", WorkOpcode.SEND,
          "RDMA_WRITE", WorkOpcode.RDMA_WRITE,
          "RDMA_READ", WorkOpcode.RDMA_READ,
          "COMP_SWAP", WorkOpcode.COMPARE_AND_SWAP,
          "FETCH_ADD", WorkOpcode.FETCH_AND_ADD,
          "LOCAL_INV", WorkOpcode.UMR,
          "BIND_MW", WorkOpcode.UMR,
          "RECV", WorkOpcode.RECEIVE,
          "RECV_RDMA_WITH_IMM", WorkOpcode.RECEIVE_RDMA_WITH_IMMEDIATE);

  private final JsonNode wc;

  RecordedCompletion(JsonNode wc) {
    this.wc = wc;
  }

  /** True when libmlx5 consumed the entry without reporting it, because of an unknown opcode. */
  boolean isEmpty() {
    return !wc.hasNonNull("wr_id");
  }

  /** The differences of the driver's completion. */
  List<String> differences(SeenCompletion seen) {
    List<String> differences = new ArrayList<>();
    Numbers.compare("id", seen.id(), Numbers.number(wc, "wr_id"), differences);
    Numbers.compare(
        "status", seen.status(), STATUS.get(Numbers.integer(wc, "status_num")), differences);
    if (wc.hasNonNull("qp_num")) {
      Numbers.compare("QPN", seen.qpn(), Numbers.integer(wc, "qp_num"), differences);
    }
    if (!seen.isSuccess()) {
      int vendor = Numbers.integer(wc, "vendor_err");
      Numbers.compare("vendor syndrome", seen.vendorSyndrome(), vendor, differences);
      return differences;
    }
    Numbers.compare(
        "opcode", seen.opcode(), OPCODE.get(Numbers.member(wc, "opcode").asText()), differences);
    if (wc.hasNonNull("byte_len") && !isCountOfAtomicInEntry(seen)) {
      Numbers.compare("byte count", seen.byteCount(), Numbers.integer(wc, "byte_len"), differences);
    }
    if (wc.hasNonNull("completion_ts")) {
      Numbers.compare(
          "timestamp", seen.timestamp(), Numbers.number(wc, "completion_ts"), differences);
    }
    if (seen.isReceive()) {
      compareReceive(seen, differences);
    }
    return differences;
  }

  /**
   * ibv_poll_cq reports 8 for atomics, as the driver does; the extended interface reports the
   * entry's value.
   */
  private boolean isCountOfAtomicInEntry(SeenCompletion seen) {
    return seen.isAtomic() && wc.has("completion_ts");
  }

  private void compareReceive(SeenCompletion seen, List<String> differences) {
    int flags = Numbers.integer(wc, "wc_flags");
    boolean immediate = (flags & WITH_IMMEDIATE) != 0;
    boolean invalidate = (flags & WITH_INVALIDATE) != 0;
    Numbers.compare("has immediate", seen.hasImmediate(), immediate, differences);
    Numbers.compare("has invalidated key", seen.hasInvalidatedRkey(), invalidate, differences);
    Numbers.compare("network header", seen.source().hasHeader(), (flags & GRH) != 0, differences);
    compareIfTold("source QPN", seen.source().qpn(), "src_qp", differences);
    compareIfTold("source LID", seen.source().lid(), "slid", differences);
    compareIfTold("service level", seen.source().serviceLevel(), "sl", differences);
    compareIfTold("path bits", seen.source().pathBits(), "dlid_path_bits", differences);
    if (immediate) {
      Numbers.compare("immediate", seen.immediate(), Numbers.integer(wc, "imm_data"), differences);
    }
    if (invalidate) {
      // The key in host byte order, printed as the immediate that shares a union with it.
      int key = Integer.reverseBytes(Numbers.integer(wc, "imm_data"));
      Numbers.compare("invalidated key", seen.invalidatedRkey(), key, differences);
    }
  }

  private void compareIfTold(String what, int seen, String name, List<String> differences) {
    if (wc.hasNonNull(name)) {
      Numbers.compare(what, seen, Numbers.integer(wc, name), differences);
    }
  }
}
