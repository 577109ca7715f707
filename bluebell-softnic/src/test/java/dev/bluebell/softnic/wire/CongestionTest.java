package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.hca.counter.PortCounters;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.Bth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Deth;
import dev.bluebell.roce.packet.Ethernet;
import dev.bluebell.roce.packet.Ipv4;
import dev.bluebell.roce.packet.Reth;
import dev.bluebell.softnic.option.CongestionControl;
import dev.bluebell.softnic.port.EthernetPort;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.Heard;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets that a switch has marked, and the reactions of both ends of a connection. */
@ResourceLock(TwoDevices.ADDRESSES)
class CongestionTest {
  private static final String DEVICE = TwoDevices.address(2);
  private static final String PEER = TwoDevices.address(9);
  private static final String STRANGER = TwoDevices.address(10);
  private static final int PEER_QPN = 0x77;
  private static final int PSN = 0x1000;
  private static final int MARKED = 3;
  private static final int MTU = 4096;
  private static final int UC = 1;
  private static final int UD = 2;

  /** Least time between two notifications of a queue pair. */
  private static final long QUIET = 50_000;

  private final Rig rig =
      TwoDevices.open(DEVICE, options -> options.withCongestion(CongestionControl.DCQCN));
  private final Peer peer = new Peer(PEER, DEVICE);
  private final RawMemory memory = rig.memory(64 * MTU);
  private final RawQp qp = rig.qp(rig.cq(8));
  private int psn = PSN;

  CongestionTest() {
    qp.connect(PEER_QPN, TwoDevices.to(PEER, settings()));
  }

  private static Settings settings() {
    return new Settings().psn(PSN, PSN).mtu(5);
  }

  @AfterEach
  void close() {
    memory.expectCanaries();
    peer.close();
    rig.close();
  }

  private static byte[] empty(int opcode, int qpn, int bytes) {
    ByteBuffer packet = ByteBuffer.allocate(12 + bytes + 4);
    Bth.OPCODE.put(packet, 0, opcode);
    Bth.P_KEY.put(packet, 0, 0xffff);
    Bth.DEST_QP.put(packet, 0, qpn);
    return packet.array();
  }

  /** An RDMA WRITE of no bytes, which is not acknowledged. */
  private byte[] write(int service, int qpn) {
    byte[] packet = empty(service | BthOpcode.WRITE_ONLY, qpn, Reth.HEADER.bytes());
    Bth.PSN.put(ByteBuffer.wrap(packet), 0, psn++);
    return packet;
  }

  private void sendMarked(Peer from) {
    from.marking(MARKED).send(from.sealed(write(BthOpcode.RC, qp.number()), 0, view -> {}));
    rig.settle();
  }

  private void notifyOfCongestion(Peer from) {
    from.send(from.sealed(empty(BthOpcode.CNP, qp.number(), 16), 0, view -> {}));
    rig.settle();
  }

  private long counted(PortCounter counter) {
    return PortCounters.read(rig.nic()::execute, counter);
  }

  private List<byte[]> notifications(Peer to) {
    return to.answers().stream().filter(sent -> Peer.opcode(sent) == BthOpcode.CNP).toList();
  }

  private String described() {
    return described(rig, qp);
  }

  private static String described(Rig rig, RawQp qp) {
    String described =
        rig.nic().diagnosis().orElseThrow().objects().stream()
            .filter(line -> line.startsWith("QP 0x%x:".formatted(qp.number())))
            .findFirst()
            .orElseThrow();
    Heard.add(described);
    return described;
  }

  // ---- who receives marked packets

