package dev.bluebell.hca.text;

import static dev.bluebell.hca.text.Notation.DECIMAL;
import static dev.bluebell.hca.text.Notation.HEX;

import dev.bluebell.hca.command.MemoryCommands.Klm;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.EthernetSegment;
import dev.bluebell.hca.wqe.InlineSegment;
import dev.bluebell.hca.wqe.MaskedCompareSwap;
import dev.bluebell.hca.wqe.MaskedFetchAdd;
import dev.bluebell.hca.wqe.MmoSegment;
import dev.bluebell.hca.wqe.NextSegment;
import dev.bluebell.hca.wqe.PsvSegment;
import dev.bluebell.hca.wqe.QueueSegment;
import dev.bluebell.hca.wqe.ReceiveSignatureSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.RepeatEntry;
import dev.bluebell.hca.wqe.RepeatSegment;
import dev.bluebell.hca.wqe.TagMatchingSegment;
import dev.bluebell.hca.wqe.TransposeSegment;
import dev.bluebell.hca.wqe.UmrSegment;
import dev.bluebell.hca.wqe.WaitValueSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.hca.wqe.WqeSegment;
import dev.bluebell.hca.wqe.XrcSegment;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The fields that the segments of queue entries show, with their order and notation. */
final class Segments {
  private static final Notation OPCODES = Notation.symbols(WqeOpcode::name, 256);
  private static final Notation COMPLETION =
      Notation.symbols("error", "first_error", "always", "always_event");
  private static final Notation FENCE =
      Notation.symbols("none", "small", "fence", "strong", "small_and_fence");
  private static final Notation TAG_OPERATION = Notation.symbols("NOP", "APPEND", "REMOVE");

  private static final Layout CONTROL = control().ifSet(HEX, ControlSegment.IMM).build();

  /** The control segments of opcodes that always have an argument. */
  private static final Map<Field, Layout> CONTROL_WITH =
      Map.of(
          ControlSegment.IMM, control().always(HEX, ControlSegment.IMM).build(),
          ControlSegment.INV_KEY, control().always(HEX, ControlSegment.INV_KEY).build(),
          ControlSegment.UMR_MKEY, control().always(HEX, ControlSegment.UMR_MKEY).build());

  static final Layout DATA =
      Layout.define("data", DataSegment.BYTES)
          .always(DECIMAL, DataSegment.BYTE_COUNT)
          .always(HEX, DataSegment.LKEY, DataSegment.ADDRESS)
          .build();

  /** The header without its flag; the data follow. */
  static final Layout INLINE =
      Layout.define("inline", InlineSegment.HEADER_BYTES)
          .always(DECIMAL, InlineSegment.LENGTH)
          .build();

  static final Layout AV = addressPath(datagram("av", AddressVector.BYTES)).build();
  static final Layout COMPACT_AV = datagram("compact_av", AddressVector.COMPACT_BYTES).build();
  static final Layout DC_AV = addressPath(dynamic("dc_av", AddressVector.BYTES)).build();
  static final Layout COMPACT_DC_AV = dynamic("compact_dc_av", AddressVector.COMPACT_BYTES).build();
  static final Layout KLM =
      Layout.define("klm", Klm.STRUCTURE.bytes())
          .always(DECIMAL, Klm.BYTE_COUNT)
          .always(HEX, Klm.MKEY, Klm.ADDRESS)
          .build();
  static final Layout REPEAT =
      Layout.define("repeat", RepeatSegment.BYTES)
          .always(DECIMAL, RepeatSegment.BYTE_COUNT)
          .always(HEX, RepeatSegment.OP)
          .always(DECIMAL, RepeatSegment.REPEAT_COUNT, RepeatSegment.NUM_ENT)
          .build();
  static final Layout REPEAT_ENTRY =
      Layout.define("repeat_ent", RepeatEntry.BYTES)
          .always(DECIMAL, RepeatEntry.STRIDE, RepeatEntry.BYTE_COUNT)
          .always(HEX, RepeatEntry.MKEY, RepeatEntry.ADDRESS)
          .build();
  static final Layout NEXT =
      Layout.define("next", NextSegment.BYTES)
          .always(DECIMAL, NextSegment.NEXT_WQE_INDEX)
          .ifSet(HEX, NextSegment.SIGNATURE)
          .build();
  static final Layout SIGNATURE =
      Layout.define("sig", ReceiveSignatureSegment.BYTES)
          .always(HEX, ReceiveSignatureSegment.SIGNATURE)
          .build();

