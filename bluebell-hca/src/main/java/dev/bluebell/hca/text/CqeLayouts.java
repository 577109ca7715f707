package dev.bluebell.hca.text;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.util.stream.Stream;

/**
 * Names of the fields in the forms of a completion. Mirrors {@code mlx5dv.h: mlx5_cqe64}, {@code
 * mlx5_err_cqe}, {@code mlx5_sigerr_cqe} and {@code mlx5_tm_cqe}; offsets are in bits.
 */
final class CqeLayouts {
  private static final int INLINE_32 = 1;
  private static final int COMPRESSED = 3;
  private static final int APP_TAG_MATCHING = 1;

  private static final Notation OPCODES = Notation.symbols(CqeOpcode::name, 16);
  private static final Notation SEND_OPCODES = Notation.symbols(WqeOpcode::name, 256);
  private static final Notation SYNDROMES = Notation.symbols(Syndrome::name, 256);
  private static final Notation FORMATS =
      Notation.symbols("none", "inline_32", "inline_64", "compressed");
  private static final Notation APPS = Notation.symbols("", "tag_matching");
  private static final Notation TAG_EVENTS =
      Notation.symbols(
          "",
          "CONSUMED",
          "EXPECTED",
          "UNEXPECTED",
          "NO_TAG",
          "APPEND",
          "REMOVE",
          "NOOP",
          "",
          "CONSUMED_SW_RNDV",
          "CONSUMED_MSG",
          "CONSUMED_MSG_SW_RNDV",
          "MSG_COMPLETION_CANCELED");

  private static final Layout REQUESTER =
      requester().decimal("byte_cnt", 352, 32).hex("imm", 288, 32).all(common()).build();
  private static final Layout RESPONDER = responder().hex("imm", 288, 32).all(common()).build();
  private static final Layout RESPONDER_IMMEDIATE =
      responder().hex("imm", 288, 32).always().all(common()).build();
  private static final Layout RESPONDER_INVALIDATE =
      responder().hex("inval_rkey", 288, 32).always().all(common()).build();
  private static final Layout COMPRESSED_TITLE =
      completion()
          .decimal("mini_cqes", 352, 32)
          .always()
          .symbol("send_opcode", 448, 8, SEND_OPCODES)
          .hex("imm", 288, 32)
          .all(common())
          .build();
  private static final Layout INLINE =
      responder().hex("inline_data", 0, 256).always().hex("imm", 288, 32).all(common()).build();
  private static final Layout TAG_LIST =
      responder()
          .hex("imm", 288, 32)
          .decimal("success", 0, 1)
          .decimal("hw_phase_cnt", 32, 16)
          .all(common())
          .build();
  private static final Layout TAG_MATCH =
      responder()
          .hex("imm", 288, 32)
          .decimal("tmh_opcode", 0, 8)
          .hex("tmh_app_ctx", 32, 32)
          .hex("tmh_tag", 64, 64)
          .all(common())
          .build();
  private static final Layout REQUESTER_ERROR = error(requester()).build();
  private static final Layout RESPONDER_ERROR =
      error(completion()).symbol("send_opcode", 448, 8, SEND_OPCODES).build();
  private static final Layout SIGNATURE_ERROR =
      completion()
          .hex("mkey", 288, 32)
          .always()
          .hex("sig_syndrome", 256, 16)
          .always()
          .decimal("sig_type", 277, 3)
          .decimal("domain", 285, 3)
          .hex("expected_trans_sig", 128, 32)
          .hex("actual_trans_sig", 160, 32)
          .hex("expected_ref_tag", 192, 32)
          .hex("actual_ref_tag", 224, 32)
          .hex("sig_err_offset", 320, 64)
          .build();

