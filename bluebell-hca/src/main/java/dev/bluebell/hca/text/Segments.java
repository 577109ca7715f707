package dev.bluebell.hca.text;

import dev.bluebell.hca.command.Mkc;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.hca.wqe.WqeSegment;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Names of the fields in the segments of queue entries. Each layout cites the structure it mirrors;
 * offsets are in bits.
 */
final class Segments {
  private static final Notation OPCODES = Notation.symbols(WqeOpcode::name, 256);
  private static final Notation COMPLETION =
      Notation.symbols("error", "first_error", "always", "always_event");
  private static final Notation FENCE =
      Notation.symbols("none", "small", "fence", "strong", "small_and_fence");
  private static final Notation TAG_OPERATION = Notation.symbols("NOP", "APPEND", "REMOVE");

  /** {@code mlx5dv.h: mlx5_wqe_ctrl_seg}. */
  static final Layout CONTROL = control().hex("imm", 96, 32).build();

  /** The control segment of an opcode that always has an immediate. */
  static final Layout CONTROL_IMMEDIATE = control().hex("imm", 96, 32).always().build();

  /** The control segment of SEND_INVAL. */
  static final Layout CONTROL_INVALIDATE = control().hex("inv_key", 96, 32).always().build();

  /** The control segment of UMR. */
  static final Layout CONTROL_UMR = control().hex("umr_mkey", 96, 32).always().build();

  /** {@code mlx5dv.h: mlx5_wqe_raddr_seg}. */
  static final Layout REMOTE_ADDRESS =
      Layout.define("raddr", 16)
          .hex("address", 0, 64)
          .always()
          .hex("rkey", 64, 32)
          .always()
          .build();

  /** {@code mlx5dv.h: mlx5_wqe_data_seg}. */
  static final Layout DATA =
      Layout.define("data", 16)
          .decimal("byte_count", 1, 31)
          .always()
          .hex("lkey", 32, 32)
          .always()
          .hex("address", 64, 64)
          .always()
          .build();

  /** The header of {@code mlx5dv.h: mlx5_wqe_inline_seg} without its flag; the data follow. */
  static final Layout INLINE =
      Layout.define("inline", 4).decimal("length", 22, 10).always().build();

  /** {@code mlx5dv.h: mlx5_wqe_atomic_seg} of a compare-and-swap. */
  static final Layout COMPARE_SWAP =
      Layout.define("atomic", 16)
          .hex("swap", 0, 64)
          .always()
          .hex("compare", 64, 64)
          .always()
          .build();

  /** {@code mlx5dv.h: mlx5_wqe_atomic_seg} of a fetch-and-add. */
  static final Layout FETCH_ADD =
      Layout.define("atomic", 16).hex("add", 0, 64).always().hex("compare", 64, 64).build();

  /** {@code wqe.h: mlx5_wqe_xrc_seg}. */
  static final Layout XRC = Layout.define("xrc", 16).hex("srqn", 8, 24).always().build();

  /** {@code mlx5dv.h: mlx5_wqe_av} of a datagram. */
  static final Layout AV = addressPath(datagram("av", 48)).build();

  /** The first 16 bytes of {@link #AV}, which is all when {@code ext} is 0. */
  static final Layout COMPACT_AV = datagram("compact_av", 16).build();

  /** {@code mlx5dv.h: mlx5_wqe_av} of a dynamically connected initiator. */
  static final Layout DC_AV = addressPath(dynamic("dc_av", 48)).build();

  /** The first 16 bytes of {@link #DC_AV}, which is all when {@code ext} is 0. */
  static final Layout COMPACT_DC_AV = dynamic("compact_dc_av", 16).build();

  /** {@code mlx5dv.h: mlx5_wqe_eth_seg}; the rest of the inlined header follows. */
  static final Layout ETHERNET =
      Layout.define("eth", 16)
          .hex("swp_offsets", 0, 32)
          .hex("cs_flags", 32, 8)
          .hex("swp_flags", 40, 8)
          .decimal("mss", 48, 16)
          .hex("flow_table_metadata", 64, 32)
          .decimal("inline_hdr_sz", 96, 16)
          .always()
          .hex("inline_hdr_start", 112, 16)
          .build();

  /** {@code mlx5dv.h: mlx5_wqe_umr_ctrl_seg}. */
  static final Layout UMR =
      Layout.define("umr", 48)
          .hex("flags", 0, 8)
          .always()
          .decimal("klm_octowords", 32, 16)
          .always()
          .decimal("translation_offset", 48, 16)
          .hex("mkey_mask", 64, 64)
          .always()
          .hex("translation_offset_47_16", 128, 32)
          .build();

  /**
   * {@code mlx5_ifc.h: mlx5_ifc_mkc_bits}, which is {@code mlx5dv.h: mlx5_wqe_mkey_context_seg}.
   */
  static final Layout MKEY = Layout.define("mkc", 64).structure("", 0, Mkc.STRUCTURE).build();

