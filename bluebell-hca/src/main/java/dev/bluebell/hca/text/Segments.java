package dev.bluebell.hca.text;

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

  private static final Layout CONTROL = control().hex(ControlSegment.IMM).build();

  /** The control segments of opcodes that always have an argument. */
  private static final Map<Field, Layout> CONTROL_WITH =
      Map.of(
          ControlSegment.IMM, control().hex(ControlSegment.IMM).always().build(),
          ControlSegment.INV_KEY, control().hex(ControlSegment.INV_KEY).always().build(),
          ControlSegment.UMR_MKEY, control().hex(ControlSegment.UMR_MKEY).always().build());

  static final Layout DATA =
      Layout.define("data", DataSegment.BYTES)
          .decimal(DataSegment.BYTE_COUNT)
          .always()
          .hex(DataSegment.LKEY)
          .always()
          .hex(DataSegment.ADDRESS)
          .always()
          .build();

  /** The header without its flag; the data follow. */
  static final Layout INLINE =
      Layout.define("inline", InlineSegment.HEADER_BYTES)
          .decimal(InlineSegment.LENGTH)
          .always()
          .build();

  static final Layout AV = addressPath(datagram("av", AddressVector.BYTES)).build();
  static final Layout COMPACT_AV = datagram("compact_av", AddressVector.COMPACT_BYTES).build();
  static final Layout DC_AV = addressPath(dynamic("dc_av", AddressVector.BYTES)).build();
  static final Layout COMPACT_DC_AV = dynamic("compact_dc_av", AddressVector.COMPACT_BYTES).build();
  static final Layout KLM =
      Layout.define("klm", Klm.STRUCTURE.bytes())
          .decimal(Klm.BYTE_COUNT)
          .always()
          .hex(Klm.MKEY)
          .always()
          .hex(Klm.ADDRESS)
          .always()
          .build();
  static final Layout REPEAT =
      Layout.define("repeat", RepeatSegment.BYTES)
          .decimal(RepeatSegment.BYTE_COUNT)
          .always()
          .hex(RepeatSegment.OP)
          .always()
          .decimal(RepeatSegment.REPEAT_COUNT)
          .always()
          .decimal(RepeatSegment.NUM_ENT)
          .always()
          .build();
  static final Layout REPEAT_ENTRY =
      Layout.define("repeat_ent", RepeatEntry.BYTES)
          .decimal(RepeatEntry.STRIDE)
          .always()
          .decimal(RepeatEntry.BYTE_COUNT)
          .always()
          .hex(RepeatEntry.MKEY)
          .always()
          .hex(RepeatEntry.ADDRESS)
          .always()
          .build();
  static final Layout NEXT =
      Layout.define("next", NextSegment.BYTES)
          .decimal(NextSegment.NEXT_WQE_INDEX)
          .always()
          .hex(NextSegment.SIGNATURE)
          .build();
  static final Layout SIGNATURE =
      Layout.define("sig", ReceiveSignatureSegment.BYTES)
          .hex(ReceiveSignatureSegment.SIGNATURE)
          .always()
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
      case XRC -> Layout.define("xrc", XrcSegment.BYTES).hex(XrcSegment.SRQN).always().build();
      case ETHERNET ->
          Layout.define("eth", EthernetSegment.BYTES)
              .hex(EthernetSegment.SWP_OFFSETS)
              .hex(EthernetSegment.CS_FLAGS)
              .hex(EthernetSegment.SWP_FLAGS)
              .decimal(EthernetSegment.MSS)
              .hex(EthernetSegment.FLOW_TABLE_METADATA)
              .decimal(EthernetSegment.INLINE_HDR_SZ)
              .always()
              .hex(EthernetSegment.INLINE_HDR_START)
              .build();
      case REMOTE_ADDRESS ->
          Layout.define("raddr", RemoteAddressSegment.BYTES)
              .hex(RemoteAddressSegment.ADDRESS)
              .always()
              .hex(RemoteAddressSegment.RKEY)
              .always()
              .build();
      case COMPARE_SWAP ->
          Layout.define("atomic", AtomicSegment.BYTES)
              .hex(AtomicSegment.SWAP)
              .always()
              .hex(AtomicSegment.COMPARE)
              .always()
              .build();
      case FETCH_ADD ->
          Layout.define("atomic", AtomicSegment.BYTES)
              .hex(AtomicSegment.ADD)
              .always()
              .hex(AtomicSegment.COMPARE)
              .build();
      case MASKED_COMPARE_SWAP_4 -> masked("masked_cs4", MaskedCompareSwap.OF_4);
      case MASKED_COMPARE_SWAP_8 -> masked("masked_cs8", MaskedCompareSwap.OF_8);
      case MASKED_COMPARE_SWAP_16 -> masked("masked_cs16", MaskedCompareSwap.OF_16);
      case MASKED_FETCH_ADD_4 -> masked("masked_fa4", MaskedFetchAdd.OF_4);
      case MASKED_FETCH_ADD_8 -> masked("masked_fa8", MaskedFetchAdd.OF_8);
      case MASKED_FETCH_ADD_16 -> masked("masked_fa16", MaskedFetchAdd.OF_16);
      case UMR ->
          Layout.define("umr", UmrSegment.BYTES)
              .hex(UmrSegment.FLAGS)
              .always()
              .decimal(UmrSegment.KLM_OCTOWORDS)
              .always()
              .decimal(UmrSegment.TRANSLATION_OFFSET)
              .hex(UmrSegment.MKEY_MASK)
              .always()
              .hex(UmrSegment.TRANSLATION_OFFSET_47_16)
              .build();
      case MKEY -> Layout.define("mkc", segment.bytes()).structure("", 0, Mkc.STRUCTURE).build();
      case PSV ->
          Layout.define("psv", PsvSegment.BYTES)
              .hex(PsvSegment.PSV_INDEX)
              .always()
              .hex(PsvSegment.SYNDROME)
              .hex(PsvSegment.TRANSIENT_SIGNATURE)
              .always()
              .build();
      case WAIT ->
          Layout.define("wait", QueueSegment.BYTES)
              .decimal(QueueSegment.PRODUCER_INDEX)
              .always()
              .hex(QueueSegment.CQN)
              .always()
              .build();
      case WAIT_VALUE ->
          Layout.define("wait_value", WaitValueSegment.BYTES)
              .hex(WaitValueSegment.OPERATION)
              .always()
              .hex(WaitValueSegment.LKEY)
              .always()
              .hex(WaitValueSegment.ADDRESS)
              .always()
              .hex(WaitValueSegment.VALUE)
              .always()
              .hex(WaitValueSegment.MASK)
              .always()
              .build();
      case ENABLE ->
          Layout.define("enable", QueueSegment.BYTES)
              .decimal(QueueSegment.MAX_INDEX)
              .always()
              .hex(QueueSegment.QPN)
              .always()
              .build();
      case TAG_MATCHING ->
          Layout.define("tm", TagMatchingSegment.BYTES)
              .symbol(TagMatchingSegment.OPCODE, TAG_OPERATION)
              .always()
              .hex(TagMatchingSegment.FLAGS)
              .always()
              .decimal(TagMatchingSegment.INDEX)
              .always()
              .decimal(TagMatchingSegment.SW_CNT)
              .hex(TagMatchingSegment.APPEND_TAG)
              .hex(TagMatchingSegment.APPEND_MASK)
              .build();
      case MMO ->
          Layout.define("mmo", MmoSegment.BYTES)
              .hex(MmoSegment.CONTROL_31_0)
              .hex(MmoSegment.LKEY)
              .always()
              .hex(MmoSegment.ADDRESS)
              .always()
              .build();
      case TRANSPOSE ->
          Layout.define("transpose", TransposeSegment.BYTES)
              .decimal(TransposeSegment.ELEMENT_SIZE)
              .always()
              .decimal(TransposeSegment.COLUMNS)
              .always()
              .decimal(TransposeSegment.ROWS)
              .always()
              .build();
      case TRANSLATION, GATHER, SCATTER ->
          throw new IllegalArgumentException(segment + " is a list");
    };
  }

  private static Layout.Builder control() {
    return Layout.define("ctrl", ControlSegment.BYTES)
        .symbol(ControlSegment.OPCODE, OPCODES)
        .always()
        .hex(ControlSegment.OPMOD)
        .decimal(ControlSegment.INDEX)
        .always()
        .hex(ControlSegment.QPN)
        .always()
        .decimal(ControlSegment.DS)
        .always()
        .symbol(ControlSegment.COMPLETION_MODE, COMPLETION)
        .always()
        .symbol(ControlSegment.FENCE_MODE, FENCE)
        .decimal(ControlSegment.SOLICITED_EVENT)
        .decimal(ControlSegment.STREAM)
        .hex(ControlSegment.SIGNATURE);
  }

  private static Layout.Builder datagram(String keyword, int bytes) {
    Layout.Builder key = Layout.define(keyword, bytes).hex(AddressVector.QKEY).always();
    return destination(key, AddressVector.DQPN);
  }

  private static Layout.Builder dynamic(String keyword, int bytes) {
    Layout.Builder key = Layout.define(keyword, bytes).hex(AddressVector.DC_KEY).always();
    return destination(key, AddressVector.DCTN);
  }

  private static Layout.Builder destination(Layout.Builder av, Field number) {
    return av.decimal(AddressVector.EXT)
        .always()
        .hex(number)
        .always()
        .decimal(AddressVector.STAT_RATE)
        .decimal(AddressVector.SL)
        .decimal(AddressVector.FL)
        .hex(AddressVector.MLID)
        .hex(AddressVector.RLID);
  }

  private static Layout.Builder addressPath(Layout.Builder av) {
    return av.hex(AddressVector.RMAC)
        .hex(AddressVector.TCLASS)
        .decimal(AddressVector.HOP_LIMIT)
        .decimal(AddressVector.GRH)
        .decimal(AddressVector.SRC_ADDR_INDEX)
        .hex(AddressVector.FLOW_LABEL)
        .hex(AddressVector.RGID);
  }

  private static Layout masked(String keyword, MaskedCompareSwap operands) {
    return Layout.define(keyword, operands.bytes())
        .hex(operands.swap())
        .always()
        .hex(operands.compare())
        .always()
        .hex(operands.swapMask())
        .always()
        .hex(operands.compareMask())
        .always()
        .build();
  }

  private static Layout masked(String keyword, MaskedFetchAdd operands) {
    return Layout.define(keyword, operands.bytes())
        .hex(operands.add())
        .always()
        .hex(operands.fieldBoundary())
        .always()
        .build();
  }
}