  /** All names of all forms: what a text may give. */
  static final Layout ANY =
      Stream.of(
              REQUESTER,
              RESPONDER_INVALIDATE,
              COMPRESSED_TITLE,
              INLINE,
              TAG_LIST,
              TAG_MATCH,
              REQUESTER_ERROR,
              SIGNATURE_ERROR)
          .reduce(Layout::merge)
          .orElseThrow();

  private CqeLayouts() {}

  /** The names that fit the completion whose 64 bytes start at {@code base}. */
  static Layout of(byte[] bytes, int base) {
    int opOwn = bytes[base + Cqe.BYTES - 1] & 0xff;
    boolean tagMatching = bytes[base + Cqe.BYTE_COUNT_WORD] == APP_TAG_MATCHING;
    return switch (Cqe.opcode(opOwn)) {
      case CqeOpcode.REQ_ERR -> REQUESTER_ERROR;
      case CqeOpcode.RESP_ERR -> RESPONDER_ERROR;
      case CqeOpcode.SIG_ERR -> SIGNATURE_ERROR;
      default ->
          switch (Cqe.format(opOwn)) {
            case COMPRESSED -> COMPRESSED_TITLE;
            case INLINE_32 -> INLINE;
            default -> tagMatching ? tagMatching(opOwn) : plain(opOwn);
          };
    };
  }

  private static Layout tagMatching(int opOwn) {
    return Cqe.opcode(opOwn) == CqeOpcode.NO_PACKET ? TAG_LIST : TAG_MATCH;
  }

  private static Layout plain(int opOwn) {
    return switch (Cqe.opcode(opOwn)) {
      case CqeOpcode.REQ -> REQUESTER;
      case CqeOpcode.RESP_WR_IMM, CqeOpcode.RESP_SEND_IMM -> RESPONDER_IMMEDIATE;
      case CqeOpcode.RESP_SEND_INV -> RESPONDER_INVALIDATE;
      default -> RESPONDER;
    };
  }

  private static Layout.Builder completion() {
    return Layout.define("", Cqe.BYTES)
        .symbol("opcode", 504, 4, OPCODES)
        .always()
        .decimal("owner", 511, 1)
        .always()
        .symbol("format", 508, 2, FORMATS)
        .decimal("solicited", 510, 1)
        .hex("qpn", 456, 24)
        .always()
        .decimal("wqe_counter", 480, 16)
        .always()
        .hex("signature", 496, 8);
  }

  private static Layout.Builder requester() {
    return completion().symbol("send_opcode", 448, 8, SEND_OPCODES).always();
  }

  private static Layout.Builder responder() {
    return completion()
        .decimal("byte_cnt", 352, 32)
        .always()
        .symbol("send_opcode", 448, 8, SEND_OPCODES);
  }

  private static Layout.Builder error(Layout.Builder layout) {
    return layout
        .symbol("syndrome", 440, 8, SYNDROMES)
        .always()
        .hex("vendor_err_synd", 432, 8)
        .always()
        .hex("hw_syndrome_type", 424, 8)
        .hex("hw_error_syndrome", 416, 8)
        .hex("uidx", 264, 24);
  }

  private static Layout common() {
    return Layout.define("", Cqe.BYTES)
        .hex("uidx", 264, 24)
        .symbol("app", 320, 8, APPS)
        .symbol("app_op", 328, 8, TAG_EVENTS)
        .decimal("app_info", 336, 16)
        .hex("timestamp", 384, 64)
        .decimal("wqe_id", 16, 16)
        .hex("rss_hash_result", 96, 32)
        .hex("rss_hash_type", 128, 8)
        .hex("ml_path", 136, 8)
        .decimal("ib_stride_index", 160, 16)
        .hex("slid", 176, 16)
        .decimal("grh", 194, 2)
        .decimal("sl", 196, 4)
        .hex("rqpn", 200, 24)
        .hex("hds_ip_ext", 224, 8)
        .hex("l4_hdr_type_etc", 232, 8)
        .hex("vlan_info", 240, 16)
        .build();
  }
}