  private static final Map<WqeSegment, Layout> BY_SEGMENT = new EnumMap<>(WqeSegment.class);
  private static final Map<String, Layout> BY_KEYWORD = new LinkedHashMap<>();

  static {
    for (WqeSegment segment : WqeSegment.values()) {
      if (!segment.isList()) {
        BY_SEGMENT.put(segment, layout(segment));
      }
    }
    List.of(CONTROL, of(WqeSegment.REMOTE_ADDRESS), DATA).forEach(Segments::register);
    BY_SEGMENT.values().forEach(Segments::register);
    CONTROL_WITH.values().forEach(Segments::register);
    List.of(COMPACT_AV, COMPACT_DC_AV, KLM, REPEAT, REPEAT_ENTRY, NEXT, SIGNATURE)
        .forEach(Segments::register);
  }

  private Segments() {}

  private static void register(Layout layout) {
    BY_KEYWORD.merge(layout.keyword(), layout, Layout::merge);
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

  /** The layout of an opcode's control segment. */
  static Layout control(int opcode) {
    Field argument = ControlSegment.argument(opcode);
    return argument == null ? CONTROL : CONTROL_WITH.getOrDefault(argument, CONTROL);
  }

  /** The layout of a segment that is not a list. */
  static Layout of(WqeSegment segment) {
    Layout layout = BY_SEGMENT.get(segment);
    if (layout == null) {
      throw new IllegalArgumentException(segment + " has no layout");
    }
    return layout;
  }

  private static Layout layout(WqeSegment segment) {
    return switch (segment) {
      case CONTROL -> CONTROL;
      case ADDRESS_VECTOR -> AV;
      case DC_ADDRESS_VECTOR -> DC_AV;
      case XRC -> Layout.define("xrc", XrcSegment.BYTES).always(HEX, XrcSegment.SRQN).build();
      case ETHERNET ->
          Layout.define("eth", EthernetSegment.BYTES)
              .ifSet(
                  HEX,
                  EthernetSegment.SWP_OFFSETS,
                  EthernetSegment.CS_FLAGS,
                  EthernetSegment.SWP_FLAGS)
              .ifSet(DECIMAL, EthernetSegment.MSS)
              .ifSet(HEX, EthernetSegment.FLOW_TABLE_METADATA)
              .always(DECIMAL, EthernetSegment.INLINE_HDR_SZ)
              .ifSet(HEX, EthernetSegment.INLINE_HDR_START)
              .build();
      case REMOTE_ADDRESS ->
          Layout.define("raddr", RemoteAddressSegment.BYTES)
              .always(HEX, RemoteAddressSegment.ADDRESS, RemoteAddressSegment.RKEY)
              .build();
      case COMPARE_SWAP ->
          Layout.define("atomic", AtomicSegment.BYTES)
              .always(HEX, AtomicSegment.SWAP, AtomicSegment.COMPARE)
              .build();
      case FETCH_ADD ->
          Layout.define("atomic", AtomicSegment.BYTES)
              .always(HEX, AtomicSegment.ADD)
              .ifSet(HEX, AtomicSegment.COMPARE)
              .build();
      case MASKED_COMPARE_SWAP_4 -> masked("masked_cs4", MaskedCompareSwap.OF_4);
      case MASKED_COMPARE_SWAP_8 -> masked("masked_cs8", MaskedCompareSwap.OF_8);
      case MASKED_COMPARE_SWAP_16 -> masked("masked_cs16", MaskedCompareSwap.OF_16);
      case MASKED_FETCH_ADD_4 -> masked("masked_fa4", MaskedFetchAdd.OF_4);
      case MASKED_FETCH_ADD_8 -> masked("masked_fa8", MaskedFetchAdd.OF_8);
      case MASKED_FETCH_ADD_16 -> masked("masked_fa16", MaskedFetchAdd.OF_16);
      case UMR ->
          Layout.define("umr", UmrSegment.BYTES)
              .always(HEX, UmrSegment.FLAGS)
              .always(DECIMAL, UmrSegment.KLM_OCTOWORDS)
              .ifSet(DECIMAL, UmrSegment.TRANSLATION_OFFSET)
              .always(HEX, UmrSegment.MKEY_MASK)
              .ifSet(HEX, UmrSegment.TRANSLATION_OFFSET_47_16)
              .build();
      case MKEY -> Layout.define("mkc", segment.bytes()).structure("", 0, Mkc.STRUCTURE).build();
      case PSV ->
          Layout.define("psv", PsvSegment.BYTES)
              .always(HEX, PsvSegment.PSV_INDEX)
              .ifSet(HEX, PsvSegment.SYNDROME)
              .always(HEX, PsvSegment.TRANSIENT_SIGNATURE)
              .build();
      case WAIT ->
          Layout.define("wait", QueueSegment.BYTES)
              .always(DECIMAL, QueueSegment.PRODUCER_INDEX)
              .always(HEX, QueueSegment.CQN)
              .build();
      case WAIT_VALUE ->
          Layout.define("wait_value", WaitValueSegment.BYTES)
              .always(
                  HEX,
                  WaitValueSegment.OPERATION,
                  WaitValueSegment.LKEY,
                  WaitValueSegment.ADDRESS,
                  WaitValueSegment.VALUE,
                  WaitValueSegment.MASK)
              .build();
      case ENABLE ->
          Layout.define("enable", QueueSegment.BYTES)
              .always(DECIMAL, QueueSegment.MAX_INDEX)
              .always(HEX, QueueSegment.QPN)
              .build();
      case TAG_MATCHING ->
          Layout.define("tm", TagMatchingSegment.BYTES)
              .always(TAG_OPERATION, TagMatchingSegment.OPCODE)
              .always(HEX, TagMatchingSegment.FLAGS)
              .always(DECIMAL, TagMatchingSegment.INDEX)
              .ifSet(DECIMAL, TagMatchingSegment.SW_CNT)
              .ifSet(HEX, TagMatchingSegment.APPEND_TAG, TagMatchingSegment.APPEND_MASK)
              .build();
      case MMO ->
          Layout.define("mmo", MmoSegment.BYTES)
              .ifSet(HEX, MmoSegment.CONTROL_31_0)
              .always(HEX, MmoSegment.LKEY, MmoSegment.ADDRESS)
              .build();
      case TRANSPOSE ->
          Layout.define("transpose", TransposeSegment.BYTES)
              .always(
                  DECIMAL,
                  TransposeSegment.ELEMENT_SIZE,
                  TransposeSegment.COLUMNS,
                  TransposeSegment.ROWS)
              .build();
      case TRANSLATION, GATHER, SCATTER ->
          throw new IllegalArgumentException(segment + " is a list");
    };
  }

  private static Layout.Builder control() {
    return Layout.define("ctrl", ControlSegment.BYTES)
        .always(OPCODES, ControlSegment.OPCODE)
        .ifSet(HEX, ControlSegment.OPMOD)
        .always(DECIMAL, ControlSegment.INDEX)
        .always(HEX, ControlSegment.QPN)
        .always(DECIMAL, ControlSegment.DS)
        .always(COMPLETION, ControlSegment.COMPLETION_MODE)
        .ifSet(FENCE, ControlSegment.FENCE_MODE)
        .ifSet(DECIMAL, ControlSegment.SOLICITED_EVENT, ControlSegment.STREAM)
        .ifSet(HEX, ControlSegment.SIGNATURE);
  }

  private static Layout.Builder datagram(String keyword, int bytes) {
    Layout.Builder key = Layout.define(keyword, bytes).always(HEX, AddressVector.QKEY);
    return destination(key, AddressVector.DQPN);
  }

  private static Layout.Builder dynamic(String keyword, int bytes) {
    Layout.Builder key = Layout.define(keyword, bytes).always(HEX, AddressVector.DC_KEY);
    return destination(key, AddressVector.DCTN);
  }

  private static Layout.Builder destination(Layout.Builder av, Field number) {
    return av.always(DECIMAL, AddressVector.EXT)
        .always(HEX, number)
        .ifSet(DECIMAL, AddressVector.STAT_RATE, AddressVector.SL, AddressVector.FL)
        .ifSet(HEX, AddressVector.MLID, AddressVector.RLID);
  }

  private static Layout.Builder addressPath(Layout.Builder av) {
    return av.ifSet(HEX, AddressVector.RMAC, AddressVector.TCLASS)
        .ifSet(DECIMAL, AddressVector.HOP_LIMIT, AddressVector.GRH, AddressVector.SRC_ADDR_INDEX)
        .ifSet(HEX, AddressVector.FLOW_LABEL, AddressVector.RGID);
  }

  private static Layout masked(String keyword, MaskedCompareSwap operands) {
    return Layout.define(keyword, operands.bytes())
        .always(
            HEX, operands.swap(), operands.compare(), operands.swapMask(), operands.compareMask())
        .build();
  }

  private static Layout masked(String keyword, MaskedFetchAdd operands) {
    return Layout.define(keyword, operands.bytes())
        .always(HEX, operands.add(), operands.fieldBoundary())
        .build();
  }
}
