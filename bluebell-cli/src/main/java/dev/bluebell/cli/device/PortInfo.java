package dev.bluebell.cli.device;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.uverbs.DeviceAnswers;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.GidType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A port in the terms of {@code devinfo.c: print_hca_cap}.
 *
 * @param number from 1
 * @param attributes by label, in the order of ibv_devinfo
 * @param gids entries of its GID table that are not empty
 */
record PortInfo(int number, List<Attribute> attributes, List<GidEntry> gids) {
  /** An entry of the GID table. */
  record GidEntry(int index, Gid gid, GidType type) {
    /** In the format of ibv_devinfo: types only for RoCE, and IP addresses only for RoCE v2. */
    String text() {
      return switch (type) {
        case INFINIBAND -> gid.toString();
        case ROCE_V1 -> "%s, %s".formatted(gid, type);
        case ROCE_V2 -> "%s, %s".formatted(Ipv6Text.of(gid), type);
      };
    }
  }

  /** Names of {@code verbs.h: ibv_port_state}. */
  private static final List<String> STATES =
      List.of("PORT_NOP", "PORT_DOWN", "PORT_INIT", "PORT_ARMED", "PORT_ACTIVE");

  private static final List<String> PHYSICAL_STATES =
      List.of(
          "invalid physical state",
          "SLEEP",
          "POLLING",
          "DISABLED",
          "PORT_CONFIGURATION TRAINNING",
          "LINK_UP",
          "LINK_ERROR_RECOVERY",
          "PHY TEST");

  private static final Map<Long, String> WIDTHS =
      Map.of(1L, "1", 2L, "4", 4L, "8", 8L, "12", 16L, "2");

  private static final Map<Long, String> SPEEDS =
      Map.ofEntries(
          Map.entry(1L, "2.5 Gbps"),
          Map.entry(2L, "5.0 Gbps"),
          Map.entry(4L, "10.0 Gbps"),
          Map.entry(8L, "10.0 Gbps"),
          Map.entry(16L, "14.0 Gbps"),
          Map.entry(32L, "25.0 Gbps"),
          Map.entry(64L, "50.0 Gbps"),
          Map.entry(128L, "100.0 Gbps"));

  private static final Map<Long, String> LANES =
      Map.of(1L, "1", 2L, "2", 3L, "4", 4L, "8", 5L, "15");

  /** From {@code ib_verbs.h: ib_mtu}: log2 of the MTU, less its code; 256 bytes have code 1. */
  private static final int LOG_SMALLEST_MTU = 7;

  static PortInfo of(Device device, Hca hca, int number) {
    Answers answers = new Answers(DeviceAnswers.port(hca, number));
    HcaPort port = device.port(number);
    List<Attribute> attributes = new ArrayList<>();
    add(attributes, "state", named(STATES, answers.number("state")));
    add(attributes, "max_mtu", mtu(answers.number("max_mtu")));
    add(attributes, "active_mtu", mtu(answers.number("active_mtu")));
    add(attributes, "sm_lid", "" + port.smLid());
    add(attributes, "port_lid", "" + port.lid());
    add(attributes, "port_lmc", "0x%02x".formatted(port.lmc()));
    add(attributes, "link_layer", port.linkLayer().toString());
    add(attributes, "max_msg_sz", "0x%x".formatted(answers.number("max_msg_sz")));
    add(attributes, "port_cap_flags", "0x%08x".formatted(answers.number("port_cap_flags")));
    add(attributes, "port_cap_flags2", "0x%04x".formatted(answers.number("port_cap_flags2")));
    add(attributes, "max_vl_num", named(LANES, "invalid value", "", answers.number("max_vl_num")));
    add(attributes, "bad_pkey_cntr", "0x%x".formatted(answers.number("bad_pkey_cntr")));
    add(attributes, "qkey_viol_cntr", "0x%x".formatted(answers.number("qkey_viol_cntr")));
    for (String name :
        List.of("sm_sl", "pkey_tbl_len", "gid_tbl_len", "subnet_timeout", "init_type_reply")) {
      add(attributes, name, "" + answers.number(name));
    }
    add(
        attributes,
        "active_width",
        named(WIDTHS, "invalid width", "X", answers.number("active_width")));
    add(
        attributes,
        "active_speed",
        named(SPEEDS, "invalid speed", "", answers.number("active_speed")));
    add(attributes, "phys_state", named(PHYSICAL_STATES, answers.number("phys_state")));
    return new PortInfo(number, attributes, gids(device, number, answers.number("gid_tbl_len")));
  }

  private static void add(List<Attribute> attributes, String label, String value) {
    attributes.add(Attribute.ofPort(label, value));
  }

  private static String named(List<String> names, long number) {
    return "%s (%d)".formatted(names.get((int) number), number);
  }

  private static String named(Map<Long, String> names, String other, String unit, long number) {
    return "%s%s (%d)".formatted(names.getOrDefault(number, other), unit, number);
  }

  private static List<GidEntry> gids(Device device, int number, long length) {
    List<GidEntry> gids = new ArrayList<>();
    for (int index = 0; index < length; index++) {
      Gid gid = device.gid(number, index);
      if (!gid.equals(Gid.ZERO)) {
        gids.add(new GidEntry(index, gid, device.gidType(number, index)));
      }
    }
    return gids;
  }

  private static String mtu(long code) {
    return "%d (%d)".formatted(1 << code + LOG_SMALLEST_MTU, code);
  }

  ObjectNode toJson() {
    ObjectNode object = JsonLines.object().put("port", number);
    attributes.forEach(attribute -> attribute.addTo(object));
    ArrayNode list = object.putArray("gids");
    gids.forEach(
        entry ->
            list.addObject()
                .put("index", entry.index())
                .put("gid", entry.gid().toString())
                .put("type", entry.type().toString()));
    return object;
  }
}
