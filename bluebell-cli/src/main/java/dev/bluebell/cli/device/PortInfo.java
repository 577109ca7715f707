package dev.bluebell.cli.device;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.device.DeviceInfo.Attribute;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.GidType;
import java.util.ArrayList;
import java.util.List;

/**
 * A port in the terms of {@code devinfo.c: print_hca_cap}.
 *
 * @param number from 1
 * @param attributes by label, in the order of ibv_devinfo
 * @param gids entries of its GID table that are not empty
 */
record PortInfo(int number, List<Attribute> attributes, List<GidEntry> gids) {
  /** An entry of the GID table. */
  record GidEntry(int index, Gid gid, GidType type) {}

  static PortInfo of(Device device, int number) {
    HcaPort port = device.port(number);
    List<Attribute> attributes =
        List.of(
            new Attribute("state", port.active() ? "PORT_ACTIVE (4)" : "PORT_DOWN (1)"),
            new Attribute("max_mtu", mtu(port.maxMtu())),
            new Attribute("active_mtu", mtu(port.activeMtu())),
            new Attribute("sm_lid", "0"),
            new Attribute("port_lid", "0"),
            new Attribute("port_lmc", "0x00"),
            new Attribute("link_layer", "Ethernet"),
            new Attribute("max_msg_sz", "0x%x".formatted(device.attributes().maxMessageBytes())),
            Attribute.of("pkey_tbl_len", port.pkeyTableLength()),
            Attribute.of("gid_tbl_len", port.gidTableLength()));
    List<GidEntry> gids = new ArrayList<>();
    for (int index = 0; index < port.gidTableLength(); index++) {
      Gid gid = device.gid(number, index);
      if (!gid.equals(Gid.ZERO)) {
        gids.add(new GidEntry(index, gid, device.gidType(number, index)));
      }
    }
    return new PortInfo(number, attributes, gids);
  }

  private static String mtu(int bytes) {
    return "%d (%d)".formatted(bytes, PathMtu.code(bytes));
  }

  ObjectNode toJson() {
    ObjectNode object = JsonLines.object().put("port", number);
    attributes.forEach(attribute -> object.put(attribute.label(), attribute.value()));
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