  @Test
  void aMarkedPacketIsAnsweredByANotificationToTheQueuePairThatSentIt() {
    sendMarked(peer);
    byte[] expected = empty(BthOpcode.CNP, PEER_QPN, 16);
    Bth.BECN.put(ByteBuffer.wrap(expected), 0, 1);
    assertThat(notifications(peer))
        .singleElement()
        .satisfies(
            sent -> {
              // The ICRC follows, which the peer's own packet of these fields has as well.
              assertThat(sent).hasSize(expected.length);
              assertThat(ByteBuffer.wrap(sent, 0, 28)).isEqualTo(ByteBuffer.wrap(expected, 0, 28));
            });
    assertThat(counted(PortCounter.NP_ECN_MARKED_ROCE_PACKETS)).isOne();
    assertThat(counted(PortCounter.NP_CNP_SENT)).isOne();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 0xc2})
  void anUnmarkedPacketIsNotAnsweredByANotification(int trafficClass) {
    peer.marking(trafficClass).send(peer.sealed(write(0, qp.number()), 0, view -> {}));
    rig.settle();
    assertThat(notifications(peer)).isEmpty();
    assertThat(counted(PortCounter.NP_ECN_MARKED_ROCE_PACKETS)).isZero();
  }

  @Test
  void aQueuePairNotifiesItsPeerOnceInFiftyMicroseconds() {
    for (int i = 0; i < 5; i++) {
      sendMarked(peer);
    }
    rig.pass(QUIET - 1);
    sendMarked(peer);
    assertThat(notifications(peer)).hasSize(1);
    rig.pass(1);
    sendMarked(peer);
    assertThat(notifications(peer)).hasSize(1);
    assertThat(counted(PortCounter.NP_ECN_MARKED_ROCE_PACKETS)).isEqualTo(7);
    assertThat(counted(PortCounter.NP_CNP_SENT)).isEqualTo(2);
  }

  @Test
  void anotherQueuePairNotifiesItsOwnPeer() {
    RawQp other = rig.qp(rig.cq(6));
    other.connect(0x78, TwoDevices.to(PEER, settings()));
    sendMarked(peer);
    psn = PSN;
    peer.send(peer.sealed(write(0, other.number()), 0, view -> {}));
    rig.settle();
    assertThat(notifications(peer))
        .extracting(sent -> Bth.DEST_QP.getInt(ByteBuffer.wrap(sent), 0))
        .containsExactly(PEER_QPN, 0x78);
  }

  @Test
  void aMarkedResponseIsAnsweredByANotificationToo() {
    qp.post(Wqe.write(memory, 0).data(memory, 0, 8));
    rig.settle();
    byte[] answer = empty(BthOpcode.ACKNOWLEDGE, qp.number(), Aeth.HEADER.bytes());
    Bth.PSN.put(ByteBuffer.wrap(answer), 0, PSN);
    answer[12] = Aeth.ACK;
    peer.marking(MARKED).send(peer.sealed(answer, 0, view -> {}));
    rig.settle();
    assertThat(qp.sends().pollOne().isError()).isFalse();
    assertThat(notifications(peer)).hasSize(1);
  }

  @Test
  void anUnreliableConnectionNotifiesItsPeer() {
    RawQp other = rig.qp(new RawQpPlan(rig.cq(6)).service(UC));
    other.connect(0x79, TwoDevices.to(PEER, settings()));
    peer.marking(MARKED).send(peer.sealed(write(BthOpcode.UC, other.number()), 0, view -> {}));
    rig.settle();
    assertThat(notifications(peer)).hasSize(1);
  }

  @Test
  void aMarkedPacketOfAStrangerIsCountedAndNotAnswered() {
    try (Peer stranger = new Peer(STRANGER, DEVICE)) {
      sendMarked(stranger);
      assertThat(stranger.answers()).isEmpty();
    }
    assertThat(peer.answers()).isEmpty();
    assertThat(counted(PortCounter.NP_ECN_MARKED_ROCE_PACKETS)).isOne();
    assertThat(counted(PortCounter.NP_CNP_SENT)).isZero();
  }

  @Test
  void aMarkedNotificationIsNotAnsweredByAnother() {
    peer.marking(MARKED);
    notifyOfCongestion(peer);
    assertThat(peer.answers()).isEmpty();
    assertThat(counted(PortCounter.RP_CNP_HANDLED)).isOne();
  }

  // ---- who is notified

  @Test
  void aNotificationHalvesTheRateOfItsQueuePairAlone() {
    RawQp other = rig.qp(rig.cq(6));
    other.connect(0x78, TwoDevices.to(PEER, settings()));
    notifyOfCongestion(peer);
    assertThat(described()).contains("at 200.000 Gb/s because of congestion");
    assertThat(rig.nic().diagnosis().orElseThrow().objects())
        .filteredOn(line -> line.contains("because of congestion"))
        .hasSize(1);
    assertThat(counted(PortCounter.RP_CNP_HANDLED)).isOne();
    rig.pass(55_000);
    assertThat(described()).contains("at 300.000 Gb/s because of congestion");
  }

  @Test
  void aNotificationOfAStrangerChangesNothing() {
    try (Peer stranger = new Peer(STRANGER, DEVICE)) {
      notifyOfCongestion(stranger);
    }
    assertThat(described()).doesNotContain("congestion");
    assertThat(counted(PortCounter.RP_CNP_HANDLED)).isZero();
    assertThat(counted(PortCounter.RP_CNP_IGNORED)).isOne();
  }

  @Test
  void aNotificationForAnUnknownOrDatagramQueuePairChangesNothing() {
    RawQp datagrams = rig.qp(new RawQpPlan(rig.cq(6)).service(UD));
    datagrams.connect(0, new Settings());
    for (int qpn : new int[] {qp.number() ^ 1, datagrams.number()}) {
      peer.send(peer.sealed(empty(BthOpcode.CNP, qpn, 16), 0, view -> {}));
    }
    rig.settle();
    assertThat(counted(PortCounter.RP_CNP_IGNORED)).isEqualTo(2);
    assertThat(peer.answers()).isEmpty();
  }

  @Test
  void aQueuePairOfDatagramsNeitherNotifiesNorSlowsDownAfterItHasSentOne() {
    RawQp datagrams = rig.qp(new RawQpPlan(rig.cq(6)).service(UD));
    datagrams.connect(0, new Settings());
    datagrams.receive(memory.address(0), MTU, memory.key());
    long mac = Addresses.PORT.mac();
    Gid gid = TwoDevices.gid(PEER);
    datagrams.post(
        new Wqe(WqeOpcode.SEND)
            .words(
                AddressVector.keyWord(0x11111111),
                AddressVector.destinationWord(PEER_QPN, 0, 0xc000))
            .words(
                AddressVector.rmacWord(mac),
                AddressVector.routeWord(mac, 0, 63, EthernetPort.IPV4_V2, 0))
            .words(gid.high(), gid.low())
            .data(memory, 0, 8));
    rig.settle();
    datagrams.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(peer.answers()).hasSize(1);
    byte[] datagram =
        empty(BthOpcode.UD | BthOpcode.SEND_ONLY, datagrams.number(), Deth.HEADER.bytes());
    Deth.Q_KEY.put(ByteBuffer.wrap(datagram), 12, 0x11111111);
    Deth.SRC_QP.put(ByteBuffer.wrap(datagram), 12, PEER_QPN);
    peer.marking(MARKED).send(peer.sealed(datagram, 0, view -> {}));
    peer.send(peer.sealed(empty(BthOpcode.CNP, datagrams.number(), 16), 0, view -> {}));
    rig.settle();
    assertThat(datagrams.receives().pollOne().isError()).isFalse();
    assertThat(peer.answers()).isEmpty();
    assertThat(described(rig, datagrams)).doesNotContain("congestion");
    assertThat(PortCounters.read(rig.nic()::execute))
        .containsEntry(PortCounter.NP_ECN_MARKED_ROCE_PACKETS, 2L)
        .containsEntry(PortCounter.NP_CNP_SENT, 0L)
        .containsEntry(PortCounter.RP_CNP_HANDLED, 0L)
        .containsEntry(PortCounter.RP_CNP_IGNORED, 1L);
  }

  @Test
  void theCountersAreThoseOfTheCommandAndOfThePort() {
    sendMarked(peer);
    peer.marking(0);
    notifyOfCongestion(peer);
    assertThat(PortCounters.read(rig.nic()::execute))
        .containsEntry(PortCounter.NP_ECN_MARKED_ROCE_PACKETS, 1L)
        .containsEntry(PortCounter.NP_CNP_SENT, 1L)
        .containsEntry(PortCounter.RP_CNP_HANDLED, 1L)
        .containsEntry(PortCounter.RP_CNP_IGNORED, 0L);
    assertThat(TwoDevices.network(rig))
        .contains(
            "np_ecn_marked_roce_packets 1, np_cnp_sent 1, rp_cnp_handled 1, rp_cnp_ignored 0");
  }

  /** Notifies the device until 4 KiB take more than a third of a millisecond, about 98 Mb/s. */
  private void slowDown() {
    for (int i = 0; i < 12; i++) {
      notifyOfCongestion(peer);
    }
    assertThat(described()).contains("at 0.098 Gb/s");
  }

  @Test
  void aSenderWaitsUntilItsRateAllowsTheNextPacket() {
    slowDown();
    qp.post(Wqe.write(memory, 0).data(memory, 0, 8 * MTU));
    rig.settle();
    assertThat(peer.answers()).hasSize(1);
    // 4154 bytes take 340 µs; the sender may be 50 µs behind.
    rig.pass(289_000);
    assertThat(peer.answers()).isEmpty();
    rig.pass(2_000);
    assertThat(peer.answers()).hasSize(1);
  }

  @Test
  void anAnswerToAReadHasTheRateToo() {
    slowDown();
    byte[] read = empty(BthOpcode.READ_REQUEST, qp.number(), Reth.HEADER.bytes());
    ByteBuffer fields = ByteBuffer.wrap(read);
    Bth.PSN.put(fields, 0, PSN);
    Reth.VA.put(fields, 12, memory.address(0));
    Reth.R_KEY.put(fields, 12, memory.key());
    Reth.DMA_LENGTH.put(fields, 12, 8 * MTU);
    peer.send(peer.sealed(read, 0, view -> {}));
    rig.settle();
    assertThat(peer.answers()).hasSize(1);
    for (int i = 0; i < 100; i++) {
      rig.pass(100_000);
    }
    assertThat(peer.answers()).hasSize(7);
  }

  /** Carries frames to the other cable, and marks the first one that allows marks (ECT). */
  private static void forward(Cable from, Cable to, boolean[] marked) {
    int ip = Ethernet.HEADER.bytes();
    for (byte[] frame : from.frames()) {
      ByteBuffer fields = ByteBuffer.wrap(frame);
      if (!marked[0]
          && Ethernet.TYPE.getInt(fields, 0) == Ethernet.IPV4
          && (Ipv4.TOS.getInt(fields, ip) & MARKED) == Ecn.CAPABLE) {
        Ipv4.TOS.put(fields, ip, Ipv4.TOS.getInt(fields, ip) | MARKED);
        Ipv4.CHECKSUM.put(fields, ip, Ipv4.checksum(fields, ip));
        marked[0] = true;
      }
      to.send(frame);
    }
  }

  @Test
  void aSwitchThatMarksAPacketHalvesTheRateOfItsSender() {
    String near = "10.0.0.1";
    String far = "10.0.0.2";
    boolean[] marked = {false};
    boolean[] never = {true};
    try (Cable one = new Cable();
        Cable other = new Cable();
        Rig sender = onCable(one, near);
        Rig receiver = onCable(other, far)) {
      RawQp from = sender.qp(sender.cq(6));
      RawQp to = receiver.qp(receiver.cq(6));
      from.connect(to.number(), TwoDevices.to(far, settings()));
      to.connect(from.number(), TwoDevices.to(near, settings()));
      RawMemory own = sender.memory(4 * MTU).fill(1);
      RawMemory theirs = receiver.memory(4 * MTU);
      from.post(Wqe.write(theirs, 0).data(own, 0, 4 * MTU));
      // Address resolution does not count as work of a step.
      for (int i = 0; i < 1000 && from.sends().peek().isEmpty(); i++) {
        sender.nic().step();
        forward(one, other, marked);
        receiver.nic().step();
        forward(other, one, never);
      }
      assertThat(from.sends().pollOne().isError()).isFalse();
      assertThat(theirs.bytes()).isEqualTo(own.bytes());
      assertThat(PortCounters.read(receiver.nic()::execute))
          .containsEntry(PortCounter.NP_ECN_MARKED_ROCE_PACKETS, 1L)
          .containsEntry(PortCounter.NP_CNP_SENT, 1L);
      assertThat(PortCounters.read(sender.nic()::execute))
          .containsEntry(PortCounter.RP_CNP_HANDLED, 1L);
      assertThat(described(sender, from)).contains("at 200.000 Gb/s because of congestion");
      assertThat(described(receiver, to)).doesNotContain("congestion");
    }
  }

  private static Rig onCable(Cable cable, String address) {
    return TwoDevices.open(
        address,
        options -> options.withFrames(cable.ports()).withCongestion(CongestionControl.DCQCN));
  }

  /** The far device's address sends the notifications, from another port. */
  @Test
  void aMessageOfASlowedSenderArrivesWholeAndWithoutARetry() {
    int messages = 8;
    String near = TwoDevices.address(4);
    String far = TwoDevices.address(5);
    try (Rig sender =
            TwoDevices.open(near, options -> options.withCongestion(CongestionControl.DCQCN));
        Rig receiver = TwoDevices.open(far, options -> options);
        Peer notifier = new Peer(far, 40_000, near)) {
      RawQp from = sender.qp(sender.cq(6));
      RawQp to = receiver.qp(receiver.cq(6));
      from.connect(to.number(), TwoDevices.to(far, settings().timeout(8).retryCount(0)));
      to.connect(from.number(), TwoDevices.to(near, settings()));
      RawMemory own = sender.memory(messages * MTU).fill(1);
      RawMemory theirs = receiver.memory(messages * MTU);
      for (int i = 0; i < 12; i++) {
        byte[] packet = empty(BthOpcode.CNP, from.number(), 16);
        notifier.send(notifier.sealed(packet, 0, view -> {}));
        sender.settle();
      }
      assertThat(PortCounters.read(sender.nic()::execute, PortCounter.RP_CNP_HANDLED))
          .isEqualTo(12);
      from.post(Wqe.write(theirs, 0).data(own, 0, messages * MTU));
      long nanos = 0;
      while (from.sends().peek().isEmpty() && nanos < 1_000_000_000) {
        sender.pass(10_000);
        receiver.pass(10_000);
        nanos += 10_000;
      }
      assertThat(from.sends().pollOne().isError()).isFalse();
      assertThat(theirs.bytes()).isEqualTo(own.bytes());
      // At 98 Mb/s or more, the seven packets after the first one take at most 2.4 ms, and at the
      // rate that recovers meanwhile at least a tenth of that.
      assertThat(nanos).isBetween(240_000L, 2_400_000L);
    }
  }

  @Test
  void acknowledgementsAreNotDelayed() {
    slowDown();
    for (int i = 0; i < 3; i++) {
      byte[] write = write(0, qp.number());
      Bth.ACK_REQ.put(ByteBuffer.wrap(write), 0, 1);
      peer.send(peer.sealed(write, 0, view -> {}));
      rig.settle();
      assertThat(peer.answers()).hasSize(1);
    }
  }
}
