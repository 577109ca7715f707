package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.DcTarget;
import dev.bluebell.verbs.GidType;
import dev.bluebell.verbs.NetworkHeader;
import dev.bluebell.verbs.PathOptions;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.UdEndpoint;
import dev.bluebell.verbs.UdQueuePair;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** InfiniBand addressing: LIDs, path bits, service levels, and optional global routes. */
@Conformance
class InfiniBandPortTest {
  private static final int BYTES = 256;

  /** One retry after a short timeout. */
  private static final ConnectOptions SHORT =
      ConnectOptions.DEFAULT.withTimeout(Duration.ofMillis(1)).withRetryCount(1);

  private static HcaPort port(Bench bench) {
    bench.assumeLinkLayer(LinkLayer.INFINIBAND);
    return bench.device().port(1);
  }

  /** Writes from left to right, which must succeed. */
  private static void expectConnected(Ends ends) {
    Buffer from = ends.left().buffer(BYTES).fill(1);
    Buffer to = ends.right().buffer(BYTES).fill(2);
    ends.left().write(from, 0, BYTES, to, 0, 5);
    ends.left().awaitSuccess(5);
    assertThat(to.bytes()).isEqualTo(from.bytes());
  }

  /** Sends from left, which must fail without a peer. */
  private static void expectGivenUp(Ends ends) {
    Buffer from = ends.left().buffer(BYTES);
    ends.left().send(from, 0, BYTES, 6);
    ends.left().awaitOne(6, CompletionStatus.RETRY_EXCEEDED);
  }

  @Test
  void thePortHasALidAndAGidOfItsOwn(Bench bench) {
    HcaPort port = port(bench);
    assertThat(port.lid()).isBetween(1, 0xbfff);
    assertThat(port.lid() & (1 << port.lmc()) - 1).isZero();
    assertThat(port.mac()).isZero();
    assertThat(bench.device().gid(1, 0)).isNotEqualTo(Gid.ZERO);
    assertThat(bench.device().gidType(1, 0)).isEqualTo(GidType.INFINIBAND);
    QueuePairEndpoint endpoint = bench.ends().create().left().queuePair().endpoint();
    assertThat(endpoint.lid()).isEqualTo(port.lid());
    assertThat(endpoint.gid()).isEqualTo(bench.device().gid(1, 0));
  }

  @Test
  void aConnectionGoesByEachLidOfThePort(Bench bench) {
    int lids = 1 << port(bench).lmc();
    for (int bits = 0; bits < lids; bits++) {
      int there = bits;
      int here = lids - 1 - bits;
      expectConnected(
          bench
              .ends()
              .left(plan -> plan.pathBits(here))
              .right(plan -> plan.pathBits(there))
              .connect());
    }
  }

  @Test
  void aPeerThatSendsFromAnotherLidIsIgnored(Bench bench) {
    HcaPort port = port(bench);
    assumeTrue(port.lmc() > 0, "the port has one LID");
    Ends ends = bench.ends().left(plan -> plan.pathBits(1)).create();
    QueuePairEndpoint left = ends.left().queuePair().endpoint();
    // The right end expects its peer at path bits 0.
    ends.right()
        .queuePair()
        .connect(
            new QueuePairEndpoint(left.gid(), port.lid(), left.qpn(), left.psn(), left.mtu(), 16),
            SHORT);
    ends.left().queuePair().connect(ends.right().queuePair().endpoint(), SHORT);
    expectGivenUp(ends);
  }

  @Test
  void bothEndsMayHaveAGlobalRoute(Bench bench) {
    port(bench);
    expectConnected(bench.connected(options -> options.withGlobalRoute(true)));
  }

  @Test
  void aConnectionWithAGlobalRouteAtOneEndOnlyFails(Bench bench) {
    port(bench);
    expectGivenUp(
        bench
            .ends()
            .leftOptions(options -> SHORT.withGlobalRoute(true))
            .rightOptions(options -> SHORT)
            .connect());
  }

