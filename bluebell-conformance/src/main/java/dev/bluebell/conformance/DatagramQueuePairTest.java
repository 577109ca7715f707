package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.NetworkHeader;
import dev.bluebell.verbs.PathOptions;
import dev.bluebell.verbs.UdEndpoint;
import dev.bluebell.verbs.UdQueuePair;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unreliable datagram queue pairs (UD). */
@Conformance
class DatagramQueuePairTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 4096})
  void aDatagramArrivesBehindItsHeader(int size, Bench bench) {
    DatagramEnd left = new DatagramEnd(bench);
    DatagramEnd right = new DatagramEnd(bench);
    byte[] message = Buffer.pattern(size, size);
    right.receive(7);
    Done received = left.deliver(right, message, 1).requireSuccess(7);
    assertThat(received.byteCount()).isEqualTo(UdQueuePair.HEADER_BYTES + size);
    assertThat(right.message(size)).isEqualTo(message);
  }

  @Test
  @ExpectsDelivery
  void oneQueuePairReachesManyReceiversAndEachSeesTheSender(Bench bench) {
    DatagramEnd sender = new DatagramEnd(bench);
    List<DatagramEnd> others = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      DatagramEnd other = new DatagramEnd(bench);
      other.receive(i);
      others.add(other);
    }
    for (int i = 0; i < others.size(); i++) {
      AddressHandle to = sender.queuePair.addressHandle(others.get(i).queuePair.endpoint());
      sender.queuePair.to(to).sendImmediate(i).inline(new byte[] {(byte) i}, 0, 1).signaled(i);
    }
    sender.queuePair.ringDoorbell();
    bench.await(sender.sends, others.size());
    for (int i = 0; i < others.size(); i++) {
      DatagramEnd other = others.get(i);
      Completion received = bench.awaitView(other.receives);
      assertThat(received.immediate()).isEqualTo(i);
      assertThat(received.source().queuePairNumber()).isEqualTo(sender.queuePair.number());
      assertThat(received.source().hasHeader()).isEqualTo(!bench.isInfiniBand());
      assertThat(other.message(1)).containsExactly(i);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @ExpectsDelivery
  void theHeaderHasTheReturnPath(boolean ipv4, Bench bench) {
    // The GID table's entries are RoCE addresses.
    bench.assumeLinkLayer(LinkLayer.ETHERNET);
    int gidIndex = bench.assumeGidOfRoceV2(ipv4);
    DatagramEnd left = new DatagramEnd(bench, plan -> plan.gidIndex(gidIndex));
    DatagramEnd right = new DatagramEnd(bench, plan -> plan.gidIndex(gidIndex));
    right.receive(1);
    UdEndpoint there = right.queuePair.endpoint();
    PathOptions options = new PathOptions(0x68, 0, ipv4 ? 0 : 0x12345);
    left.send(left.queuePair.addressHandle(there, options), new byte[] {42}, 2);
    left.awaitSend().requireSuccess(2);
    Completion received = bench.awaitView(right.receives);
    NetworkHeader header =
        new NetworkHeader().at(right.buffer.region().segment(), 0, received.source().headerKind());
    Gid here = left.queuePair.endpoint().gid();
    assertThat(header.kind()).isEqualTo(ipv4 ? NetworkHeader.Kind.IPV4 : NetworkHeader.Kind.IPV6);
    assertThat(header.source()).isEqualTo(here);
    assertThat(header.destination()).isEqualTo(there.gid());
    // A sender on a network may set the ECN bits.
    assertThat(header.trafficClass() & ~3).isEqualTo(0x68);
    assertThat(header.flowLabel()).isEqualTo(options.flowLabel());

    UdEndpoint back =
        new UdEndpoint(
            header.source(), received.source().queuePairNumber(), there.qkey(), there.mtu());
    left.receive(3);
    right.send(right.queuePair.addressHandle(back), new byte[] {43}, 4);
    left.awaitReceive().requireSuccess(3);
    assertThat(left.message(1)).containsExactly(43);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @ExpectsDelivery
  void anAnswerGoesToTheSourceOfADatagram(boolean globalRoute, Bench bench) {
    DatagramEnd left = new DatagramEnd(bench, plan -> plan.queueKey(0x333));
    DatagramEnd right = new DatagramEnd(bench);
    right.receive(1);
    left.receive(2);
    PathOptions options = new PathOptions(0x24, 3, 0).withGlobalRoute(globalRoute);
    left.send(left.queuePair.addressHandle(right.queuePair.endpoint(), options), new byte[] {1}, 3);
    left.awaitSend().requireSuccess(3);
    Completion received = bench.awaitView(right.receives);
    NetworkHeader header =
        new NetworkHeader().at(right.buffer.region().segment(), 0, received.source().headerKind());
    assertThat(received.source().hasHeader()).isEqualTo(globalRoute || !bench.isInfiniBand());
    AddressHandle back = right.queuePair.addressHandle(received.source(), header, 0x333);
    assertThat(back.destination().lid()).isEqualTo(left.queuePair.endpoint().lid());
    assertThat(back.destination().qpn()).isEqualTo(left.queuePair.number());
    right.send(back, new byte[] {42}, 4);
    left.awaitReceive().requireSuccess(2);
    assertThat(left.message(1)).containsExactly(42);
  }

  @Test
  @ExpectsDelivery
  void aDatagramToAGroupReachesItsMembers(Bench bench) {
    Gid gid = bench.isInfiniBand() ? new Gid(0xff12_401b_ffff_0000L, 5) : Gid.ofIpv4(0xef01_0203);
    DatagramEnd sender = new DatagramEnd(bench);
    DatagramEnd first = new DatagramEnd(bench);
    DatagramEnd second = new DatagramEnd(bench);
    DatagramEnd stranger = new DatagramEnd(bench);
    UdEndpoint own = sender.queuePair.endpoint();
    UdEndpoint group =
        UdEndpoint.ofGroup(gid, bench.isInfiniBand() ? 0xc005 : 0, own.qkey(), own.mtu());
    AddressHandle to = sender.queuePair.addressHandle(group);
    first.queuePair.attach(gid);
    second.queuePair.attach(gid);
    second.queuePair.attach(gid);
    for (DatagramEnd each : List.of(first, second, stranger)) {
      each.receive(1);
      each.receive(2);
    }
    sender.send(to, new byte[] {7, 8}, 3);
    sender.awaitSend().requireSuccess(3);
    for (DatagramEnd member : List.of(first, second)) {
      member.awaitReceive().requireSuccess(1);
      assertThat(member.message(2)).containsExactly(7, 8);
    }
    second.queuePair.detach(gid);
    sender.send(to, new byte[] {9, 9}, 4);
    sender.awaitSend().requireSuccess(4);
    first.awaitReceive().requireSuccess(2);
    bench.expectCalm(second.receives);
    bench.expectCalm(stranger.receives);
    assertThatExceptionOfType(HcaException.class).isThrownBy(() -> second.queuePair.detach(gid));
  }

  @Test
  void aDatagramWithAnotherQueueKeyIsDropped(Bench bench) {
    DatagramEnd left = new DatagramEnd(bench);
    DatagramEnd right = new DatagramEnd(bench, plan -> plan.queueKey(0x222));
    right.receive(1);
    UdEndpoint there = right.queuePair.endpoint();
    UdEndpoint wrong = new UdEndpoint(there.gid(), there.lid(), there.qpn(), 0x223, there.mtu());
    left.send(left.queuePair.addressHandle(wrong), new byte[1], 2);
    left.awaitSend().requireSuccess(2);
    bench.expectCalm(right.receives);
    right.queuePair.modifyQueueKey(0x223);
    assertThat(right.queuePair.endpoint()).isEqualTo(wrong);
    left.deliver(right, new byte[1], 3).requireSuccess(1);
  }

  @Test
  void aKeyWithItsHighestBitMeansTheKeyOfTheSender(Bench bench) {
    DatagramEnd left = new DatagramEnd(bench, plan -> plan.queueKey(0x80000001));
    DatagramEnd right = new DatagramEnd(bench, plan -> plan.queueKey(0x80000001));
    DatagramEnd stranger = new DatagramEnd(bench, plan -> plan.queueKey(0x80000002));
    right.receive(1);
    stranger.send(right, new byte[1], 2);
    stranger.awaitSend().requireSuccess(2);
    bench.expectCalm(right.receives);
    left.deliver(right, new byte[1], 3).requireSuccess(1);
  }

  @Test
  void aMessageLongerThanTheMtuStopsTheSendQueueUntilItIsRestarted(Bench bench) {
    DatagramEnd left = new DatagramEnd(bench);
    DatagramEnd right = new DatagramEnd(bench);
    int mtu = right.queuePair.endpoint().mtu();
    left.send(right, new byte[mtu + 1], 1);
    left.awaitSend().require(1, CompletionStatus.LOCAL_LENGTH_ERROR);
    left.queuePair.restartSendQueue();
    right.receive(2);
    left.deliver(right, new byte[mtu], 3).requireSuccess(2);
  }

  @Test
  void aResetQueuePairHasTheSameAddress(Bench bench) {
    DatagramEnd left = new DatagramEnd(bench);
    DatagramEnd right = new DatagramEnd(bench);
    AddressHandle to = left.queuePair.addressHandle(right.queuePair.endpoint());
    right.queuePair.reset();
    left.queuePair.reset();
    right.receive(1);
    bench
        .awaitDelivery(
            right.receives,
            () -> {
              left.send(to, new byte[5], 2);
              left.awaitSend().requireSuccess(2);
            })
        .requireSuccess(1);
  }
}