  /** {@code mlx5_ifc.h: mlx5_ifc_klm_bits}. */
  static final Layout KLM =
      Layout.define("klm", 16)
          .decimal("byte_count", 0, 32)
          .always()
          .hex("mkey", 32, 32)
          .always()
          .hex("address", 64, 64)
          .always()
          .build();

  /** {@code mlx5dv.h: mlx5_wqe_umr_repeat_block_seg}. */
  static final Layout REPEAT =
      Layout.define("repeat", 16)
          .decimal("byte_count", 0, 32)
          .always()
          .hex("op", 32, 32)
          .always()
          .decimal("repeat_count", 64, 32)
          .always()
          .decimal("num_ent", 112, 16)
          .always()
          .build();

  /** {@code mlx5dv.h: mlx5_wqe_umr_repeat_ent_seg}. */
  static final Layout REPEAT_ENTRY =
      Layout.define("repeat_ent", 16)
          .decimal("stride", 0, 16)
          .always()
          .decimal("byte_count", 16, 16)
          .always()
          .hex("mkey", 32, 32)
          .always()
          .hex("address", 64, 64)
          .always()
          .build();

  /** {@code wqe.h: mlx5_wqe_set_psv_seg}. */
  static final Layout PSV =
      Layout.define("psv", 16)
          .hex("psv_index", 0, 32)
          .always()
          .hex("syndrome", 32, 16)
          .hex("transient_signature", 64, 64)
          .always()
          .build();

  /** {@code mlx5_prm.h: mlx5_wqe_qseg} of WAIT. */
  static final Layout WAIT =
      Layout.define("wait", 16)
          .decimal("producer_index", 64, 32)
          .always()
          .hex("cqn", 104, 24)
          .always()
          .build();

  /** {@code mlx5_prm.h: mlx5_wqe_wseg}: WAIT for a value in memory or for the clock. */
  static final Layout WAIT_VALUE =
      Layout.define("wait_value", 32)
          .hex("operation", 0, 32)
          .always()
          .hex("lkey", 32, 32)
          .always()
          .hex("address", 64, 64)
          .always()
          .hex("value", 128, 64)
          .always()
          .hex("mask", 192, 64)
          .always()
          .build();

  /** {@code mlx5_prm.h: mlx5_wqe_qseg} of SEND_EN and RECV_EN. */
  static final Layout ENABLE =
      Layout.define("enable", 16)
          .decimal("max_index", 64, 32)
          .always()
          .hex("qpn", 104, 24)
          .always()
          .build();

  /** {@code wqe.h: mlx5_wqe_tm_seg}. */
  static final Layout TAG_MATCHING =
      Layout.define("tm", 32)
          .symbol("opcode", 0, 4, TAG_OPERATION)
          .always()
          .hex("flags", 8, 8)
          .always()
          .decimal("index", 16, 16)
          .always()
          .decimal("sw_cnt", 48, 16)
          .hex("append_tag", 128, 64)
          .hex("append_mask", 192, 64)
          .build();

  /** {@code wqe.h: mlx5_mmo_metadata_seg}. */
  static final Layout MMO =
      Layout.define("mmo", 16)
          .hex("control_31_0", 0, 32)
          .hex("lkey", 32, 32)
          .always()
          .hex("address", 64, 64)
          .always()
          .build();

  /** {@code wqe.h: mlx5_wqe_srq_next_seg}: the first 16 bytes of an SRQ's entry. */
  static final Layout NEXT =
      Layout.define("next", 16)
          .decimal("next_wqe_index", 16, 16)
          .always()
          .hex("signature", 32, 8)
          .build();

  /** {@code qp.c: mlx5_rwqe_sig}: the first 16 bytes of a receive entry with a signature. */
  static final Layout SIGNATURE = Layout.define("sig", 16).hex("signature", 32, 8).always().build();

  private static final Map<WqeSegment, Layout> BY_SEGMENT = bySegment();
  private static final Map<String, Layout> BY_KEYWORD = new LinkedHashMap<>();

  static {
    List.of(CONTROL, REMOTE_ADDRESS, DATA).forEach(Segments::register);
    BY_SEGMENT.values().forEach(Segments::register);
    List.of(
            CONTROL_INVALIDATE,
            CONTROL_UMR,
            COMPACT_AV,
            COMPACT_DC_AV,
            KLM,
            REPEAT,
            REPEAT_ENTRY,
            NEXT,
            SIGNATURE)
        .forEach(Segments::register);
  }

  private Segments() {}

  private static Map<WqeSegment, Layout> bySegment() {
    Map<WqeSegment, Layout> layouts = new EnumMap<>(WqeSegment.class);
    for (WqeSegment segment : WqeSegment.values()) {
      if (!segment.isList()) {
        layouts.put(segment, layout(segment));
      }
    }
    return layouts;
  }