  @Test
  void anEndpointWithoutALidIsRefused(Bench bench) {
    port(bench);
    Ends ends = bench.ends().create();
    QueuePairEndpoint right = ends.right().queuePair().endpoint();
    QueuePairEndpoint ethernet =
        new QueuePairEndpoint(right.gid(), right.qpn(), right.psn(), right.mtu(), 16);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ends.left().queuePair().connect(ethernet))
        .withMessageContaining("is an InfiniBand port, and the endpoint has no LID");
  }

  /** Two datagram queue pairs. */
  private record Datagrams(DatagramEnd left, DatagramEnd right) {
    static Datagrams of(Bench bench, int leftBits, int rightBits) {
      return new Datagrams(
          new DatagramEnd(bench, plan -> plan.pathBits(leftBits)),
          new DatagramEnd(bench, plan -> plan.pathBits(rightBits)));
    }

    void send(UdEndpoint to, PathOptions options) {
      right.receive(1);
      left.send(left.queuePair.addressHandle(to, options), new byte[] {1, 2}, 2);
      left.awaitSend().requireSuccess(2);
    }

    /** The completion of the right one's receive. */
    Completion received() {
      return right.bench.awaitView(right.receives);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 15})
  @ExpectsDelivery
  void theCompletionOfADatagramHasItsPath(int serviceLevel, Bench bench) {
    HcaPort port = port(bench);
    int last = (1 << port.lmc()) - 1;
    Datagrams datagrams = Datagrams.of(bench, last, last / 2);
    datagrams.send(datagrams.right.queuePair.endpoint(), new PathOptions(0, serviceLevel, 0));
    Completion received = datagrams.received();
    assertThat(received.byteCount()).isEqualTo(UdQueuePair.HEADER_BYTES + 2);
    assertThat(received.source().queuePairNumber()).isEqualTo(datagrams.left.queuePair.number());
    assertThat(received.source().localIdentifier()).isEqualTo(port.lid() | last);
    assertThat(received.source().pathBits()).isEqualTo(last / 2);
    assertThat(received.source().serviceLevel()).isEqualTo(serviceLevel);
    assertThat(received.source().hasHeader()).isFalse();
    assertThat(received.source().headerKind()).isEqualTo(NetworkHeader.Kind.NONE);
    assertThat(datagrams.right.message(2)).containsExactly(1, 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 9, 14})
  @ExpectsDelivery
  void aDatagramWithAGlobalRouteHasItsHeader(int serviceLevel, Bench bench) {
    port(bench);
    Datagrams datagrams = Datagrams.of(bench, 0, 0);
    UdEndpoint right = datagrams.right.queuePair.endpoint();
    datagrams.send(right, new PathOptions(0x68, serviceLevel, 0x12345, true));
    Completion received = datagrams.received();
    assertThat(received.source().serviceLevel()).isEqualTo(serviceLevel);
    assertThat(received.source().headerKind()).isEqualTo(NetworkHeader.Kind.GLOBAL_ROUTE);
    NetworkHeader header =
        new NetworkHeader()
            .at(datagrams.right.buffer.region().segment(), 0, received.source().headerKind());
    assertThat(header.source()).isEqualTo(datagrams.left.queuePair.endpoint().gid());
    assertThat(header.destination()).isEqualTo(right.gid());
    assertThat(header.trafficClass()).isEqualTo(0x68);
    assertThat(header.flowLabel()).isEqualTo(0x12345);
  }

  @Test
  void aDatagramToAnUnusedLidIsLost(Bench bench) {
    int nobody = port(bench).lid() ^ 0x2000;
    Datagrams datagrams = Datagrams.of(bench, 0, 0);
    UdEndpoint right = datagrams.right.queuePair.endpoint();
    datagrams.send(
        new UdEndpoint(right.gid(), nobody, right.qpn(), right.qkey(), right.mtu()),
        PathOptions.DEFAULT);
    bench.expectCalm(datagrams.right.receives);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTargetAnswersAtEachLidOfThePort(boolean globalRoute, Bench bench) {
    int lids = 1 << port(bench).lmc();
    ProtectionDomain domain = bench.domain();
    CompletionQueue sends = bench.device().createCompletionQueue(16);
    Buffer from = new Buffer(domain.allocate(BYTES, Access.rights())).fill(1);
    for (int bits = 0; bits < lids; bits++) {
      Buffer to = new Buffer(domain.allocate(BYTES, Access.rights())).fill(2);
      DcTarget target =
          domain
              .dcTarget(
                  bench.device().createCompletionQueue(16), domain.sharedReceiveQueue().create())
              .pathBits(bits)
              .create();
      DcInitiator initiator = domain.dcInitiator(sends).pathBits(lids - 1 - bits).create();
      initiator
          .target(
              initiator.targetAddress(
                  target.endpoint(), PathOptions.DEFAULT.withGlobalRoute(globalRoute)))
          .write(to.remote(0))
          .gather(from.region(), 0, BYTES)
          .signaled(bits);
      initiator.ringDoorbell();
      bench.await(sends, 1).getFirst().requireSuccess(bits);
      assertThat(to.bytes()).isEqualTo(from.bytes());
    }
  }
}
