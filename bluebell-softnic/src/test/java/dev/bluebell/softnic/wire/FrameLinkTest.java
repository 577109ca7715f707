package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.Bth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Ethernet;
import dev.bluebell.roce.packet.Ipv4;
import dev.bluebell.roce.packet.Ipv6;
import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Problem;
import dev.bluebell.roce.packet.Reth;
import dev.bluebell.roce.packet.Udp;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.option.FramePorts;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A device as a host of an Ethernet, with the test at the other end of the cable. */
@ResourceLock(TwoDevices.ADDRESSES)
class FrameLinkTest {
  private static final String OWN = "10.0.0.1";
  private static final String PEER = "10.0.0.2";
  private static final int IDENTITY = 0x010203;
  private static final String MAC = "02be11010203";
  private static final long MAC_NUMBER = 0x02be_1101_0203L;
  private static final String PEER_MAC = "525400000002";
  private static final long PEER_MAC_NUMBER = 0x5254_0000_0002L;
  private static final String ALL = "ffffffffffff";
  private static final int PSN = 0x1000;
  private static final long SECOND = 1_000_000_000;

  private final Cable cable = new Cable();
  private final Rig rig = open(cable.ports(), OWN);
  private final RawMemory memory = rig.memory(8192);
  private final RawQp qp = rig.qp(rig.cq(6));

  private static Rig open(FramePorts ports, String address) {
    return Rigs.open(
        options ->
            options
                .withIdentity(IDENTITY)
                .withListen(InetAddress.ofLiteral(address))
                .withFrames(ports));
  }

  @AfterEach
  void close() {
    memory.expectCanaries();
    rig.close();
    cable.close();
  }

  private void connect() {
    connect(new Settings().psn(PSN, PSN).timeout(19).retryCount(7));
  }

  private void connect(Settings settings) {
    qp.connect(0x77, TwoDevices.to(PEER, settings));
    assertThat(cable.frame()).isEqualTo(question());
  }

  private static String arp(String to, String from, int operation, String... addresses) {
    return to
        + from
        + "0806"
        + "0001080006040%03x".formatted(operation)
        + String.join("", addresses);
  }

  private String question() {
    return arp(ALL, MAC, 1, MAC, "0a000001", "000000000000", "0a000002");
  }

  private void answer() {
    cable.send(arp(MAC, PEER_MAC, 2, PEER_MAC, "0a000002", MAC, "0a000001"));
  }

  private long counted(String counter) {
    String lines = String.join("\n", rig.nic().diagnosis().orElseThrow().objects());
    String behind = lines.substring(lines.indexOf(counter + " ") + counter.length() + 1);
    return Long.parseLong(behind.replaceAll("(?s)\\D.*", ""));
  }

  /** A frame with an RDMA WRITE of four bytes. */
  private byte[] write(Consumer<ByteBuffer> change) {
    ByteBuffer packet = ByteBuffer.allocate(12 + 16 + 4 + 4);
    Bth.OPCODE.put(packet, 0, BthOpcode.WRITE_ONLY);
    Bth.P_KEY.put(packet, 0, 0xffff);
    Bth.DEST_QP.put(packet, 0, qp.number());
    Bth.ACK_REQ.put(packet, 0, 1);
    Bth.PSN.put(packet, 0, PSN);
    Reth.VA.put(packet, 12, memory.address(0));
    Reth.R_KEY.put(packet, 12, memory.key());
    Reth.DMA_LENGTH.put(packet, 12, 4);
    packet.putInt(28, 0x01020304);
    return Cable.packet(MAC_NUMBER, PEER_MAC_NUMBER, PEER, OWN, packet.array(), change);
  }

  private void expectNothingChanged() {
    rig.settle();
    assertThat(memory.getLong(0)).isZero();
    assertThat(qp.receives().peek()).isEmpty();
    assertThat(cable.frames()).isEmpty();
  }

  // ---- Ethernet addresses over IPv4

