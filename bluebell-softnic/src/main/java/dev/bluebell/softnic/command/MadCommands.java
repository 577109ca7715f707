package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.require;
import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CounterCommands.QueryVportCounterOut;
import dev.bluebell.hca.command.VportCommands.MadIfcIn;
import dev.bluebell.hca.command.VportCommands.MadIfcOut;
import dev.bluebell.hca.counter.PerformanceMad;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.port.Port;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * MAD_IFC: subnet management of the port by packets, and its counters, read-only. Mirrors the
 * InfiniBand Architecture, volume 1, 14.2 and 16.1.
 */
final class MadCommands {
  private static final int MAD_BYTES = 256;
  private static final int LID_ROUTED = 0x01;
  private static final int DIRECTED = 0x81;
  private static final int GET = 0x01;
  private static final int GET_RESPONSE = 0x81;

  private static final int CLASS_AT = 1;
  private static final int METHOD_AT = 3;
  private static final int STATUS_AT = 4;
  private static final int ATTRIBUTE_AT = 16;
  private static final int MODIFIER_AT = 20;
  private static final int DATA_AT = 64;
  private static final int DATA_BYTES = 64;

  /** Offset of PortXmitData in the data of PortCounters. */
  private static final int TRAFFIC_AT = 24;

  private static final int NODE_DESCRIPTION = 0x10;
  private static final int NODE_INFO = 0x11;
  private static final int GUID_INFO = 0x14;
  private static final int PORT_INFO = 0x15;
  private static final int PARTITION_KEY_TABLE = 0x16;

  private static final short UNSUPPORTED_METHOD = 2 << 2;
  private static final short UNSUPPORTED_ATTRIBUTE = 3 << 2;
  private static final short INVALID_VALUE = 7 << 2;

  /** Code of 8 lanes. */
  private static final int VIRTUAL_LANES = 4;

  private static final int KEYS_IN_BLOCK = 32;
  private static final int GUIDS_IN_BLOCK = 8;
  private static final int CHANNEL_ADAPTER = 1;
  private static final int WIDTH_4X = 2;
  private static final int ALL_WIDTHS = 3;

  private final Port port;
  private final Counters counters;

  MadCommands(Port port, Counters counters) {
    this.port = port;
    this.counters = counters;
  }

  View answer(View in) {
    requireValid(
        in.getInt(MadIfcIn.PORT) <= Port.NUMBER,
        "port %d: this device has port 1 only",
        in.getInt(MadIfcIn.PORT));
    ByteBuffer mad = ByteBuffer.wrap(in.getBytes(MadIfcIn.MAD));
    int managed = mad.get(CLASS_AT) & 0xff;
    boolean counted = managed == PerformanceMad.CLASS;
    requireValid(
        managed == LID_ROUTED || managed == DIRECTED || counted,
        "management class 0x%02x: this device answers subnet management (0x01, 0x81) and"
            + " performance management (0x04) only",
        managed);
    require(
        counted || port.linkLayer() == LinkLayer.INFINIBAND,
        CommandStatus.BAD_OP,
        "an Ethernet port has no subnet management; open the device with link=infiniband");
    ByteBuffer answer = ByteBuffer.allocate(MAD_BYTES).put(0, mad.array(), 0, DATA_AT);
    answer.put(METHOD_AT, (byte) GET_RESPONSE);
    short attribute = mad.getShort(ATTRIBUTE_AT);
    ByteBuffer data = answer.slice(DATA_AT, DATA_BYTES);
    short status = UNSUPPORTED_METHOD;
    if (mad.get(METHOD_AT) == GET) {
      status = counted ? count(attribute, data) : read(attribute, mad.getInt(MODIFIER_AT), data);
    }
    answer.putShort(STATUS_AT, status);
    return View.of(MadIfcOut.STRUCTURE).setBytes(MadIfcOut.RESPONSE_MAD_PACKET, answer.array());
  }

