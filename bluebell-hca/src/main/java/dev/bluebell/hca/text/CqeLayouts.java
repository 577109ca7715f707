package dev.bluebell.hca.text;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.ErrorCqe;
import dev.bluebell.hca.cqe.SignatureErrorCqe;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.util.stream.Stream;

/** The fields that the forms of a completion show, with their order and notation. */
final class CqeLayouts {
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
      requester().decimal(Cqe.BYTE_CNT).hex(Cqe.IMM).all(common()).build();
  private static final Layout RESPONDER = responder().hex(Cqe.IMM).all(common()).build();
  private static final Layout RESPONDER_IMMEDIATE =
      responder().hex(Cqe.IMM).always().all(common()).build();
  private static final Layout RESPONDER_INVALIDATE =
      responder().hex(Cqe.INVAL_RKEY).always().all(common()).build();
  private static final Layout COMPRESSED_TITLE =
      completion()
          .decimal(Cqe.MINI_CQES)
          .always()
          .symbol(Cqe.SEND_OPCODE, SEND_OPCODES)
          .hex(Cqe.IMM)
          .all(common())
          .build();
  private static final Layout INLINE =
      responder().hex(Cqe.INLINE_DATA).always().hex(Cqe.IMM).all(common()).build();
  private static final Layout TAG_LIST =
      responder()
          .hex(Cqe.IMM)
          .decimal(TagMatchingCqe.SUCCESS)
          .decimal(TagMatchingCqe.HW_PHASE_CNT)
          .all(common())
          .build();
  private static final Layout TAG_MATCH =
      responder()
          .hex(Cqe.IMM)
          .decimal(TagMatchingCqe.TMH_OPCODE)
          .hex(TagMatchingCqe.TMH_APP_CTX)
          .hex(TagMatchingCqe.TMH_TAG)
          .all(common())
          .build();
  private static final Layout REQUESTER_ERROR = error(requester()).build();
  private static final Layout RESPONDER_ERROR =
      error(completion()).symbol(Cqe.SEND_OPCODE, SEND_OPCODES).build();
  private static final Layout SIGNATURE_ERROR =
      completion()
          .hex(SignatureErrorCqe.MKEY)
          .always()
          .hex(SignatureErrorCqe.SIG_SYNDROME)
          .always()
          .decimal(SignatureErrorCqe.SIG_TYPE)
          .decimal(SignatureErrorCqe.DOMAIN)
          .hex(SignatureErrorCqe.EXPECTED_TRANS_SIG)
          .hex(SignatureErrorCqe.ACTUAL_TRANS_SIG)
          .hex(SignatureErrorCqe.EXPECTED_REF_TAG)
          .hex(SignatureErrorCqe.ACTUAL_REF_TAG)
          .hex(SignatureErrorCqe.SIG_ERR_OFFSET)
          .build();

  /** All names of all forms, which a text may use. */
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
    int opOwn = (int) Cqe.OP_OWN.get(bytes, base);
    boolean tagMatching = Cqe.APP.get(bytes, base) == Cqe.APP_TAG_MATCHING;
    return switch (Cqe.opcode(opOwn)) {
      case CqeOpcode.REQ_ERR -> REQUESTER_ERROR;
      case CqeOpcode.RESP_ERR -> RESPONDER_ERROR;
      case CqeOpcode.SIG_ERR -> SIGNATURE_ERROR;
      default ->
          switch (Cqe.format(opOwn)) {
            case Cqe.FORMAT_COMPRESSED -> COMPRESSED_TITLE;
            case Cqe.FORMAT_INLINE_32 -> INLINE;
            default -> tagMatching ? tagMatching(bytes, base) : plain(opOwn);
          };
    };
  }

  private static Layout tagMatching(byte[] bytes, int base) {
    return switch ((int) Cqe.APP_OP.get(bytes, base)) {
      case TagMatchingCqe.APPEND, TagMatchingCqe.REMOVE, TagMatchingCqe.NOOP -> TAG_LIST;
      default -> TAG_MATCH;
    };
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
        .symbol(Cqe.OPCODE, OPCODES)
        .always()
        .decimal(Cqe.OWNER)
        .always()
        .symbol(Cqe.FORMAT, FORMATS)
        .decimal(Cqe.SOLICITED_EVENT)
        .hex(Cqe.QPN)
        .always()
        .decimal(Cqe.WQE_COUNTER)
        .always()
        .hex(Cqe.SIGNATURE);
  }

  private static Layout.Builder requester() {
    return completion().symbol(Cqe.SEND_OPCODE, SEND_OPCODES).always();
  }

  private static Layout.Builder responder() {
    return completion().decimal(Cqe.BYTE_CNT).always().symbol(Cqe.SEND_OPCODE, SEND_OPCODES);
  }

  private static Layout.Builder error(Layout.Builder layout) {
    return layout
        .symbol(ErrorCqe.SYNDROME, SYNDROMES)
        .always()
        .hex(ErrorCqe.VENDOR_ERR_SYND)
        .always()
        .hex(ErrorCqe.HW_SYNDROME_TYPE)
        .hex(ErrorCqe.HW_ERROR_SYNDROME)
        .hex(Cqe.UIDX);
  }

  private static Layout common() {
    return Layout.define("", Cqe.BYTES)
        .hex(Cqe.UIDX)
        .symbol(Cqe.APP, APPS)
        .symbol(Cqe.APP_OP, TAG_EVENTS)
        .decimal(Cqe.APP_INFO)
        .hex(Cqe.TIMESTAMP)
        .decimal(Cqe.WQE_ID)
        .hex(Cqe.RSS_HASH_RESULT)
        .hex(Cqe.RSS_HASH_TYPE)
        .hex(Cqe.ML_PATH)
        .decimal(Cqe.IB_STRIDE_INDEX)
        .hex(Cqe.SLID)
        .decimal(Cqe.GRH)
        .decimal(Cqe.SL)
        .hex(Cqe.RQPN)
        .hex(Cqe.HDS_IP_EXT)
        .hex(Cqe.L4_HDR_TYPE_ETC)
        .hex(Cqe.VLAN_INFO)
        .build();
  }
}
