package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.require;
import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.VportCommands.HcaVportContext;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportContextIn;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportContextOut;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportGidIn;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportGidOut;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportPkeyIn;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportPkeyOut;
import dev.bluebell.hca.command.VportCommands.QueryRoceAddressIn;
import dev.bluebell.hca.command.VportCommands.QueryRoceAddressOut;
import dev.bluebell.hca.command.VportCommands.RoceAddrLayout;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.port.EthernetPort;
import dev.bluebell.softnic.port.Port;
import java.nio.ByteBuffer;

/**
 * Queries of the port: QUERY_HCA_VPORT_CONTEXT, QUERY_HCA_VPORT_GID, QUERY_HCA_VPORT_PKEY,
 * QUERY_ROCE_ADDRESS.
 */
final class PortCommands {
  // mlx5 device.h: MLX5_ROCE_VERSION_*, MLX5_ROCE_L3_TYPE_*.
  static final int ROCE_V1 = 0;
  static final int ROCE_V2 = 2;
  private static final int ROCE_L3_IPV6 = 1;

  // ib_verbs.h: ib_port_state, ib_port_phys_state.
  static final int PORT_ACTIVE = 4;
  static final int PORT_DOWN = 1;
  static final int LINK_UP = 5;
  static final int LINK_POLLING = 2;

  // IDs of a ConnectX-7.
  static final int VENDOR_ID = 0x02c9;
  static final int DEVICE_ID = 0x1021;

  /**
   * ib_verbs.h: IB_PORT_*_SUP. Traps, automatic migration, SL mapping, LED, system image GUID,
   * extended speeds, cap_mask2, connection management, device management, client reregistration: as
   * ports of cards report.
   */
  static final int CAPABILITIES = 0x2651_e848;

  /** ib_verbs.h: IB_PORT_LINK_SPEED_HDR_SUP, IB_PORT_LINK_SPEED_NDR_SUP. */
  private static final int MORE_CAPABILITIES = 1 << 5 | 1 << 10;

  static final int SUBNET_TIMEOUT = 18;
  private static final int ALL_ENTRIES = 0xffff;
  private static final int GID_BYTES = 16;

  private final Port port;
  private final Counters counters;

  PortCommands(Port port, Counters counters) {
    this.port = port;
    this.counters = counters;
  }

  private void requireInfiniBand(String what) {
    require(
        port.linkLayer() == LinkLayer.INFINIBAND,
        CommandStatus.BAD_OP,
        "an Ethernet port has no %s; open the device with link=infiniband",
        what);
  }

  private static void requireOwn(boolean other, int portNumber, int vport) {
    requireValid(
        !other && vport == 0 && portNumber <= Port.NUMBER,
        "port_num %d, vport_number %d, other_vport %d: this device has port 1 and its own vport"
            + " only",
        portNumber,
        vport,
        other ? 1 : 0);
  }

  View context(View in) {
    requireInfiniBand("HCA vport context");
    requireOwn(
        in.isSet(QueryHcaVportContextIn.OTHER_VPORT),
        in.getInt(QueryHcaVportContextIn.PORT_NUM),
        in.getInt(QueryHcaVportContextIn.VPORT_NUMBER));
    View out = View.of(QueryHcaVportContextOut.STRUCTURE);
    View context = out.at(QueryHcaVportContextOut.HCA_VPORT_CONTEXT);
    int state = port.isActive() ? PORT_ACTIVE : PORT_DOWN;
    context
        .set(HcaVportContext.PORT_PHYSICAL_STATE, port.isActive() ? LINK_UP : LINK_POLLING)
        .set(HcaVportContext.PORT_STATE, state)
        .set(HcaVportContext.VPORT_STATE, state)
        .set(HcaVportContext.SYSTEM_IMAGE_GUID, port.guid())
        .set(HcaVportContext.PORT_GUID, port.guid())
        .set(HcaVportContext.NODE_GUID, port.guid());
    context
        .set(HcaVportContext.CAP_MASK1, CAPABILITIES)
        .set(HcaVportContext.CAP_MASK2, MORE_CAPABILITIES)
        .set(HcaVportContext.LID, port.lid())
        .set(HcaVportContext.LMC, port.lmc())
        .set(HcaVportContext.SUBNET_TIMEOUT, SUBNET_TIMEOUT)
        .set(HcaVportContext.SM_LID, port.subnetManager())
        .set(HcaVportContext.QKEY_VIOLATION_COUNTER, counters.queueKeyViolations())
        .set(HcaVportContext.PKEY_VIOLATION_COUNTER, counters.partitionKeyViolations());
    return out;
  }

