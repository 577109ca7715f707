package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.Gid;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Problem;
import dev.bluebell.roce.packet.Udp;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.port.Gids;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The links for datagrams in bulk and one by one: both carry the same packets. */
@ResourceLock(TwoDevices.ADDRESSES)
class LinkTest {
  private static final InetAddress NEAR = InetAddress.ofLiteral(TwoDevices.NEAR);
  private static final InetAddress FAR = InetAddress.ofLiteral(TwoDevices.FAR);
  private static final int SOL_SOCKET = 1;
  private static final int SO_NO_CHECK = 11;
  private static final int UDP_NO_CHECK6_TX = 101;

  /** The two implementations. */
  enum Kind {
    BULK(BulkSocket::open),
    SINGLE(UdpSocket::open);

    private final Function<InetAddress, Link> opened;

    Kind(Function<InetAddress, Link> opened) {
      this.opened = opened;
    }

    Link open(InetAddress address) {
      return opened.apply(address);
    }
  }

  private final Packet packet = new Packet();
  private final MemorySegment payload = Arena.ofAuto().allocate(4096);

  private static Outgoing outgoing(Link link) {
    return new Outgoing(link.port(), link.gid().isIpv4(), link.longestRun());
  }

  /** Adds an RDMA WRITE MIDDLE with this payload; the payload's bytes are those of its number. */
  private void add(Outgoing out, Gid from, InetAddress to, int psn, int bytes) {
    payload.fill((byte) psn);
    Gid there = Gids.of(to);
    packet.opcode = BthOpcode.WRITE_MIDDLE;
    packet.psn = psn;
    packet.sourceQpn = 0x77;
    packet.packets = 1;
    packet.sourceGidHigh = from.high();
    packet.sourceGidLow = from.low();
    packet.destinationGidHigh = there.high();
    packet.destinationGidLow = there.low();
    packet.payload.clear();
    packet.payload.add(payload.address(), bytes);
    packet.payloadBytes = bytes;
    out.add(packet, new InetSocketAddress(to, Udp.ROCE_PORT));
  }

  private static void sendAll(Link link, Outgoing out) throws IOException {
    while (!out.isEmpty()) {
      link.send(out);
    }
  }

  /** A packet that was received. */
  private record Seen(int psn, int bytes, int identification, Gid from) {}

  private static Seen next(Incoming in, WireFormat format, Gid own) {
    in.next();
    Packet seen = new Packet();
    assertThat(
            format.wrap(
                in.at(), in.bytes(), in.sender(), 0, in.trafficClass(), own.high(), own.low()))
        .isEqualTo(Problem.NONE);
    int identification = format.identification();
    format.decode(seen, in.sender(), own.high(), own.low());
    for (int i = 0; i < seen.payloadBytes; i++) {
      assertThat(format.buffer().get(in.at() + 12 + i)).isEqualTo((byte) seen.psn);
    }
    Gid from = new Gid(in.sender().gidHigh(), in.sender().gidLow());
    return new Seen(seen.psn, seen.payloadBytes, identification, from);
  }

  /** Receives all packets; datagrams on loopback have arrived when they are sent. */
  private static List<Seen> receiveAll(Link link) {
    Incoming in = new Incoming();
    WireFormat format = new WireFormat(in.buffer());
    List<Seen> all = new ArrayList<>();
    link.receive(in);
    while (!in.isEmpty()) {
      while (!in.isEmpty()) {
        all.add(next(in, format, link.gid()));
      }
      link.receive(in);
    }
    return all;
  }

  /** Traffic class of the next packet, as the receiving link reports it. */
  private static int nextTrafficClass(Link link) {
    Incoming in = new Incoming();
    link.receive(in);
    assertThat(in.isEmpty()).isFalse();
    in.next();
    int trafficClass = in.trafficClass();
    while (!in.isEmpty()) {
      in.next();
      assertThat(in.trafficClass()).isEqualTo(trafficClass);
    }
    return trafficClass;
  }

