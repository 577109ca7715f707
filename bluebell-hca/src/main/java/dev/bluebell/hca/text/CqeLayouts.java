package dev.bluebell.hca.text;

import static dev.bluebell.hca.text.Notation.DECIMAL;
import static dev.bluebell.hca.text.Notation.HEX;

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
      requester().ifSet(DECIMAL, Cqe.BYTE_CNT).ifSet(HEX, Cqe.IMM).all(common()).build();
  private static final Layout RESPONDER = responder().ifSet(HEX, Cqe.IMM).all(common()).build();
  private static final Layout RESPONDER_IMMEDIATE =
      responder().always(HEX, Cqe.IMM).all(common()).build();
  private static final Layout RESPONDER_INVALIDATE =
      responder().always(HEX, Cqe.INVAL_RKEY).all(common()).build();
  private static final Layout COMPRESSED_TITLE =
      completion()
          .always(DECIMAL, Cqe.MINI_CQES)
          .ifSet(SEND_OPCODES, Cqe.SEND_OPCODE)
          .ifSet(HEX, Cqe.IMM)
          .all(common())
          .build();
  private static final Layout INLINE =
      responder().always(HEX, Cqe.INLINE_DATA).ifSet(HEX, Cqe.IMM).all(common()).build();
  private static final Layout TAG_LIST =
      responder()
          .ifSet(HEX, Cqe.IMM)
          .ifSet(DECIMAL, TagMatchingCqe.SUCCESS, TagMatchingCqe.HW_PHASE_CNT)
          .all(common())
          .build();
  private static final Layout TAG_MATCH =
      responder()
          .ifSet(HEX, Cqe.IMM)
          .ifSet(DECIMAL, TagMatchingCqe.TMH_OPCODE)
          .ifSet(HEX, TagMatchingCqe.TMH_APP_CTX, TagMatchingCqe.TMH_TAG)
          .all(common())
          .build();
  private static final Layout REQUESTER_ERROR = error(requester()).build();
  private static final Layout RESPONDER_ERROR =
      error(completion()).ifSet(SEND_OPCODES, Cqe.SEND_OPCODE).build();
  private static final Layout SIGNATURE_ERROR =
      completion()
          .always(HEX, SignatureErrorCqe.MKEY, SignatureErrorCqe.SIG_SYNDROME)
          .ifSet(DECIMAL, SignatureErrorCqe.SIG_TYPE, SignatureErrorCqe.DOMAIN)
          .ifSet(
              HEX,
              SignatureErrorCqe.EXPECTED_TRANS_SIG,
              SignatureErrorCqe.ACTUAL_TRANS_SIG,
              SignatureErrorCqe.EXPECTED_REF_TAG,
              SignatureErrorCqe.ACTUAL_REF_TAG,
              SignatureErrorCqe.SIG_ERR_OFFSET)
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
        .always(OPCODES, Cqe.OPCODE)
        .always(DECIMAL, Cqe.OWNER)
        .ifSet(FORMATS, Cqe.FORMAT)
        .ifSet(DECIMAL, Cqe.SOLICITED_EVENT)
        .always(HEX, Cqe.QPN)
        .always(DECIMAL, Cqe.WQE_COUNTER)
        .ifSet(HEX, Cqe.SIGNATURE);
  }

  private static Layout.Builder requester() {
    return completion().always(SEND_OPCODES, Cqe.SEND_OPCODE);
  }

  private static Layout.Builder responder() {
    return completion().always(DECIMAL, Cqe.BYTE_CNT).ifSet(SEND_OPCODES, Cqe.SEND_OPCODE);
  }

  private static Layout.Builder error(Layout.Builder layout) {
    return layout
        .always(SYNDROMES, ErrorCqe.SYNDROME)
        .always(HEX, ErrorCqe.VENDOR_ERR_SYND)
        .ifSet(HEX, ErrorCqe.HW_SYNDROME_TYPE, ErrorCqe.HW_ERROR_SYNDROME, Cqe.UIDX);
  }

  private static Layout common() {
    return Layout.define("", Cqe.BYTES)
        .ifSet(HEX, Cqe.UIDX)
        .ifSet(APPS, Cqe.APP)
        .ifSet(TAG_EVENTS, Cqe.APP_OP)
        .ifSet(DECIMAL, Cqe.APP_INFO)
        .ifSet(HEX, Cqe.TIMESTAMP)
        .ifSet(DECIMAL, Cqe.WQE_ID)
        .ifSet(HEX, Cqe.RSS_HASH_RESULT, Cqe.RSS_HASH_TYPE, Cqe.ML_PATH)
        .ifSet(DECIMAL, Cqe.IB_STRIDE_INDEX)
        .ifSet(HEX, Cqe.SLID)
        .ifSet(DECIMAL, Cqe.GRH, Cqe.SL)
        .ifSet(HEX, Cqe.RQPN, Cqe.HDS_IP_EXT, Cqe.L4_HDR_TYPE_ETC, Cqe.VLAN_INFO)
        .build();
  }
}
