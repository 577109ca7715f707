package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.roce.packet.Bth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Deth;
import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.roce.packet.Reth;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams that are invalid, or do not come from the connected peer, change nothing. */
@ResourceLock(TwoDevices.ADDRESSES)
class NetworkStrangersTest {
  private static final String DEVICE = TwoDevices.address(2);
  private static final String PEER = TwoDevices.address(9);
  private static final String STRANGER = TwoDevices.address(10);
  private static final int PSN = 0x1000;

  private static final long STEP_NANOS = 100_000;

  /** The byte of the BTH that has FECN and BECN, which the ICRC leaves out. */
  private static final int MASKED_BYTE = 4;

  private final Rig rig = TwoDevices.open(DEVICE, UnaryOperator.identity());
  private final Peer peer = new Peer(PEER, DEVICE);
  private final RawMemory memory = rig.memory(4096);
  private final RawQp qp = rig.qp(rig.cq(6));

  NetworkStrangersTest() {
    qp.connect(0x77, TwoDevices.to(PEER, new Settings().psn(PSN, PSN)));
  }

  @AfterEach
  void close() {
    memory.expectCanaries();
    peer.close();
    rig.close();
  }

  /** Of one datagram at a time, the socket is empty in between; of many, never. */
  @ParameterizedTest
  @ValueSource(ints = {1, 40})
  void datagramsThatKeepArrivingDoNotPutOffAnAckTimeoutForEver(int atATime) {
    RawQp waiting = rig.qp(rig.cq(6));
    waiting.connect(0x78, TwoDevices.to(PEER, new Settings().timeout(8).retryCount(0)));
    waiting.post(Wqe.send());
    try (Peer stranger = new Peer(STRANGER, DEVICE)) {
      for (int step = 0; step < 2000 && waiting.sends().peek().isEmpty(); step++) {
        for (int i = 0; i < atATime; i++) {
          stranger.send(new byte[1024]);
        }
        rig.nic().step();
        rig.clock().advance(STEP_NANOS);
      }
    }
    waiting.sends().pollOne().requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0);
  }

  /** An RDMA WRITE of four bytes. */
  private byte[] write(int qpn, int rkey, int psn) {
    ByteBuffer packet = ByteBuffer.allocate(12 + 16 + 4 + 4);
    Bth.OPCODE.put(packet, 0, BthOpcode.WRITE_ONLY);
    Bth.P_KEY.put(packet, 0, 0xffff);
    Bth.DEST_QP.put(packet, 0, qpn);
    Bth.ACK_REQ.put(packet, 0, 1);
    Bth.PSN.put(packet, 0, psn);
    Reth.VA.put(packet, 12, memory.address(0));
    Reth.R_KEY.put(packet, 12, rkey);
    Reth.DMA_LENGTH.put(packet, 12, 4);
    packet.putInt(28, 0x01020304);
    return packet.array();
  }

  private byte[] write() {
    return write(qp.number(), memory.key(), PSN);
  }

  private long counted(String counter) {
    String line = TwoDevices.network(rig);
    String behind = line.substring(line.indexOf(counter + " ") + counter.length() + 1);
    return Long.parseLong(behind.replaceAll("\\D.*", ""));
  }

  private void expectNothingChanged() {
    rig.settle();
    assertThat(peer.answers()).isEmpty();
    assertThat(memory.getLong(0)).isZero();
    assertThat(qp.receives().peek()).isEmpty();
  }

  @Test
  void theSamePacketFromThePeerIsExecuted() {
    peer.send(peer.sealed(write(), 0, view -> {}));
    rig.settle();
    assertThat(memory.bytes(0, 4)).containsExactly(1, 2, 3, 4);
    assertThat(peer.answers()).hasSize(1);
  }

  @Test
  void aPacketFromAnotherAddressIsUnwanted() {
    try (Peer stranger = new Peer(STRANGER, DEVICE)) {
      stranger.send(stranger.sealed(write(), 0, view -> {}));
      expectNothingChanged();
      assertThat(stranger.answers()).isEmpty();
      assertThat(counted("rx_unwanted")).isOne();
    }
    assertThat(dropped())
        .singleElement()
        .asString()
        .startsWith(
            "RDMA_WRITE of service RC at PSN 0x001000 from %s for QP 0x%x was dropped without an answer (rx_unwanted 1): "
                .formatted(STRANGER, qp.number()))
        .contains(PEER);
  }

  private List<String> dropped() {
    return rig.explanations().stream()
        .filter(sentence -> sentence.contains("was dropped without an answer"))
        .toList();
  }

  @Test
  void strayAnswersDoNotUseUpTheExplanationsOfRequests() {
    ByteBuffer answer = ByteBuffer.allocate(12 + 4 + 4);
    Bth.OPCODE.put(answer, 0, BthOpcode.ACKNOWLEDGE);
    Bth.P_KEY.put(answer, 0, 0xffff);
    Bth.DEST_QP.put(answer, 0, qp.number() ^ 1);
    for (int i = 0; i < 20; i++) {
      peer.send(peer.sealed(answer.array(), 0, view -> {}));
    }
    peer.send(peer.sealed(write(qp.number() ^ 1, memory.key(), PSN), 0, view -> {}));
    expectNothingChanged();
    assertThat(dropped()).singleElement().asString().contains("(rx_unwanted 21)");
  }

  @Test
  void ofManyUnwantedPacketsSixteenAndEveryPowerOfTwoAreExplained() {
    byte[] packet = peer.sealed(write(qp.number() ^ 1, memory.key(), PSN), 0, view -> {});
    for (int i = 0; i < 100; i++) {
      peer.send(packet);
      rig.settle();
    }
    assertThat(counted("rx_unwanted")).isEqualTo(100);
    assertThat(dropped()).hasSize(18).last().asString().contains("(rx_unwanted 64)");
  }

  @Test
  void aPacketWithAWrongIcrcIsCountedAsMlx5CountsIt() {
    byte[] packet = peer.sealed(write(), 0, view -> {});
    packet[packet.length - 6] = (byte) (packet[packet.length - 6] ^ 1);
    peer.send(packet);
    expectNothingChanged();
    assertThat(counted("rx_icrc_encapsulated")).isOne();
  }

  @Test
  void whereverABitIsChangedThePacketIsDroppedAndCounted() {
    byte[] packet = peer.sealed(write(), 0, view -> {});
    int changed = 0;
    for (int bit = 0; bit < 8 * packet.length; bit++) {
      if (bit / 8 != MASKED_BYTE) {
        byte[] spoilt = packet.clone();
        spoilt[bit / 8] ^= (byte) (1 << bit % 8);
        peer.send(spoilt);
        changed++;
        rig.settle();
      }
    }
    expectNothingChanged();
    assertThat(
            counted("rx_icrc_encapsulated")
                + counted("rx_malformed")
                + counted("rx_unknown_opcode"))
        .isEqualTo(changed);
    peer.send(packet);
    rig.settle();
    assertThat(memory.bytes(0, 4)).containsExactly(1, 2, 3, 4);
  }

  @Test
  void bthFieldsThatSwitchesMayChangeAreNotChecked() {
    byte[] packet = peer.sealed(write(), 0, view -> {});
    packet[MASKED_BYTE] = (byte) 0xff;
    peer.send(packet);
    rig.settle();
    assertThat(memory.bytes(0, 4)).containsExactly(1, 2, 3, 4);
    assertThat(peer.answers()).hasSize(1);
  }

  /** An RDMA WRITE of five bytes, with padding of three. */
  private byte[] paddedWrite(int padCount) {
    byte[] packet = Arrays.copyOf(write(), 12 + 16 + 8 + 4);
    ByteBuffer fields = ByteBuffer.wrap(packet);
    Bth.PAD_COUNT.put(fields, 0, padCount);
    Reth.DMA_LENGTH.put(fields, 12, 5);
    fields.putLong(28, 0x01020304_05777777L);
    return packet;
  }

  @Test
  void paddingMayHaveAnyBytes() {
    peer.send(peer.sealed(paddedWrite(3), 0, view -> {}));
    rig.settle();
    assertThat(memory.bytes(0, 8)).containsExactly(1, 2, 3, 4, 5, 0, 0, 0);
    assertThat(peer.answers())
        .singleElement()
        .satisfies(answer -> assertThat(answer[12]).isEqualTo((byte) 0x1f));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aPadCountThatDoesNotFitTheLengthIsRefused(int padCount) {
    peer.send(peer.sealed(paddedWrite(padCount), 0, view -> {}));
    rig.settle();
    assertThat(memory.getLong(0)).isZero();
    assertThat(peer.answers())
        .singleElement()
        .satisfies(answer -> assertThat(answer[12]).isEqualTo((byte) 0x61));
  }

  @ParameterizedTest
  @ValueSource(ints = {BthOpcode.UC, 0x40, BthOpcode.UD, BthOpcode.XRC, 0xc0, 0xe0})
  void aRequestOfAnotherServiceIsDropped(int service) {
    byte[] packet = Arrays.copyOf(write(), 64);
    packet[0] |= (byte) service;
    peer.send(peer.sealed(packet, 0, view -> {}));
    expectNothingChanged();
    assertThat(qp.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void anotherVersionAndQueuePairZeroAreDropped() {
    byte[] version = write();
    Bth.TVER.put(ByteBuffer.wrap(version), 0, 1);
    peer.send(peer.sealed(version, 0, view -> {}));
    peer.send(peer.sealed(write(0, memory.key(), PSN), 0, view -> {}));
    expectNothingChanged();
    assertThat(counted("rx_malformed")).isOne();
    assertThat(counted("rx_unwanted")).isOne();
  }

  @Test
  void aCutPacketIsMalformed() {
    byte[] packet = peer.sealed(write(), 0, view -> {});
    for (int bytes = 0; bytes < 32; bytes++) {
      peer.send(Arrays.copyOf(packet, bytes));
    }
    expectNothingChanged();
    assertThat(counted("rx_malformed")).isEqualTo(32);
  }

  @Test
  void anOpcodeWithoutMeaningIsCounted() {
    byte[] packet = write();
    packet[0] = (byte) 0xd5;
    peer.send(packet);
    expectNothingChanged();
    assertThat(counted("rx_unknown_opcode")).isOne();
  }

  @Test
  void anOperationOfALaterSpecificationIsRefused() {
    for (int operation : new int[] {BthOpcode.FLUSH, BthOpcode.ATOMIC_WRITE}) {
      ByteBuffer packet = ByteBuffer.allocate(12 + 4 + 16 + 4);
      Bth.OPCODE.put(packet, 0, operation);
      Bth.P_KEY.put(packet, 0, 0xffff);
      Bth.DEST_QP.put(packet, 0, qp.number());
      Bth.PSN.put(packet, 0, PSN);
      peer.send(peer.sealed(packet.array(), 0, view -> {}));
      rig.settle();
      assertThat(peer.answers())
          .singleElement()
          .satisfies(answer -> assertThat(answer[12]).isEqualTo((byte) 0x61));
      qp.reset();
      qp.connect(0x77, TwoDevices.to(PEER, new Settings().psn(PSN, PSN)));
    }
  }

  @Test
  void aCongestionNotificationIsCountedAndIgnored() {
    ByteBuffer packet = ByteBuffer.allocate(12 + 16 + 4);
    Bth.OPCODE.put(packet, 0, BthOpcode.CNP);
    Bth.DEST_QP.put(packet, 0, qp.number());
    peer.send(peer.sealed(packet.array(), 0, view -> {}));
    expectNothingChanged();
    assertThat(counted("rp_cnp_ignored")).isOne();
  }

  @Test
  void aPacketToAnUnknownQueuePairIsDropped() {
    peer.send(peer.sealed(write(qp.number() ^ 1, memory.key(), PSN), 0, view -> {}));
    expectNothingChanged();
    assertThat(counted("rx_unwanted")).isOne();
    assertThat(dropped())
        .singleElement()
        .asString()
        .contains("no QP 0x%x exists (remote_qpn)".formatted(qp.number() ^ 1));
  }

  @Test
  void aPacketOfAnotherPartitionIsDropped() {
    byte[] packet = write();
    Bth.P_KEY.put(ByteBuffer.wrap(packet), 0, 0x8001);
    peer.send(peer.sealed(packet, 0, view -> {}));
    expectNothingChanged();
    assertThat(counted("rx_unwanted")).isOne();
  }

  @Test
  void aPacketAheadOfTheExpectedPsnIsRequestedAgainAndChangesNothing() {
    peer.send(peer.sealed(write(qp.number(), memory.key(), PSN + 5), 0, view -> {}));
    rig.settle();
    assertThat(memory.getLong(0)).isZero();
    assertThat(peer.answers()).hasSize(1);
    peer.send(peer.sealed(write(), 0, view -> {}));
    rig.settle();
    assertThat(memory.bytes(0, 4)).containsExactly(1, 2, 3, 4);
  }

  @Test
  void anUnawaitedAnswerIsUnwanted() {
    ByteBuffer answer = ByteBuffer.allocate(12 + 4 + 4);
    Bth.OPCODE.put(answer, 0, BthOpcode.ACKNOWLEDGE);
    Bth.P_KEY.put(answer, 0, 0xffff);
    Bth.DEST_QP.put(answer, 0, qp.number());
    Bth.PSN.put(answer, 0, PSN + 3);
    answer.putInt(12, 0x1f000001);
    peer.send(peer.sealed(answer.array(), 0, view -> {}));
    Bth.DEST_QP.put(answer, 0, qp.number() ^ 1);
    peer.send(peer.sealed(answer.array(), 0, view -> {}));
    expectNothingChanged();
    assertThat(counted("rx_unwanted")).isEqualTo(2);
  }

  @Test
  void aPacketFromTheDevicesOwnAddressIsDropped() throws IOException {
    try (DatagramChannel forger = DatagramChannel.open()) {
      forger.bind(new InetSocketAddress(InetAddress.ofLiteral(DEVICE), 0));
      int unused =
          forger.send(
              ByteBuffer.wrap(write()), new InetSocketAddress(InetAddress.ofLiteral(DEVICE), 4791));
    }
    expectNothingChanged();
    assertThat(counted("rx_from_own_address")).isOne();
  }

  @Test
  void aLocalConnectionIsNotReachedFromOutside() {
    RawQp other = rig.qp(rig.cq(6));
    RawQp local = rig.qp(rig.cq(6));
    local.connect(other.number(), TwoDevices.to(DEVICE));
    other.connect(local.number(), TwoDevices.to(DEVICE));
    peer.send(peer.sealed(write(local.number(), memory.key(), PSN), 0, view -> {}));
    expectNothingChanged();
    other.post(Wqe.write(memory, 64).data(memory, 0, 4));
    rig.settle();
    other.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  /** A service request, as a connection manager sends it. */
  static byte[] question(int queueKey, int attribute, int bytes) {
    ByteBuffer packet = ByteBuffer.allocate(12 + 8 + bytes + 4);
    Bth.OPCODE.put(packet, 0, BthOpcode.UD | BthOpcode.SEND_ONLY);
    Bth.P_KEY.put(packet, 0, 0xffff);
    Bth.DEST_QP.put(packet, 0, 1);
    Deth.Q_KEY.put(packet, 12, queueKey);
    Deth.SRC_QP.put(packet, 12, 0x55);
    packet.putInt(20, 0x01070203);
    packet.putLong(28, 7);
    packet.putShort(36, (short) attribute);
    packet.putInt(44, 0x12345678);
    packet.putLong(52, 0x0111_0001L);
    return packet.array();
  }

  @Test
  void aSidrRequestIsAnsweredAsUnsupported() {
    peer.send(peer.sealed(question(0x80010000, 0x17, 256), 0, view -> {}));
    rig.settle();
    ByteBuffer answer = ByteBuffer.wrap(peer.answers().getFirst());
    assertThat(answer.capacity()).isEqualTo(12 + 8 + 256 + 4);
    assertThat(Bth.OPCODE.getInt(answer, 0)).isEqualTo(BthOpcode.UD | BthOpcode.SEND_ONLY);
    assertThat(Bth.DEST_QP.getInt(answer, 0)).isEqualTo(0x55);
    assertThat(Deth.SRC_QP.getInt(answer, 12)).isOne();
    assertThat(Deth.Q_KEY.getInt(answer, 12)).isEqualTo(0x80010000);
    assertThat(answer.getInt(20)).isEqualTo(0x01070203);
    assertThat(answer.getLong(28)).as("transaction").isEqualTo(7);
    assertThat(answer.getShort(36)).as("SIDR_REP").isEqualTo((short) 0x18);
    assertThat(answer.getInt(44)).as("request").isEqualTo(0x12345678);
    assertThat(answer.get(48)).as("status: unsupported").isEqualTo((byte) 1);
    assertThat(answer.getLong(56)).as("service").isEqualTo(0x0111_0001L);
    assertThat(counted("rx_sidr_answered")).isOne();
  }

  @Test
  void otherDatagramsForQueuePairOneAreUnwanted() {
    peer.send(peer.sealed(question(0x11111111, 0x17, 256), 0, view -> {}));
    peer.send(peer.sealed(question(0x80010000, 0x10, 256), 0, view -> {}));
    peer.send(peer.sealed(question(0x80010000, 0x17, 252), 0, view -> {}));
    expectNothingChanged();
    assertThat(counted("rx_sidr_answered")).isZero();
    assertThat(counted("rx_unwanted")).isEqualTo(3);
  }

  /** Fuzzing: random datagrams, half of them with a valid ICRC. */
  @Test
  @Tag("slow")
  void hostileDatagramsNeitherFailTheDeviceNorReachOtherMemory() {
    long seed = Long.getLong("bluebell.network.seed", new Random().nextInt());
    int rounds = Integer.getInteger("bluebell.network.rounds", 10_000);
    Random random = new Random(seed);
    RawMemory secret = rig.memory(4096, 0).fill(seed);
    byte[] before = secret.bytes();
    for (int i = 0; i < 4; i++) {
      qp.receive(memory.address(0), 64, memory.key());
    }
    List<byte[]> seeds =
        SoftRoce.files()
            .flatMap(file -> SoftRoce.packets(file, LinkType.ETHERNET).stream())
            .map(SoftRoce.Captured::transport)
            .toList();
    for (int round = 0; round < rounds; round++) {
      byte[] packet = seeds.get(random.nextInt(seeds.size())).clone();
      int psn = random.nextInt(4) == 0 ? random.nextInt(1 << 24) : PSN + random.nextInt(3);
      Bth.DEST_QP.put(ByteBuffer.wrap(packet), 0, qp.number());
      Bth.PSN.put(ByteBuffer.wrap(packet), 0, psn);
      if (random.nextBoolean() && packet.length >= 28) {
        ByteBuffer.wrap(packet).putLong(12, memory.address(random.nextInt(4096) - 64));
        ByteBuffer.wrap(packet).putInt(20, random.nextBoolean() ? memory.key() : secret.key());
      }
      for (int flips = random.nextInt(4); flips > 0; flips--) {
        packet[random.nextInt(packet.length)] ^= (byte) (1 << random.nextInt(8));
      }
      if (random.nextInt(8) == 0) {
        packet = Arrays.copyOf(packet, random.nextInt(packet.length + 1));
      }
      peer.send(random.nextBoolean() ? peer.sealed(packet, random.nextInt(), view -> {}) : packet);
      rig.settle();
      if (qp.state() != QpState.RTS) {
        qp.receives().poll();
        qp.sends().poll();
        qp.reset();
        qp.connect(0x77, TwoDevices.to(PEER, new Settings().psn(PSN, PSN)));
      }
      if (round % 64 == 0) {
        peer.answers();
        qp.receives().poll();
      }
    }
    assertThat(secret.bytes()).as("seed %d", seed).isEqualTo(before);
    secret.expectCanaries();
    assertThat(counted("rx_packets")).isEqualTo(rounds);
  }
}
