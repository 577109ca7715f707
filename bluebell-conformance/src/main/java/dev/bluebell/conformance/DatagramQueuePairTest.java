package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.NetworkHeader;
import dev.bluebell.verbs.PathOptions;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.UdEndpoint;
import dev.bluebell.verbs.UdQueuePair;
import dev.bluebell.verbs.UdQueuePairBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams. */
@Conformance
class DatagramQueuePairTest {
  private static final int ROOM = 8192;

  /** A queue pair with memory and completion queues of its own. */
  private static final class One {
    private final Bench bench;
    private final Buffer buffer;
    private final CompletionQueue sends;
    private final CompletionQueue receives;
    private final UdQueuePair queuePair;

    One(Bench bench, UnaryOperator<UdQueuePairBuilder> plan) {
      this.bench = bench;
      ProtectionDomain domain = bench.domain();
      buffer = new Buffer(domain.allocate(2 * ROOM, Access.rights()));
      sends = bench.device().createCompletionQueue(64);
      receives = bench.device().createCompletionQueue(64);
      queuePair =
          plan.apply(domain.udQueuePair(sends).receiveCompletions(receives).maxInline(64)).create();
    }

    One(Bench bench) {
      this(bench, plan -> plan);
    }

    void receive(long id) {
      queuePair.receive().scatter(buffer.address(0), ROOM, buffer.lkey()).post(id);
      queuePair.ringReceiveDoorbell();
    }

    void send(One to, byte[] message, long id) {
      send(queuePair.addressHandle(to.queuePair.endpoint()), message, id);
    }

    void send(AddressHandle to, byte[] message, long id) {
      buffer.put(ROOM, message);
      queuePair
          .to(to)
          .send()
          .gather(buffer.address(ROOM), message.length, buffer.lkey())
          .signaled(id);
      queuePair.ringDoorbell();
    }

    Done awaitSend() {
      return bench.await(sends, 1).getFirst();
    }

    Done awaitReceive() {
      return bench.await(receives, 1).getFirst();
    }

    /** Sends until the message arrives. */
    Done deliver(One to, byte[] message, long id) {
      return bench.awaitDelivery(
          to.receives,
          () -> {
            send(to, message, id);
            awaitSend().requireSuccess(id);
          });
    }

    byte[] message(int bytes) {
      return buffer.bytes(UdQueuePair.HEADER_BYTES, bytes);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 4096})
  void aDatagramArrivesBehindItsHeader(int size, Bench bench) {
    One left = new One(bench);
    One right = new One(bench);
    byte[] message = Buffer.pattern(size, size);
    right.receive(7);
    Done received = left.deliver(right, message, 1).requireSuccess(7);
    assertThat(received.byteCount()).isEqualTo(UdQueuePair.HEADER_BYTES + size);
    assertThat(right.message(size)).isEqualTo(message);
  }

  @Test
  @ExpectsDelivery
  void oneQueuePairReachesManyAndEachIsToldWhoSent(Bench bench) {
    One sender = new One(bench);
    List<One> others = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      One other = new One(bench);
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
      One other = others.get(i);
      Completion received = awaitView(other);
      assertThat(received.immediate()).isEqualTo(i);
      assertThat(received.source().queuePairNumber()).isEqualTo(sender.queuePair.number());
      assertThat(received.source().hasHeader()).isTrue();
      assertThat(other.message(1)).containsExactly(i);
    }
  }

  /** The next received datagram, valid until the next poll. */
  private static Completion awaitView(One receiver) {
    AtomicReference<Completion> seen = new AtomicReference<>();
    receiver.bench.until(
        () -> {
          Completion completion = receiver.receives.poll();
          if (completion != null) {
            seen.set(completion);
          }
          return completion != null;
        },
        () -> "a datagram");
    return seen.get();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  @ExpectsDelivery
  void theHeaderTellsTheWayBack(int gidIndex, Bench bench) {
    One left = new One(bench, plan -> plan.gidIndex(gidIndex));
    One right = new One(bench, plan -> plan.gidIndex(gidIndex));
    right.receive(1);
    UdEndpoint there = right.queuePair.endpoint();
    PathOptions options = new PathOptions(0x68, 0, gidIndex == 1 ? 0x12345 : 0);
    left.send(left.queuePair.addressHandle(there, options), new byte[] {42}, 2);
    left.awaitSend().requireSuccess(2);
    Completion received = awaitView(right);
    NetworkHeader header =
        new NetworkHeader().at(right.buffer.region().segment(), 0, received.source().headerKind());
    Gid here = left.queuePair.endpoint().gid();
    assertThat(header.kind())
        .isEqualTo(gidIndex == 1 ? NetworkHeader.Kind.IPV6 : NetworkHeader.Kind.IPV4);
    assertThat(header.source()).isEqualTo(here);
    assertThat(header.destination()).isEqualTo(there.gid());
    assertThat(header.trafficClass()).isEqualTo(0x68);
    assertThat(header.flowLabel()).isEqualTo(options.flowLabel());

    UdEndpoint back =
        new UdEndpoint(
            header.source(), received.source().queuePairNumber(), there.qkey(), there.mtu());
    left.receive(3);
    right.send(right.queuePair.addressHandle(back), new byte[] {43}, 4);
    left.awaitReceive().requireSuccess(3);
    assertThat(left.message(1)).containsExactly(43);
  }

  @Test
  void aDatagramWithAnotherQueueKeyIsDropped(Bench bench) {
    One left = new One(bench);
    One right = new One(bench, plan -> plan.queueKey(0x222));
    right.receive(1);
    UdEndpoint there = right.queuePair.endpoint();
    UdEndpoint wrong = new UdEndpoint(there.gid(), there.qpn(), 0x223, there.mtu());
    left.send(left.queuePair.addressHandle(wrong), new byte[1], 2);
    left.awaitSend().requireSuccess(2);
    bench.expectCalm(right.receives);
    right.queuePair.modifyQueueKey(0x223);
    assertThat(right.queuePair.endpoint()).isEqualTo(wrong);
    left.deliver(right, new byte[1], 3).requireSuccess(1);
  }

  @Test
  void aKeyWithItsHighestBitMeansTheKeyOfTheSender(Bench bench) {
    One left = new One(bench, plan -> plan.queueKey(0x80000001));
    One right = new One(bench, plan -> plan.queueKey(0x80000001));
    One stranger = new One(bench, plan -> plan.queueKey(0x80000002));
    right.receive(1);
    stranger.send(right, new byte[1], 2);
    stranger.awaitSend().requireSuccess(2);
    bench.expectCalm(right.receives);
    left.deliver(right, new byte[1], 3).requireSuccess(1);
  }

  @Test
  void moreThanTheMtuStopsTheSendQueueUntilItIsRestarted(Bench bench) {
    One left = new One(bench);
    One right = new One(bench);
    int mtu = right.queuePair.endpoint().mtu();
    left.send(right, new byte[mtu + 1], 1);
    left.awaitSend().require(1, CompletionStatus.LOCAL_LENGTH_ERROR);
    left.queuePair.restartSendQueue();
    right.receive(2);
    left.deliver(right, new byte[mtu], 3).requireSuccess(2);
  }

  @Test
  void aResetQueuePairHasTheSameAddress(Bench bench) {
    One left = new One(bench);
    One right = new One(bench);
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