  @Test
  void aPacketWaitsUntilThePeerHasSaidItsEthernetAddress() {
    connect();
    qp.post(Wqe.send().data(memory, 0, 100));
    qp.post(Wqe.send().data(memory, 0, 101));
    rig.settle();
    assertThat(cable.frames()).isEmpty();
    answer();
    rig.settle();
    List<byte[]> frames = cable.frames();
    assertThat(frames).hasSize(2);
    for (byte[] frame : frames) {
      assertThat(HexFormat.of().formatHex(frame)).startsWith(PEER_MAC + MAC + "0800" + "4502");
      ByteBuffer packet = ByteBuffer.wrap(frame);
      PacketView view = new PacketView();
      assertThat(view.wrap(packet, 0, frame.length, frame.length, LinkType.ETHERNET))
          .isEqualTo(Problem.NONE);
      assertThat(view.isIcrcGood()).isTrue();
      assertThat(Ipv4.CHECKSUM.getInt(packet, 14)).isEqualTo(Ipv4.checksum(packet, 14));
      assertThat(Ipv4.DST.getInt(packet, 14)).isEqualTo(0x0a000002);
    }
    qp.post(Wqe.send().data(memory, 0, 102));
    rig.settle();
    assertThat(cable.frame()).startsWith(PEER_MAC + MAC + "0800");
  }

  @Test
  void packetsBeyondTheRoomForWaitingPacketsAreLost() {
    connect(new Settings().mtu(1).timeout(19));
    qp.post(Wqe.send().data(memory, 0, 20 * 256));
    rig.settle();
    answer();
    rig.settle();
    assertThat(cable.frames()).hasSize(Neighbours.MOST_HELD);
    assertThat(counted("tx_unresolved")).isEqualTo(20 - Neighbours.MOST_HELD);
  }

  @Test
  void aPeerThatNeverSaysItsEthernetAddressIsNamed() {
    qp.connect(0x77, TwoDevices.to(PEER, new Settings().timeout(18).retryCount(3)));
    qp.post(Wqe.send().data(memory, 0, 100));
    rig.settle();
    for (int i = 0; i < 20; i++) {
      rig.pass(SECOND);
    }
    assertThat(cable.frames())
        .hasSizeBetween(3, 4)
        .allSatisfy(frame -> assertThat(HexFormat.of().formatHex(frame)).isEqualTo(question()));
    qp.sends()
        .pollOne()
        .requireError(
            Syndrome.TRANSPORT_RETRY_EXC_ERR,
            0,
            "no host on this Ethernet answers for the address " + PEER);
  }

  @Test
  void packetsForAPeerThatHasNotAnsweredAreCountedAsUnresolvedAndNotAsSent() {
    connect(new Settings().timeout(14).retryCount(7));
    qp.post(Wqe.send().data(memory, 0, 100));
    rig.settle();
    assertThat(counted("tx_unresolved")).as("waits").isEqualTo(1);
    for (int i = 0; i < 8; i++) {
      rig.pass(100_000_000);
    }
    qp.sends()
        .pollOne()
        .requireError(
            Syndrome.TRANSPORT_RETRY_EXC_ERR,
            0,
            "its last packet was dropped: the network refused it (no host on this Ethernet answers"
                + " for the address %s; check the address, and frames= at both ends)"
                    .formatted(PEER));
    assertThat(counted("tx_unresolved")).isEqualTo(8);
    assertThat(counted("tx_packets")).isZero();
  }

  @Test
  void aPacketThatWaitedCountsAsSentOnceItIsSent() {
    connect();
    qp.post(Wqe.send().data(memory, 0, 100));
    rig.settle();
    answer();
    rig.settle();
    assertThat(cable.frames()).hasSize(1);
    assertThat(counted("tx_unresolved")).isZero();
    assertThat(counted("tx_packets")).isEqualTo(1);
  }

  @Test
  void aQuestionForTheDevicesEthernetAddressIsAnswered() {
    cable.send(arp(ALL, PEER_MAC, 1, PEER_MAC, "0a000002", "000000000000", "0a000001"));
    rig.settle();
    assertThat(cable.frame())
        .isEqualTo(arp(PEER_MAC, MAC, 2, MAC, "0a000001", PEER_MAC, "0a000002"));
  }

  @Test
  void questionsForOtherHostsAreNotAnswered() {
    cable.send(arp(ALL, PEER_MAC, 1, PEER_MAC, "0a000002", "000000000000", "0a000003"));
    expectNothingChanged();
  }

  @Test
  void anAddressIsAskedForAgainAfterAMinuteAndUsedMeanwhile() {
    connect();
    qp.post(Wqe.send().data(memory, 0, 8));
    rig.settle();
    answer();
    rig.settle();
    assertThat(cable.frames()).hasSize(1);
    acknowledge();
    rig.pass(61 * SECOND);
    qp.post(Wqe.send().data(memory, 0, 8));
    rig.settle();
    assertThat(cable.frames())
        .extracting(frame -> HexFormat.of().formatHex(frame, 0, 14))
        .containsExactly(ALL + MAC + "0806", PEER_MAC + MAC + "0800");
  }