  private static Layout layout(WqeSegment segment) {
    return switch (segment) {
      case CONTROL -> CONTROL;
      case XRC -> XRC;
      case ADDRESS_VECTOR -> AV;
      case DC_ADDRESS_VECTOR -> DC_AV;
      case ETHERNET -> ETHERNET;
      case REMOTE_ADDRESS -> REMOTE_ADDRESS;
      case COMPARE_SWAP -> COMPARE_SWAP;
      case FETCH_ADD -> FETCH_ADD;
      case MASKED_COMPARE_SWAP_4 -> maskedCompareSwap(4);
      case MASKED_COMPARE_SWAP_8 -> maskedCompareSwap(8);
      case MASKED_COMPARE_SWAP_16 -> maskedCompareSwap(16);
      case MASKED_FETCH_ADD_4 -> maskedFetchAdd(4, 16);
      case MASKED_FETCH_ADD_8 -> maskedFetchAdd(8, 16);
      case MASKED_FETCH_ADD_16 -> maskedFetchAdd(16, 32);
      case UMR -> UMR;
      case MKEY -> MKEY;
      case PSV -> PSV;
      case WAIT -> WAIT;
      case WAIT_VALUE -> WAIT_VALUE;
      case ENABLE -> ENABLE;
      case TAG_MATCHING -> TAG_MATCHING;
      case MMO -> MMO;
      case TRANSLATION, GATHER, SCATTER ->
          throw new IllegalArgumentException(segment + " is a list");
    };
  }

  private static void register(Layout layout) {
    BY_KEYWORD.merge(layout.keyword(), layout, Layout::merge);
  }

  /** The layout of a segment that is no list. */
  static Layout of(WqeSegment segment) {
    Layout layout = BY_SEGMENT.get(segment);
    if (layout == null) {
      throw new IllegalArgumentException(segment + " has no layout");
    }
    return layout;
  }

  /** The layout of a line, with all names that its fields have for different opcodes. */
  static Layout of(Line line) {
    Layout layout = BY_KEYWORD.get(line.keyword());
    if (layout == null) {
      throw line.error(
          "expected one of %s, inline, bytes, padding, end, raw, rest, found '%s'",
          String.join(", ", BY_KEYWORD.keySet()), Text.clip(line.keyword()));
    }
    return layout;
  }

  private static Layout.Builder control() {
    return Layout.define("ctrl", 16)
        .symbol("opcode", 24, 8, OPCODES)
        .always()
        .hex("opmod", 0, 8)
        .decimal("index", 8, 16)
        .always()
        .hex("qpn", 32, 24)
        .always()
        .decimal("ds", 58, 6)
        .always()
        .symbol("ce", 92, 2, COMPLETION)
        .always()
        .symbol("fence", 88, 3, FENCE)
        .decimal("solicited", 94, 1)
        .decimal("stream", 72, 16)
        .hex("signature", 64, 8);
  }

  private static Layout.Builder datagram(String keyword, int bytes) {
    return destination(Layout.define(keyword, bytes).hex("qkey", 0, 32).always(), "dqpn");
  }

  private static Layout.Builder dynamic(String keyword, int bytes) {
    return destination(Layout.define(keyword, bytes).hex("dc_key", 0, 64).always(), "dctn");
  }

  private static Layout.Builder destination(Layout.Builder av, String number) {
    return av.decimal("ext", 64, 1)
        .always()
        .hex(number, 72, 24)
        .always()
        .decimal("stat_rate", 96, 4)
        .decimal("sl", 100, 4)
        .decimal("fl", 104, 1)
        .hex("mlid", 105, 7)
        .hex("rlid", 112, 16);
  }

  private static Layout.Builder addressPath(Layout.Builder av) {
    return av.hex("rmac", 160, 48)
        .hex("tclass", 208, 8)
        .decimal("hop_limit", 216, 8)
        .decimal("grh", 225, 1)
        .decimal("src_addr_index", 228, 8)
        .hex("flow_label", 236, 20)
        .hex("rgid", 256, 128);
  }

  private static Layout maskedCompareSwap(int size) {
    int bits = 8 * size;
    return Layout.define("masked_cs" + size, 4 * size)
        .hex("swap", 0, bits)
        .always()
        .hex("compare", bits, bits)
        .always()
        .hex("swap_mask", 2 * bits, bits)
        .always()
        .hex("compare_mask", 3 * bits, bits)
        .always()
        .build();
  }

  private static Layout maskedFetchAdd(int size, int bytes) {
    int bits = 8 * size;
    return Layout.define("masked_fa" + size, bytes)
        .hex("add", 0, bits)
        .always()
        .hex("field_boundary", bits, bits)
        .always()
        .build();
  }
}