  /** Sends packets of several traffic classes, and expects that each arrives with its own. */
  private void expectTrafficClasses(Link near, Link far) throws IOException {
    Outgoing out = outgoing(near);
    InetAddress there = Gids.address(far.gid().high(), far.gid().low());
    int[] classes = {0, 0x68, 0x68, 0x20, 0, 0};
    for (int i = 0; i < classes.length; i++) {
      packet.trafficClass = classes[i];
      add(out, near.gid(), there, i, 100);
    }
    sendAll(near, out);
    List<Integer> seen = new ArrayList<>();
    Incoming in = new Incoming();
    far.receive(in);
    while (!in.isEmpty()) {
      in.next();
      seen.add(in.trafficClass());
    }
    assertThat(seen).containsExactly(0x02, 0x6a, 0x6a, 0x22, 0x02, 0x02);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void eachPacketHasItsTrafficClass(Kind sender) throws IOException {
    try (Link near = sender.open(NEAR);
        Link far = Kind.BULK.open(FAR)) {
      expectTrafficClasses(near, far);
    }
  }

  @Test
  void eachPacketHasItsTrafficClassOverIpv6() throws IOException {
    try (Link link = Kind.BULK.open(InetAddress.ofLiteral("::1"))) {
      expectTrafficClasses(link, link);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void packetsAreMarkableBySwitchesAsTheReceiverSees(Kind sender) throws IOException {
    try (Link near = sender.open(NEAR);
        Link far = Kind.BULK.open(FAR)) {
      Outgoing out = outgoing(near);
      add(out, near.gid(), FAR, 0, 100);
      add(out, near.gid(), FAR, 1, 100);
      sendAll(near, out);
      assertThat(nextTrafficClass(far)).isEqualTo(Ecn.CAPABLE);
    }
  }

  @Test
  void packetsAreMarkableBySwitchesOverIpv6Too() throws IOException {
    InetAddress own = InetAddress.ofLiteral("::1");
    try (Link link = Kind.BULK.open(own)) {
      Outgoing out = outgoing(link);
      add(out, link.gid(), own, 0, 100);
      sendAll(link, out);
      assertThat(nextTrafficClass(link)).isEqualTo(Ecn.CAPABLE);
    }
  }

  @ParameterizedTest
  @Tag("slow")
  @CsvSource({"BULK,BULK", "BULK,SINGLE", "SINGLE,BULK", "SINGLE,SINGLE"})
  void packetsOfAnyLengthsArriveInTheirOrderAsTheyWereSent(Kind sender, Kind receiver)
      throws IOException {
    long seed = Long.getLong("bluebell.network.seed", new Random().nextInt());
    Random random = new Random(seed);
    try (Link near = sender.open(NEAR);
        Link far = receiver.open(FAR)) {
      Outgoing out = outgoing(near);
      int psn = 0;
      for (int round = 0; round < 50; round++) {
        List<Integer> lengths = new ArrayList<>();
        int bytes = 0;
        for (int i = random.nextInt(Outgoing.PACKETS) + 1; i > 0; i--) {
          bytes = random.nextInt(4) == 0 ? random.nextInt(4097) : bytes;
          lengths.add(bytes);
          add(out, near.gid(), FAR, psn + lengths.size() - 1, bytes);
        }
        sendAll(near, out);
        List<Seen> all = receiveAll(far);
        assertThat(all).as("seed %d", seed).extracting(Seen::bytes).isEqualTo(lengths);
        for (Seen seen : all) {
          assertThat(seen.psn()).isEqualTo(psn++);
          assertThat(seen.identification()).isNotNegative();
          assertThat(seen.from()).isEqualTo(near.gid());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void packetsArriveInTheirOrderOverIpv6Too(Kind kind) throws IOException {
    // The loopback interface has one address of IPv6, so this link sends to itself.
    InetAddress address = InetAddress.ofLiteral("::1");
    try (Link link = kind.open(address)) {
      Outgoing out = outgoing(link);
      for (int i = 0; i < 20; i++) {
        add(out, link.gid(), address, i, i < 10 ? 1024 : 100);
      }
      sendAll(link, out);
      assertThat(receiveAll(link))
          .hasSize(20)
          .allMatch(seen -> seen.from().equals(link.gid()))
          .allMatch(seen -> seen.identification() == 0)
          .extracting(Seen::psn)
          .isSorted();
    }
  }

  @Test
  void aRunIsOneMessageWhoseIdentificationsCountUpFromZero() throws IOException {
    try (Link near = Kind.BULK.open(NEAR);
        Link far = Kind.BULK.open(FAR)) {
      Outgoing out = outgoing(near);
      for (int i = 0; i < 5; i++) {
        add(out, near.gid(), FAR, i, i < 4 ? 4096 : 7);
      }
      add(out, near.gid(), FAR, 5, 7);
      assertThat(out.run(0)).isEqualTo(5);
      assertThat(out.run(5)).isOne();
      sendAll(near, out);
      Incoming in = new Incoming();
      WireFormat format = new WireFormat(in.buffer());
      far.receive(in);
      List<Integer> identifications = new ArrayList<>();
      List<Boolean> firsts = new ArrayList<>();
      while (!in.isEmpty()) {
        identifications.add(next(in, format, far.gid()).identification());
        firsts.add(in.isFirst());
      }
      assertThat(identifications).containsExactly(0, 1, 2, 3, 4, 0);
      assertThat(firsts).containsExactly(true, false, false, false, false, true);
    }
  }

  @Test
  void aRunEndsWhereItsPacketsAreNotOfOneLengthAndOneDestination() {
    try (Link near = Kind.BULK.open(NEAR)) {
      Outgoing out = outgoing(near);
      add(out, near.gid(), FAR, 0, 64);
      add(out, near.gid(), FAR, 1, 64);
      add(out, near.gid(), NEAR, 2, 64);
      add(out, near.gid(), NEAR, 3, 128);
      add(out, near.gid(), NEAR, 4, 60);
      add(out, near.gid(), NEAR, 5, 60);
      assertThat(out.run(0)).isEqualTo(2);
      assertThat(out.run(2)).isOne();
      assertThat(out.run(3)).isEqualTo(2);
      assertThat(out.run(5)).isOne();
      assertThat(out.run(6)).isZero();
      for (int i = 6; !out.isFull(); i++) {
        add(out, near.gid(), FAR, i, 4096);
      }
      // An IP packet has a length of 16 bits.
      assertThat(out.run(6)).isEqualTo(65_000 / (4096 + 16));
    }
  }

  @Test
  void aRunThatTheKernelDoesNotSegmentIsSentPacketByPacket() throws IOException {
    try (BulkSocket near = BulkSocket.open(NEAR);
        Link far = Kind.SINGLE.open(FAR)) {
      // Without checksums, Linux refuses to segment.
      assertThat(
              new SocketCalls(Arena.ofAuto())
                  .setOption(near.descriptor(), SOL_SOCKET, SO_NO_CHECK, 1))
          .isZero();
      Outgoing out = outgoing(near);
      for (int i = 0; i < 10; i++) {
        add(out, near.gid(), FAR, i, 100);
      }
      sendAll(near, out);
      assertThat(receiveAll(far)).hasSize(10).extracting(Seen::identification).containsOnly(0);
    }
  }

  @Test
  void overIpv6PacketsWithoutAUdpChecksumAreTakenAsSoftRoceSendsThem() throws IOException {
    InetAddress address = InetAddress.ofLiteral("::1");
    try (BulkSocket link = BulkSocket.open(address)) {
      assertThat(
              new SocketCalls(Arena.ofAuto())
                  .setOption(link.descriptor(), Messages.SOL_UDP, UDP_NO_CHECK6_TX, 1))
          .isZero();
      Outgoing out = outgoing(link);
      add(out, link.gid(), address, 7, 100);
      sendAll(link, out);
      assertThat(receiveAll(link)).extracting(Seen::psn).containsExactly(7);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRefusedPacketDoesNotHoldUpTheOthers(Kind kind) throws IOException {
    try (Link near = kind.open(NEAR);
        Link far = Kind.SINGLE.open(FAR)) {
      Outgoing out = outgoing(near);
      // From a loopback address, nothing leaves the machine.
      InetAddress outside = InetAddress.ofLiteral("192.0.2.1");
      add(out, near.gid(), FAR, 0, 100);
      add(out, near.gid(), outside, 1, 100);
      add(out, near.gid(), outside, 2, 100);
      add(out, near.gid(), FAR, 3, 100);
      for (int psn = 1; psn <= 2; psn++) {
        assertThatThrownBy(() -> sendAll(near, out)).isInstanceOf(IOException.class);
        Packet lost = new Packet();
        out.describe(lost);
        assertThat(lost.opcode).isEqualTo(BthOpcode.WRITE_MIDDLE);
        assertThat(lost.sourceQpn).isEqualTo(0x77);
        assertThat(out.run(out.next())).isOne();
        out.sent(1);
      }
      sendAll(near, out);
      assertThat(receiveAll(far)).extracting(Seen::psn).containsExactly(0, 3);
    }
  }

  @Test
  void aClosedLinkSendsNothing() {
    Link near = Kind.BULK.open(NEAR);
    Outgoing out = outgoing(near);
    near.close();
    near.close();
    near.wake(Thread.currentThread());
    add(out, near.gid(), FAR, 0, 100);
    assertThatThrownBy(() -> near.send(out)).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @EnumSource
  void aDatagramEndsASleepAndSoDoesAWaking(Kind kind) throws IOException {
    long hour = 3_600_000_000_000L;
    try (Link near = kind.open(NEAR);
        Link far = kind.open(FAR)) {
      far.wake(Thread.currentThread());
      far.sleep(hour);
      Outgoing out = outgoing(near);
      add(out, near.gid(), FAR, 0, 100);
      sendAll(near, out);
      far.sleep(hour);
      assertThat(receiveAll(far)).hasSize(1);
    }
  }
}