  private short read(int attribute, int modifier, ByteBuffer data) {
    switch (attribute) {
      case NODE_DESCRIPTION -> describe(data);
      case NODE_INFO -> nodeInfo(data);
      case PORT_INFO -> portInfo(data);
      case GUID_INFO -> {
        if (modifier != 0) {
          return INVALID_VALUE;
        }
        for (int i = 0; i < GUIDS_IN_BLOCK; i++) {
          data.putLong(port.gid(i).low());
        }
      }
      case PARTITION_KEY_TABLE -> {
        int block = modifier & 0xffff;
        if (block >= port.partitionKeys() / KEYS_IN_BLOCK) {
          return INVALID_VALUE;
        }
        for (int i = 0; i < KEYS_IN_BLOCK; i++) {
          data.putShort((short) port.partitionKey(block * KEYS_IN_BLOCK + i));
        }
      }
      default -> {
        return UNSUPPORTED_ATTRIBUTE;
      }
    }
    return 0;
  }

  private short count(int attribute, ByteBuffer data) {
    if (attribute != PerformanceMad.PORT_COUNTERS) {
      return UNSUPPORTED_ATTRIBUTE;
    }
    View traffic = counters.traffic();
    data.put(1, (byte) Port.NUMBER)
        .put(PerformanceMad.LINK_DOWNED_AT, (byte) Math.min(port.downs(), 0xff))
        .position(TRAFFIC_AT)
        .putInt(stopped(traffic.get(QueryVportCounterOut.TRANSMITTED_IB_UNICAST_OCTETS) / 4))
        .putInt(stopped(traffic.get(QueryVportCounterOut.RECEIVED_IB_UNICAST_OCTETS) / 4))
        .putInt(stopped(traffic.get(QueryVportCounterOut.TRANSMITTED_IB_UNICAST_PACKETS)))
        .putInt(stopped(traffic.get(QueryVportCounterOut.RECEIVED_IB_UNICAST_PACKETS)));
    return 0;
  }

  /** A counter of 32 bits, which stops at its largest value. */
  private static int stopped(long count) {
    return (int) Math.min(count, 0xffff_ffffL);
  }

  private static void describe(ByteBuffer data) {
    data.put("Bluebell software ConnectX".getBytes(StandardCharsets.US_ASCII));
  }

  private void nodeInfo(ByteBuffer data) {
    data.put((byte) 1).put((byte) 1).put((byte) CHANNEL_ADAPTER).put((byte) Port.NUMBER);
    data.putLong(port.guid()).putLong(port.guid()).putLong(port.guid());
    data.putShort((short) port.partitionKeys());
    data.putShort((short) PortCommands.DEVICE_ID).putInt(0);
    data.putInt(Port.NUMBER << 24 | PortCommands.VENDOR_ID);
  }

  private void portInfo(ByteBuffer data) {
    int state = port.isActive() ? PortCommands.PORT_ACTIVE : PortCommands.PORT_DOWN;
    int physical = port.isActive() ? PortCommands.LINK_UP : PortCommands.LINK_POLLING;
    int mtu = port.mtuCode();
    data.putLong(0).putLong(port.gid(0).high());
    data.putShort((short) port.lid()).putShort((short) port.subnetManager());
    data.putInt(PortCommands.CAPABILITIES).putInt(0);
    data.put((byte) Port.NUMBER);
    data.put((byte) ALL_WIDTHS).put((byte) ALL_WIDTHS).put((byte) WIDTH_4X);
    data.put((byte) state)
        .put((byte) (physical << 4 | PortCommands.LINK_POLLING))
        .put((byte) port.lmc())
        .put((byte) 0);
    data.put((byte) (mtu << 4)).put((byte) (VIRTUAL_LANES << 4)).put((byte) 0).put((byte) 0);
    data.put((byte) 0).put((byte) mtu).put((byte) 0).put((byte) (VIRTUAL_LANES << 4));
    data.putShort((short) 0)
        .putShort((short) counters.partitionKeyViolations())
        .putShort((short) counters.queueKeyViolations());
    data.put((byte) GUIDS_IN_BLOCK).put((byte) PortCommands.SUBNET_TIMEOUT);
  }
}
