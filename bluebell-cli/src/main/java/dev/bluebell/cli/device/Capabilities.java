package dev.bluebell.cli.device;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.command.Capabilities.AtomicCaps;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The capabilities of a device, beyond the limits that the driver uses. Mirrors {@code mlx5_ifc.h:
 * cmd_hca_cap} and {@code mlx5_ifc.h: atomic_caps}.
 */
final class Capabilities {
  private static final List<Flag> TRANSPORTS =
      List.of(
          new Flag("RC", CmdHcaCap.RC),
          new Flag("UC", CmdHcaCap.UC),
          new Flag("UD", CmdHcaCap.UD),
          new Flag("XRC", CmdHcaCap.XRC),
          new Flag("DC", CmdHcaCap.DCT));
  private static final List<Flag> COMPRESSION =
      List.of(
          new Flag("basic", CmdHcaCap.CQE_COMPRESSION),
          new Flag("enhanced", CmdHcaCap.ENHANCED_CQE_COMPRESSION),
          new Flag("128B", CmdHcaCap.CQE_COMPRESSION_128));
  private static final List<Flag> RELAXED =
      List.of(
          new Flag("write", CmdHcaCap.RELAXED_ORDERING_WRITE),
          new Flag("read", CmdHcaCap.RELAXED_ORDERING_READ));
  private static final List<Flag> OUT_OF_ORDER =
      List.of(
          new Flag("RC", CmdHcaCap.DP_ORDERING_OOO_ALL_RC),
          new Flag("UC", CmdHcaCap.DP_ORDERING_OOO_ALL_UC),
          new Flag("UD", CmdHcaCap.DP_ORDERING_OOO_ALL_UD),
          new Flag("XRC", CmdHcaCap.DP_ORDERING_OOO_ALL_XRC),
          new Flag("DC", CmdHcaCap.DP_ORDERING_OOO_ALL_DC));

  /**
   * Names of the bits of atomic_operations, lowest first: {@code device.h: MLX5_ATOMIC_OPS_*} of
   * Linux.
   */
  private static final List<String> ATOMICS =
      List.of("compare-and-swap", "fetch-and-add", "masked-cas", "masked-faa");

  private static final int ATOMIC_SIZES = 16;

  private final Hca hca;

  /** A capability of one bit. */
  private record Flag(String name, Field bit) {}

  /** As {@code main.c: mlx5_ib_query_device} of Linux reports them; 2A would replace 2B. */
  private static final String WINDOW_TYPES = "1 2B";

  private Capabilities(Hca hca) {
    this.hca = hca;
  }

  /** The capabilities of a device, one per line, missing ones included. */
  static List<Attribute> of(Hca hca) {
    return new Capabilities(hca).attributes();
  }

  private List<Attribute> attributes() {
    View caps = query(CapabilityType.GENERAL);
    List<Attribute> lines = new ArrayList<>();
    lines.add(Attribute.of("transports", names(TRANSPORTS, caps)));
    if (caps.isSet(CmdHcaCap.ATOMIC)) {
      View atomics = query(CapabilityType.ATOMIC);
      lines.add(Attribute.of("atomics", operations(atomics)));
      lines.add(Attribute.of("atomic_sizes", sizes(atomics)));
    }
    lines.add(Attribute.of("max_dci_streams", streams(caps)));
    lines.add(Attribute.of("mw_types", caps.isSet(CmdHcaCap.IMAICL) ? WINDOW_TYPES : "none"));
    lines.add(Attribute.of("max_mkey_entries", 1L << caps.getInt(CmdHcaCap.LOG_MAX_KLM_LIST_SIZE)));
    lines.add(Attribute.of("max_indirection", caps.getInt(CmdHcaCap.MAX_INDIRECTION)));
    lines.add(Attribute.of("cq_moderation", caps.isSet(CmdHcaCap.CQ_MODERATION) ? "yes" : "no"));
    lines.add(Attribute.of("cqe_compression", names(COMPRESSION, caps)));
    lines.add(Attribute.of("cqe_comp_formats", compressedFormats(caps)));
    lines.add(Attribute.of("cqe_comp_max_num", caps.getInt(CmdHcaCap.CQE_COMPRESSION_MAX_NUM)));
    lines.add(Attribute.of("relaxed_ordering", names(RELAXED, caps)));
    lines.add(Attribute.of("out_of_order", names(OUT_OF_ORDER, caps)));
    return lines;
  }

  private View query(int type) {
    return CapabilityType.query(hca::execute, type);
  }

  private static String names(List<Flag> flags, View caps) {
    return orNone(flags.stream().filter(flag -> caps.isSet(flag.bit())).map(Flag::name));
  }

  /** As {@code main.c: mlx5_ib_query_device} of Linux reports them. */
  private static String compressedFormats(View caps) {
    if (!caps.isSet(CmdHcaCap.CQE_COMPRESSION)) {
      return "none";
    }
    return caps.isSet(CmdHcaCap.MINI_CQE_RESP_STRIDE_INDEX) ? "hash csum csum_stridx" : "hash csum";
  }

  private static String operations(View atomics) {
    int bits = atomics.getInt(AtomicCaps.ATOMIC_OPERATIONS);
    return orNone(
        IntStream.range(0, ATOMICS.size())
            .filter(bit -> (bits >>> bit & 1) != 0)
            .mapToObj(ATOMICS::get));
  }

  /** The field has a bit for each power of two; the value of the bit is the size. */
  private static String sizes(View atomics) {
    int bits = atomics.getInt(AtomicCaps.ATOMIC_SIZE_QP);
    return orNone(
        IntStream.range(0, ATOMIC_SIZES)
            .map(log -> 1 << log)
            .filter(size -> (bits & size) != 0)
            .mapToObj(Integer::toString));
  }

  private static long streams(View caps) {
    int log = caps.getInt(CmdHcaCap.LOG_MAX_DCI_STREAM_CHANNELS);
    return caps.isSet(CmdHcaCap.DCT) && log > 0 ? 1L << log : 0;
  }

  private static String orNone(Stream<String> names) {
    return names.reduce((some, next) -> some + " " + next).orElse("none");
  }
}
