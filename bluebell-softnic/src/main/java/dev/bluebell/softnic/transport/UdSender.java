package dev.bluebell.softnic.transport;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.packet.BthOpcode;
import dev.bluebell.softnic.packet.NetworkHeader;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.packet.Psn;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.queue.WqeDecoder;
import org.jspecify.annotations.Nullable;

/** Sends datagrams, each to where the address vector in its WQE says. */
final class UdSender implements UnreliableSender {
  private static final int SERVICE = BthOpcode.service(ServiceType.UD);
  private static final WqeDecoder DECODER =
      new WqeDecoder(
          ServiceType.UD,
          WqeOpcode.NOP,
          WqeOpcode.SEND,
          WqeOpcode.SEND_IMM,
          WqeOpcode.WAIT,
          WqeOpcode.SEND_EN,
          WqeOpcode.RECV_EN);

  private final Fabric fabric;
  private final Work work;
  private final Connection connection;
  private final Gather gather;
  private final Fault fault;
  private final Drops drops;
  private final Counters counters;
  private final Packet packet = new Packet();

  private int psn;
  private int qkey;
  private int logMessage;
  private long mac;

  // Datagrams come in trains to one destination.
  private Gid destination = Gid.ZERO;
  private @Nullable Route route;

  /**
   * @param work who is activated when a route has room again
   */
  UdSender(
      Chip chip,
      QpIdentity self,
      Fabric fabric,
      Work work,
      Connection connection,
      Fault fault,
      Drops drops) {
    this.fabric = fabric;
    this.work = work;
    this.connection = connection;
    this.fault = fault;
    this.drops = drops;
    counters = chip.counters();
    gather = new Gather(chip, self, fault);
    packet.sourceQpn = self.number();
  }

  @Override
  public void reset() {}

  @Override
  public void start(View qpc) {
    psn = qpc.getInt(Qpc.NEXT_SEND_PSN);
  }

  @Override
  public void configure(View qpc) {
    qkey = qpc.getInt(Qpc.Q_KEY);
    logMessage = qpc.getInt(Qpc.LOG_MSG_MAX);
  }

  @Override
  public int nextPsn() {
    return psn;
  }

  @Override
  public WqeDecoder decoder() {
    return DECODER;
  }

  @Override
  public long longest() {
    return 1L << connection.logMtu();
  }

  @Override
  public long send(SendWqe wqe, long budget) {
    packet.wqeIndex = wqe.index();
    int bytes = wqe.bytes();
    if (bytes > 1L << logMessage) {
      fault.set(
          Syndrome.LOCAL_LENGTH_ERR,
          VendorSyndrome.UNKNOWN,
          "a datagram of %d bytes is longer than log_msg_max %d of the queue pair allows"
              .formatted(bytes, logMessage));
      return REFUSED;
    }
    if (!address(wqe.addressVector()) || !gather.collect(wqe, 0, bytes, packet)) {
      return REFUSED;
    }
    packet.opcode = SERVICE | BthOpcode.part(wqe.opcode(), true, true);
    packet.immediate = wqe.immediate();
    packet.solicited = wqe.isSolicited();
    packet.psn = psn;
    String drop = whyNowhere();
    if (route == null || !drop.isEmpty()) {
      psn = Psn.add(psn, 1);
      noteDrop(drop);
    } else if (!route.send(packet)) {
      return WAIT;
    } else {
      counters.sent(1, bytes);
      psn = Psn.add(psn, 1);
    }
    return bytes;
  }

  private String whyNowhere() {
    if (route == null) {
      return "no port of this device reaches the destination GID %s (rgid of its address vector)"
          .formatted(destination);
    }
    if (!fabric.station().takes(mac)) {
      return fabric.station().whyNotTaken(mac);
    }
    if (NetworkHeader.isIpv4(packet.sourceGidHigh, packet.sourceGidLow)
        != NetworkHeader.isIpv4(packet.destinationGidHigh, packet.destinationGidLow)) {
      return "the source GID (src_addr_index of its address vector) and the destination GID %s are not both of IPv4 or both of IPv6"
          .formatted(destination);
    }
    return "";
  }

  /** Takes the destination from the address vector; false when the fault says why not. */
  private boolean address(long at) {
    long word = Memory.getLong(at + AddressVector.DESTINATION_WORD);
    long path = Memory.getLong(at + AddressVector.ROUTE_WORD);
    Gid source = fabric.station().gid(AddressVector.sourceGidIndex(path));
    if (!AddressVector.isExtended(word)) {
      return refuse(
          "ext (bit 31 of dqp_dct) is 0, which means an address vector of 16 bytes, and RoCE needs"
              + " all 48");
    }
    if (source.equals(Gid.ZERO)) {
      return refuse(
          "src_addr_index %d of the address vector names an empty entry of the GID table"
              .formatted(AddressVector.sourceGidIndex(path)));
    }
    int wanted = AddressVector.qkey(Memory.getLong(at + AddressVector.KEY_WORD));
    packet.qkey = (wanted & AddressVector.OWN_QKEY) == 0 ? wanted : qkey;
    packet.destinationQpn = AddressVector.qpn(word);
    packet.trafficClass = AddressVector.trafficClass(path);
    packet.hopLimit = AddressVector.hopLimit(path);
    mac = AddressVector.mac(Memory.getLong(at + AddressVector.RMAC_WORD), path);
    packet.v1 = fabric.station().isV1(AddressVector.sourceGidIndex(path));
    packet.flowLabel = AddressVector.flowLabel(path);
    packet.sourceGidHigh = source.high();
    packet.sourceGidLow = source.low();
    packet.destinationGidHigh = Memory.getLong(at + AddressVector.RGID_HIGH_WORD);
    packet.destinationGidLow = Memory.getLong(at + AddressVector.RGID_LOW_WORD);
    if (packet.destinationGidHigh != destination.high()
        || packet.destinationGidLow != destination.low()) {
      destination = new Gid(packet.destinationGidHigh, packet.destinationGidLow);
      route = fabric.open(destination, work);
    }
    return true;
  }

  private boolean refuse(String why) {
    fault.set(Syndrome.LOCAL_QP_OP_ERR, VendorSyndrome.UNKNOWN, why);
    return false;
  }

  @Override
  public boolean isDone() {
    return true;
  }

  @Override
  public void noteDrop(String why) {
    drops.drop(psn, why);
  }
}