  private void acknowledge() {
    ByteBuffer packet = ByteBuffer.allocate(12 + 4 + 4);
    Bth.OPCODE.put(packet, 0, BthOpcode.ACKNOWLEDGE);
    Bth.P_KEY.put(packet, 0, 0xffff);
    Bth.DEST_QP.put(packet, 0, qp.number());
    Bth.PSN.put(packet, 0, PSN);
    Aeth.SYNDROME.put(packet, 12, 0x1f);
    Aeth.MSN.put(packet, 12, 1);
    cable.send(Cable.packet(MAC_NUMBER, PEER_MAC_NUMBER, PEER, OWN, packet.array(), frame -> {}));
    rig.settle();
    assertThat(qp.sends().pollOne().isError()).isFalse();
  }

  @Test
  void messagesOfStrangersAddNoNeighbour() {
    for (int i = 10; i < 200; i++) {
      String address = "0a0000%02x".formatted(i);
      cable.send(arp(ALL, PEER_MAC, 1, PEER_MAC, address, "000000000000", "0a000001"));
      cable.send(arp(MAC, PEER_MAC, 2, PEER_MAC, address, MAC, "0a000001"));
      rig.settle();
    }
    assertThat(counted("neighbours")).isZero();
  }

  @Test
  void strangersThatAreAnsweredEvictNoNeighbour() {
    connect();
    answer();
    byte[] question = NetworkStrangersTest.question(0x80010000, 0x17, 256);
    for (int i = 0; i < 300; i++) {
      String stranger = "10.0.%d.%d".formatted(1 + i / 250, 1 + i % 250);
      cable.send(Cable.packet(MAC_NUMBER, PEER_MAC_NUMBER, stranger, OWN, question, frame -> {}));
      rig.settle();
      cable.frame();
    }
    assertThat(counted("rx_sidr_answered")).isEqualTo(300);
    assertThat(counted("neighbours")).isOne();
    qp.post(Wqe.send().data(memory, 0, 8));
    rig.settle();
    assertThat(cable.frame()).as("without a question").startsWith(PEER_MAC + MAC + "0800");
  }

  @Test
  void aStrangerIsAnsweredOnceItHasSaidItsEthernetAddress() {
    byte[] question = NetworkStrangersTest.question(0x80010000, 0x17, 256);
    cable.send(Cable.packet(MAC_NUMBER, PEER_MAC_NUMBER, PEER, OWN, question, frame -> {}));
    rig.settle();
    assertThat(cable.frame()).isEqualTo(question());
    answer();
    rig.settle();
    assertThat(cable.frame()).startsWith(PEER_MAC + MAC + "0800");
  }

  @Test
  void aQueuePairKnowsTheEthernetAddressOfAStrangerThatWasAnswered() {
    aStrangerIsAnsweredOnceItHasSaidItsEthernetAddress();
    qp.connect(0x77, TwoDevices.to(PEER, new Settings().psn(PSN, PSN).timeout(19).retryCount(7)));
    qp.post(Wqe.send().data(memory, 0, 8));
    rig.settle();
    assertThat(cable.frame()).as("without a question").startsWith(PEER_MAC + MAC + "0800");
  }

  @ParameterizedTest
  @CsvSource({
    // operation, sender's Ethernet and IP address, bytes that are cut
    "3, 525400000002, 0a000002, 0",
    "2, ffffffffffff, 0a000002, 0",
    "2, 000000000000, 0a000002, 0",
    "2, 525400000002, 0a000001, 0",
    "2, 525400000002, 0a000002, 1",
  })
  void aWrongStatementIsCounted(int operation, String mac, String address, int cut) {
    connect();
    qp.post(Wqe.send().data(memory, 0, 8));
    rig.settle();
    String frame = arp(MAC, PEER_MAC, operation, mac, address, MAC, "0a000001");
    cable.send(frame.substring(0, frame.length() - 2 * cut));
    rig.settle();
    assertThat(cable.frames()).isEmpty();
    assertThat(counted("rx_malformed_frames")).isOne();
  }

  // ---- packets

