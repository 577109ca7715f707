package dev.bluebell.softnic.transport;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.queue.WqeForm;

/** Sends datagrams, each to where the address vector in its WQE says. */
final class DatagramSender implements UnreliableSender {
  private final QueuePair queuePair;
  private final Link link;
  private final Gather gather;
  private final Fault fault;
  private final Request request = new Request();

  private int psn;
  private int logMtu;

  // Datagrams come in trains to one destination.
  private Gid destination = Gid.ZERO;
  private boolean reachable;

  DatagramSender(QueuePair queuePair, Fault fault) {
    this.queuePair = queuePair;
    this.fault = fault;
    link = queuePair.link();
    gather = new Gather(queuePair, fault);
    request.service = ServiceType.UD;
    request.sourceQpn = queuePair.number();
    request.first = true;
    request.last = true;
    request.packets = 1;
  }

  @Override
  public void reset() {}

  @Override
  public void start(View qpc) {
    psn = qpc.getInt(Qpc.NEXT_SEND_PSN);
    logMtu = queuePair.logMtu();
  }

  @Override
  public int nextPsn() {
    return psn;
  }

  @Override
  public long messageLength(long at, long first, int control, Fault formFault) {
    return WqeForm.datagramLength(at, first, control, 1 << logMtu, formFault);
  }

  @Override
  public long send(long at, long end, int bytes, long budget) {
    long list = at + WqeForm.DATAGRAM_FIXED_BYTES;
    if (!address(at + ControlSegment.BYTES) || !gather.collect(list, end, 0, bytes, request)) {
      return REFUSED;
    }
    long second = Memory.getLong(at + 8);
    request.opcode = ControlSegment.opcode(Memory.getLong(at));
    request.immediate = ControlSegment.immediate(second);
    request.solicited = (ControlSegment.fmCeSe(second) & ControlSegment.SOLICITED) != 0;
    request.psn = psn;
    psn = Psn.add(psn, 1);
    if (!reachable) {
      queuePair
          .sends()
          .noteDrop(
              "no port of this device reaches the destination GID %s (rgid of its address vector)"
                  .formatted(destination));
    } else if (NetworkHeader.isIpv4(request.sourceGidHigh, request.sourceGidLow)
        != NetworkHeader.isIpv4(request.destinationGidHigh, request.destinationGidLow)) {
      queuePair
          .sends()
          .noteDrop(
              "the source GID (src_addr_index of its address vector) and the destination GID %s are not both of IPv4 or both of IPv6"
                  .formatted(destination));
    } else {
      link.sendUnreliable(request);
    }
    return bytes;
  }

  /** Takes the destination from the address vector; false when the fault says why not. */
  private boolean address(long at) {
    long word = Memory.getLong(at + AddressVector.DESTINATION_WORD);
    long route = Memory.getLong(at + AddressVector.ROUTE_WORD);
    Gid source = link.gid(AddressVector.sourceGidIndex(route));
    if (!AddressVector.isExtended(word)) {
      return refuse(
          "ext (bit 31 of dqp_dct) is 0, which means an address vector of 16 bytes, and RoCE needs"
              + " all 48");
    }
    if (source.equals(Gid.ZERO)) {
      return refuse(
          "src_addr_index %d of the address vector names an empty entry of the GID table"
              .formatted(AddressVector.sourceGidIndex(route)));
    }
    int qkey = AddressVector.qkey(Memory.getLong(at + AddressVector.KEY_WORD));
    request.qkey = (qkey & AddressVector.OWN_QKEY) == 0 ? qkey : queuePair.qkey();
    request.destinationQpn = AddressVector.qpn(word);
    request.trafficClass = AddressVector.trafficClass(route);
    request.hopLimit = AddressVector.hopLimit(route);
    request.flowLabel = AddressVector.flowLabel(route);
    request.sourceGidHigh = source.high();
    request.sourceGidLow = source.low();
    request.destinationGidHigh = Memory.getLong(at + AddressVector.RGID_HIGH_WORD);
    request.destinationGidLow = Memory.getLong(at + AddressVector.RGID_LOW_WORD);
    if (request.destinationGidHigh != destination.high()
        || request.destinationGidLow != destination.low()) {
      destination = new Gid(request.destinationGidHigh, request.destinationGidLow);
      reachable = link.reaches(destination);
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
}
