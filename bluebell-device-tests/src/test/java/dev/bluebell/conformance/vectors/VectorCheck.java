package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Compares vectors of one kind. */
interface VectorCheck {

  /**
   * Builds or reads the entries of the vector, and compares them with the recorded ones.
   *
   * @return a sentence for each difference
   * @throws UnsupportedVector when the driver can't build or read it
   * @throws IllegalArgumentException when the vector is invalid
   */
  List<String> differences(JsonNode vector);

  /** The check for the vectors of a group. */
  static VectorCheck of(String group) {
    return switch (group) {
      case "rc_core",
          "rc_inline",
          "uc",
          "ud_eth",
          "ud_ib",
          "xrc_dc",
          "xrc_dc_ib",
          "mw_bind_inv",
          "umr",
          "doorbell" ->
          new SendCheck();
      case "masked_atomics" -> new MaskedAtomicCheck();
      case "rq_recv" -> new ReceiveCheck(false);
      case "rq_recv_signature" -> new ReceiveCheck(true);
      case "srq_recv", "srq_recv_wqsig" -> new SharedReceiveCheck();
      case "tm_srq_ops" -> new TagOperationCheck();
      case "cqe_tag_matching" -> new TagCompletionCheck();
      case "wait_enable" -> new WaitCheck();
      case "cq_arm" -> new ArmCheck();
      case "prm_commands" -> new CommandCheck();
      case "cqe_inline_scatter" -> new InlineDataCheck();
      case "cqe_success", "cqe_errors" -> new CompletionCheck();
      case "cqe_compressed_basic", "cqe_compressed_enhanced" -> new CompressedCheck();
      case "cqe_compressed_libmlx5" -> new MisreadTitleCheck();
      default ->
          vector -> {
            throw new UnsupportedVector("vectors of group " + group);
          };
    };
  }
}