  @ParameterizedTest
  @ValueSource(strings = {"", PEER_MAC + PEER_MAC + "0800"})
  void aRequestIsNotRepeatedWhileItsAcknowledgementIsBehindOtherFrames(String other) {
    connect(new Settings().psn(PSN, PSN).timeout(14).retryCount(7));
    qp.post(Wqe.send().data(memory, 0, 8));
    rig.settle();
    answer();
    rig.settle();
    assertThat(cable.frames()).hasSize(1);
    rig.clock().advance(SECOND);
    for (int i = 0; i < 64; i++) {
      cable.send(other);
    }
    acknowledge();
    assertThat(cable.frames()).isEmpty();
  }

  @Test
  void aFrameOfThePeerIsExecuted() {
    connect();
    cable.send(write(frame -> {}));
    rig.settle();
    assertThat(memory.bytes(0, 4)).containsExactly(1, 2, 3, 4);
    assertThat(cable.frames()).isEmpty();
    answer();
    rig.settle();
    // The acknowledgement.
    assertThat(cable.frame()).startsWith(PEER_MAC + MAC + "0800");
  }

  @Test
  void requestsAndResponsesHaveTheTrafficClassAndHopLimitOfTheirConnection() {
    connect(new Settings().psn(PSN, PSN).timeout(19).header(0x68, 17, 0));
    qp.post(Wqe.write(memory, 8).data(memory, 8, 4));
    rig.settle();
    cable.send(write(frame -> {}));
    answer();
    rig.settle();
    assertThat(cable.frames())
        .hasSize(2)
        .allSatisfy(
            frame -> {
              ByteBuffer packet = ByteBuffer.wrap(frame);
              assertThat(Ipv4.TOS.getInt(packet, 14)).isEqualTo(0x68 | Ecn.CAPABLE);
              assertThat(Ipv4.TTL.getInt(packet, 14)).isEqualTo(17);
            });
  }

  @Test
  void theIcrcCoversTheIdentification() {
    connect();
    byte[] frame = write(bytes -> {});
    ByteBuffer changed = ByteBuffer.wrap(frame);
    Ipv4.IDENTIFICATION.put(changed, 14, 0x1234);
    Ipv4.CHECKSUM.put(changed, 14, Ipv4.checksum(changed, 14));
    cable.send(frame);
    expectNothingChanged();
    assertThat(counted("rx_icrc_encapsulated")).isOne();
  }

  @Test
  void anotherIdentificationAndFlagsAreFineIfTheIcrcFits() {
    connect();
    cable.send(
        write(
            frame -> {
              Ipv4.IDENTIFICATION.put(frame, 14, 0);
              Ipv4.FLAGS.put(frame, 14, 0);
              Ipv4.TOS.put(frame, 14, 3);
              Ipv4.TTL.put(frame, 14, 1);
            }));
    rig.settle();
    assertThat(memory.bytes(0, 4)).containsExactly(1, 2, 3, 4);
  }

  @Test
  void framesThatAreWrongAreCounted() {
    connect();
    List<byte[]> wrong = new ArrayList<>();
    byte[] badChecksum = write(frame -> {});
    badChecksum[24] ^= 1;
    wrong.add(badChecksum);
    wrong.add(write(frame -> Ipv4.IHL.put(frame, 14, 6)));
    wrong.add(write(frame -> Ipv4.VERSION.put(frame, 14, 6)));
    wrong.add(write(frame -> Ipv4.FLAGS.put(frame, 14, Ipv4.MORE_FRAGMENTS)));
    wrong.add(write(frame -> Ipv4.TOTAL_LENGTH.put(frame, 14, 500)));
    wrong.add(write(frame -> Udp.LENGTH.put(frame, 34, 500)));
    wrong.add(write(frame -> Ipv4.SRC.put(frame, 14, 0xe0000001)));
    wrong.add(new byte[13]);
    for (byte[] frame : wrong) {
      cable.send(frame);
    }
    expectNothingChanged();
    assertThat(counted("rx_malformed_frames")).isEqualTo(wrong.size());
  }

  @Test
  void framesOfOtherHostsAndProtocolsAreCounted() {
    connect();
    List<byte[]> others = new ArrayList<>();
    others.add(write(frame -> Mac.put(frame, 0, PEER_MAC_NUMBER)));
    others.add(write(frame -> Mac.put(frame, 0, 0xffff_ffff_ffffL)));
    others.add(write(frame -> Ipv4.DST.put(frame, 14, 0x0a000003)));
    others.add(write(frame -> Udp.DST.put(frame, 34, 53)));
    others.add(write(frame -> Ipv4.PROTOCOL.put(frame, 14, 6)));
    others.add(write(frame -> frame.putShort(12, (short) 0x8100)));
    others.add(write(frame -> frame.putShort(12, (short) 0x86dd)));
    for (byte[] frame : others) {
      cable.send(frame);
    }
    expectNothingChanged();
    assertThat(counted("rx_other_frames")).isEqualTo(others.size());
  }

