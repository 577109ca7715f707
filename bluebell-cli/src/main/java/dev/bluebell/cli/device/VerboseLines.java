package dev.bluebell.cli.device;

import dev.bluebell.hca.Hca;
import dev.bluebell.uverbs.DeviceAnswers;
import java.util.ArrayList;
import java.util.List;

/**
 * The lines of {@code ibv_devinfo -v} for a device, with the values that applications of rdma-core
 * see. Mirrors {@code devinfo.c: print_hca_cap}; an attribute that the kernel does not return is 0
 * in both.
 */
final class VerboseLines {
  private static final int NESTED = 2;

  private final Hca hca;
  private final Answers answers;
  private final List<Attribute> lines = new ArrayList<>();

  private VerboseLines(Hca hca) {
    this.hca = hca;
    answers = new Answers(DeviceAnswers.device(hca));
  }

  static List<Attribute> of(Hca hca) {
    VerboseLines lines = new VerboseLines(hca);
    lines.addIdentity();
    lines.addLimits();
    lines.addOnDemand();
    lines.addExtensions();
    lines.addTagMatching();
    lines.addModeration();
    lines.addRest();
    return lines.lines;
  }

  private long number(String name) {
    return answers.number(name);
  }

  private void add(Attribute attribute) {
    lines.add(attribute);
  }

  private void add(String label, String value) {
    add(Attribute.of(label, value));
  }

  /** Adds attributes by name. */
  private void addNumbers(String... names) {
    for (String name : names) {
      add(Attribute.of(name, number(name)));
    }
  }

  private void addNested(String label, int column, String value) {
    add(Attribute.of(label, value).at(NESTED, column));
  }

  private static String guid(long bigEndian) {
    return "%016x".formatted(Long.reverseBytes(bigEndian)).replaceAll("(.{4})(?!$)", "$1:");
  }

  private void addIdentity() {
    add("transport", "InfiniBand (0)");
    add("fw_ver", hca.identity().firmware());
    add("node_guid", guid(number("node_guid")));
    add("sys_image_guid", guid(number("sys_image_guid")));
    add("vendor_id", "0x%04x".formatted(number("vendor_id")));
    addNumbers("vendor_part_id");
    add("hw_ver", "0x%X".formatted(number("hw_ver")));
    add("board_id", hca.identity().board());
    addNumbers("phys_port_cnt");
  }

  private void addLimits() {
    add("max_mr_size", "0x%x".formatted(number("max_mr_size")));
    add("page_size_cap", "0x%x".formatted(number("page_size_cap")));
    addNumbers("max_qp", "max_qp_wr");
    long flags = number("device_cap_flags");
    add(
        Attribute.of("device_cap_flags", "0x%08x".formatted(flags))
            .with(FlagNames.DEVICE.of(flags)));
    addNumbers(
        "max_sge",
        "max_sge_rd",
        "max_cq",
        "max_cqe",
        "max_mr",
        "max_pd",
        "max_qp_rd_atom",
        "max_ee_rd_atom",
        "max_res_rd_atom",
        "max_qp_init_rd_atom",
        "max_ee_init_rd_atom");
    long atomics = number("atomic_cap");
    add(
        "atomic_cap",
        "%s (%d)"
            .formatted(
                atomics == 0 ? "ATOMIC_NONE" : atomics == 1 ? "ATOMIC_HCA" : "ATOMIC_GLOB",
                atomics));
    addNumbers(
        "max_ee",
        "max_rdd",
        "max_mw",
        "max_raw_ipv6_qp",
        "max_raw_ethy_qp",
        "max_mcast_grp",
        "max_mcast_qp_attach",
        "max_total_mcast_qp_attach",
        "max_ah",
        "max_fmr",
        "max_srq",
        "max_srq_wr",
        "max_srq_sge",
        "max_pkeys",
        "local_ca_ack_delay");
  }

  private void addOnDemand() {
    add(
        Attribute.of("general_odp_caps", "")
            .with(FlagNames.ON_DEMAND.of(number("odp_caps.general_caps"))));
    for (String service : List.of("rc", "uc", "ud")) {
      addOnDemand(service, number("odp_caps.per_transport_caps.%s_odp_caps".formatted(service)));
    }
    addOnDemand("xrc", number("xrc_odp_caps"));
  }

  private void addOnDemand(String service, long bits) {
    add(
        Attribute.of(service + "_odp_caps", "")
            .with(bits == 0 ? List.of("NO SUPPORT") : FlagNames.ON_DEMAND_OF_TRANSPORT.of(bits)));
  }

  private void addExtensions() {
    add(
        Attribute.of("completion timestamp_mask", "0x%016x".formatted(number("timestamp_mask")))
            .as("completion_timestamp_mask")
            .at(1, 7));
    add("hca_core_clock", number("hca_core_clock") + "kHZ");
    add("device_cap_flags_ex", "0x%X".formatted(number("device_cap_flags_ex")));
    add("tso_caps", "");
    addNested("max_tso", 6, "0");
    add("rss_caps", "");
    addNested("max_rwq_indirection_tables", 8, "0");
    addNested("max_rwq_indirection_table_size", 8, "0");
    addNested("rx_hash_function", 8, "0x0");
    addNested("rx_hash_fields_mask", 8, "0x0");
    addNumbers("max_wq_type_rq");
    add("packet_pacing_caps", "");
    addNested("qp_rate_limit_min", 5, "0kbps");
    addNested("qp_rate_limit_max", 5, "0kbps");
  }

  private void addTagMatching() {
    for (String name : List.of("max_rndv_hdr_size", "max_num_tags", "max_ops", "max_sge")) {
      Attribute line = Attribute.of(name, number("tm_caps." + name));
      add(name.equals("max_sge") ? line.as("tm_max_sge") : line);
    }
    add(
        Attribute.of("flags", "")
            .as("tm_flags")
            .with(FlagNames.TAG_MATCHING.of(number("tm_caps.flags"))));
  }

  private void addModeration() {
    add(Attribute.BLANK);
    add("cq moderation caps", "");
    addNested("max_cq_count", 4, "" + number("cq_moderation_caps.max_cq_moderation_count"));
    addNested(
        "max_cq_period",
        4,
        "%d us".formatted(number("cq_moderation_caps.max_cq_moderation_period")));
    add(Attribute.BLANK);
  }

  private void addRest() {
    long memory = number("max_dm_size");
    if (memory != 0) {
      add(
          Attribute.of("maximum available device memory", memory + "Bytes")
              .as("max_dm_size")
              .at(1, 6));
      add(Attribute.BLANK);
    }
    add(Attribute.of("num_comp_vectors", hca.completionVectors()));
  }
}