  View gids(View in) {
    requireInfiniBand("HCA vport GIDs");
    requireOwn(
        in.isSet(QueryHcaVportGidIn.OTHER_VPORT),
        in.getInt(QueryHcaVportGidIn.PORT_NUM),
        in.getInt(QueryHcaVportGidIn.VPORT_NUMBER));
    int index = in.getInt(QueryHcaVportGidIn.GID_INDEX);
    int first = first(index, Port.GID_TABLE_LENGTH, "gid_index");
    int count = index == ALL_ENTRIES ? Port.GID_TABLE_LENGTH : 1;
    int header = QueryHcaVportGidOut.STRUCTURE.bytes();
    View out =
        View.of(QueryHcaVportGidOut.STRUCTURE, count * GID_BYTES)
            .set(QueryHcaVportGidOut.GIDS_NUM, count);
    ByteBuffer entries = ByteBuffer.wrap(out.bytes()).position(header);
    for (int i = 0; i < count; i++) {
      Gid gid = port.gid(first + i);
      entries.putLong(gid.high()).putLong(gid.low());
    }
    return out;
  }

  View partitionKeys(View in) {
    requireOwn(
        in.isSet(QueryHcaVportPkeyIn.OTHER_VPORT),
        in.getInt(QueryHcaVportPkeyIn.PORT_NUM),
        in.getInt(QueryHcaVportPkeyIn.VPORT_NUMBER));
    int index = in.getInt(QueryHcaVportPkeyIn.PKEY_INDEX);
    int first = first(index, port.partitionKeys(), "pkey_index");
    int count = index == ALL_ENTRIES ? port.partitionKeys() : 1;
    View out = View.of(QueryHcaVportPkeyOut.STRUCTURE, count * Integer.BYTES);
    ByteBuffer entries =
        ByteBuffer.wrap(out.bytes()).position(QueryHcaVportPkeyOut.STRUCTURE.bytes());
    for (int i = 0; i < count; i++) {
      entries.putInt(port.partitionKey(first + i));
    }
    return out;
  }

  private static int first(int index, int length, String name) {
    requireValid(
        index < length || index == ALL_ENTRIES,
        "%s %d: the table has %d entries; 0xffff asks for all",
        name,
        index,
        length);
    return index == ALL_ENTRIES ? 0 : index;
  }

  View roceAddress(View in) {
    require(
        port.linkLayer() == LinkLayer.ETHERNET,
        CommandStatus.BAD_OP,
        "an InfiniBand port has no RoCE addresses (roce is 0)");
    int index = in.getInt(QueryRoceAddressIn.ROCE_ADDRESS_INDEX);
    requireValid(
        index < Port.GID_TABLE_LENGTH,
        "roce_address_index %d: the GID table has %d entries",
        index,
        Port.GID_TABLE_LENGTH);
    View out = View.of(QueryRoceAddressOut.STRUCTURE);
    Gid gid = port.gid(index);
    if (!gid.equals(Gid.ZERO)) {
      out.at(QueryRoceAddressOut.ROCE_ADDRESS)
          .setBytes(RoceAddrLayout.SOURCE_L3_ADDRESS, gid.bytes())
          .set(RoceAddrLayout.SOURCE_MAC_47_32, port.mac() >>> 32)
          .set(RoceAddrLayout.SOURCE_MAC_31_0, port.mac() & 0xffffffffL)
          .set(RoceAddrLayout.ROCE_L3_TYPE, gid.isIpv4() ? 0 : ROCE_L3_IPV6)
          .set(RoceAddrLayout.ROCE_VERSION, EthernetPort.isV1(index) ? ROCE_V1 : ROCE_V2);
    }
    return out;
  }
}