  @Test
  void randomChangesOfFramesChangeNothing() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    connect();
    for (int i = 0; i < 2000; i++) {
      byte[] frame = write(bytes -> {});
      // Skips the fields that the ICRC does not cover: ECN, TTL, UDP checksum, and the frame's
      // source.
      int at = 42 + random.nextInt(frame.length - 42);
      if (at == 46) {
        continue;
      }
      frame[at] ^= (byte) (1 + random.nextInt(255));
      cable.send(frame);
      byte[] noise = new byte[random.nextInt(200)];
      random.nextBytes(noise);
      cable.send(noise);
      rig.settle();
    }
    assertThat(memory.getLong(0)).as("seed %d", seed).isZero();
    assertThat(cable.frames()).as("seed %d", seed).isEmpty();
  }

  @Test
  void aCableWhoseOtherEndIsNotPluggedInLosesFrames() {
    connect();
    qp.post(Wqe.send().data(memory, 0, 8));
    rig.settle();
    answer();
    rig.settle();
    cable.close();
    for (int i = 0; i < 5; i++) {
      qp.post(Wqe.send().data(memory, 0, 8));
      rig.settle();
    }
    assertThat(counted("tx_refused")).isZero();
    assertThat(qp.sends().peek()).isEmpty();
  }

  // ---- link-local addresses

  /** A frame with an RDMA WRITE of four bytes over IPv6. */
  private static byte[] write(Gid from, Gid to, RawQp receiver, RawMemory target) {
    ByteBuffer frame = ByteBuffer.allocate(14 + 40 + 8 + 12 + 16 + 4 + 4);
    Mac.header(frame, MAC_NUMBER, PEER_MAC_NUMBER, Ethernet.IPV6);
    Ipv6.VERSION.put(frame, 14, 6);
    Ipv6.PAYLOAD_LENGTH.put(frame, 14, frame.capacity() - 54);
    Ipv6.NEXT_HEADER.put(frame, 14, Udp.PROTOCOL);
    frame.put(14 + 8, from.bytes()).put(14 + 24, to.bytes());
    Udp.SRC.put(frame, 54, 0xd123);
    Udp.DST.put(frame, 54, Udp.ROCE_PORT);
    Udp.LENGTH.put(frame, 54, frame.capacity() - 54);
    Bth.OPCODE.put(frame, 62, BthOpcode.WRITE_ONLY);
    Bth.P_KEY.put(frame, 62, 0xffff);
    Bth.DEST_QP.put(frame, 62, receiver.number());
    Bth.PSN.put(frame, 62, PSN);
    Reth.VA.put(frame, 74, target.address(0));
    Reth.R_KEY.put(frame, 74, target.key());
    Reth.DMA_LENGTH.put(frame, 74, 4);
    frame.putInt(90, 0x01020304);
    PacketView view = new PacketView();
    assertThat(view.wrap(frame, 0, frame.capacity(), frame.capacity(), LinkType.ETHERNET))
        .isEqualTo(Problem.NONE);
    view.seal();
    return frame.array();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLocalConnectionOverLinkLocalAddressesIsNotReachedFromOutside(boolean hairpin) {
    Gid address = TwoDevices.gid("fd00::1");
    try (Cable wire = new Cable();
        Rig device =
            Rigs.open(
                options ->
                    options
                        .withIdentity(IDENTITY)
                        .withListen(InetAddress.ofLiteral("fd00::1"))
                        .withFrames(wire.ports())
                        .withHairpin(hairpin))) {
      RawMemory target = device.memory(64);
      Gid own = device.nic().queryGid(1, Addresses.LINK_LOCAL);
      RawPair local =
          device.pair(
              new Settings()
                  .psn(PSN, PSN)
                  .source(Addresses.LINK_LOCAL)
                  .remote(own)
                  .mac(MAC_NUMBER));
      wire.send(write(own, address, local.left(), target));
      device.settle();
      assertThat(target.getLong(0)).isZero();
      assertThat(TwoDevices.network(device)).contains("rx_from_own_address 1,");
      wire.send(write(TwoDevices.gid("fd00::2"), address, local.left(), target));
      device.settle();
      assertThat(TwoDevices.network(device)).contains("rx_unwanted 1,");
    }
  }

  // ---- two devices

  @ParameterizedTest
  @CsvSource({"10.0.0.1, 10.0.0.2", "fd00::1, fd00::2"})
  void twoDevicesReachEachOtherOverACable(String nearAddress, String farAddress) {
    int one = Cable.freePort();
    int other = Cable.freePort();
    try (Rig near = open(new FramePorts(one, other), nearAddress);
        Rig far =
            Rigs.open(
                options ->
                    options
                        .withListen(InetAddress.ofLiteral(farAddress))
                        .withFrames(new FramePorts(other, one)))) {
      RawQp left = near.qp(near.cq(6));
      RawQp right = far.qp(far.cq(6));
      left.connect(right.number(), TwoDevices.to(farAddress));
      right.connect(left.number(), TwoDevices.to(nearAddress));
      RawMemory own = near.memory(20_000).fill(1);
      RawMemory theirs = far.memory(20_000);
      right.receive(theirs.address(10_000), 10_000, theirs.key());
      left.post(Wqe.write(theirs, 0).data(own, 0, 9_999));
      left.post(Wqe.send().data(own, 0, 9_999));
      left.post(Wqe.read(theirs, 0).data(own, 10_000, 9_999));
      left.post(Wqe.fetchAndAdd(theirs, 0, 1).data(own, 10_000, 8));
      // Address resolution does not count as work of a step.
      for (int i = 0; i < 1000 && left.sends().peek().size() < 4; i++) {
        near.nic().step();
        far.nic().step();
      }
      assertThat(left.sends().poll(4)).noneMatch(RawCqe::isError);
      assertThat(theirs.bytes(10_000, 9_999)).isEqualTo(own.bytes(0, 9_999));
      assertThat(theirs.bytes(8, 9_991)).isEqualTo(own.bytes(8, 9_991));
      assertThat(own.bytes(10_008, 9_991)).isEqualTo(own.bytes(8, 9_991));
      assertThat(own.getLong(10_000)).isEqualTo(own.getLong(0));
      assertThat(theirs.getLong(0)).isEqualTo(own.getLong(0) + 1);
    }
  }

  @Test
  void packetsOverIpv6HaveTheFlowLabelOfTheirConnection() {
    String nearAddress = "fd00::1";
    String farAddress = "fd00::2";
    try (Cable one = new Cable();
        Cable other = new Cable();
        Rig near = open(one.ports(), nearAddress);
        Rig far =
            Rigs.open(
                options ->
                    options
                        .withListen(InetAddress.ofLiteral(farAddress))
                        .withFrames(other.ports()))) {
      RawQp left = near.qp(near.cq(6));
      RawQp right = far.qp(far.cq(6));
      left.connect(
          right.number(), TwoDevices.to(farAddress, new Settings().header(0x68, 17, 0x12345)));
      right.connect(left.number(), TwoDevices.to(nearAddress));
      RawMemory own = near.memory(64);
      RawMemory theirs = far.memory(64);
      left.post(Wqe.write(theirs, 0).data(own, 0, 64));
      List<String> sent = new ArrayList<>();
      for (int i = 0; i < 1000 && left.sends().peek().isEmpty(); i++) {
        near.nic().step();
        for (byte[] frame : one.frames()) {
          ByteBuffer packet = ByteBuffer.wrap(frame);
          if (Ipv6.NEXT_HEADER.getInt(packet, 14) == Udp.PROTOCOL) {
            sent.add(HexFormat.of().formatHex(frame, 14, 18));
          }
          other.send(frame);
        }
        far.nic().step();
        other.frames().forEach(one::send);
      }
      assertThat(left.sends().pollOne().isError()).isFalse();
      // Version, traffic class with ECT(0), flow label.
      assertThat(sent).containsOnly("66a12345");
    }
  }

  @Test
  void aPortThatAnotherProcessUsesIsNamed() {
    assertThatThrownBy(() -> open(cable.ports(), OWN).close())
        .isInstanceOf(HcaException.class)
        .hasMessageContaining(
            "frames=%s of device soft: UDP port %d of 127.0.0.1 can't be bound",
            cable.ports(), cable.ports().own());
  }
}
