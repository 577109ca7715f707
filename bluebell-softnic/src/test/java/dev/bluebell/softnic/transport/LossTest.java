package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The transport recovers from every single loss and duplicate, and executes no request twice. */
class LossTest {
  private static final int BYTES = 20_000;

  /** More than the ACK timeout of code 14. */
  private static final long TIMEOUT = 70_000_000;

  private final FaultyFabric[] faulty = new FaultyFabric[1];
  private final Rig rig =
      Rigs.open(
          (inside, sink) -> {
            faulty[0] = new FaultyFabric(inside, sink).packetsPerBurst(1);
            return faulty[0];
          });
  private final RawPair pair = rig.pair(new Settings().mtu(3));
  private final RawMemory local = rig.memory(BYTES).fill(1);
  private final RawMemory remote = rig.memory(BYTES);

  @AfterEach
  void close() {
    local.expectCanaries();
    remote.expectCanaries();
    rig.close();
  }

  private FaultyFabric link() {
    return faulty[0];
  }

  private static <T> Predicate<T> nth(int n, Predicate<T> which) {
    AtomicInteger seen = new AtomicInteger();
    return each -> which.test(each) && seen.getAndIncrement() == n;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 18, 19})
  void aLostPacketOfAWriteIsSentAgain(int lost) {
    Predicate<Packet> victim = nth(lost, request -> BthOpcode.isWrite(request.opcode));
    link().onRequest(request -> victim.test(request) ? Fate.LOSE : Fate.DELIVER);
    pair.left().post(Wqe.write(remote, 0).data(local, 0, BYTES));
    rig.settle();
    rig.pass(TIMEOUT);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(remote.bytes()).isEqualTo(local.bytes());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 18, 19})
  void aLostResponseOfAReadIsFetchedAgain(int lost) {
    remote.fill(2);
    Predicate<Packet> victim = nth(lost, response -> BthOpcode.isReadResponse(response.opcode));
    link().onResponse(response -> victim.test(response) ? Fate.LOSE : Fate.DELIVER);
    pair.left().post(Wqe.read(remote, 0).data(local, 0, BYTES));
    rig.settle();
    rig.pass(TIMEOUT);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(local.bytes()).isEqualTo(remote.bytes());
  }

  @Test
  void anAtomicWhoseAnswerIsLostIsNotExecutedTwice() {
    Predicate<Packet> victim =
        nth(0, response -> FaultyFabric.is(response, BthOpcode.ATOMIC_ACKNOWLEDGE));
    link().onResponse(response -> victim.test(response) ? Fate.LOSE : Fate.DELIVER);
    remote.putLong(0, 10);
    pair.left().post(Wqe.fetchAndAdd(remote, 0, 5).data(local, 0, 8));
    rig.settle();
    rig.pass(TIMEOUT);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(remote.getLong(0)).isEqualTo(15);
    assertThat(local.getLong(0)).isEqualTo(10);
  }

  @Test
  void aSendWhoseAcknowledgementIsLostIsReceivedOnce() {
    Predicate<Packet> victim = nth(0, response -> FaultyFabric.is(response, BthOpcode.ACKNOWLEDGE));
    link().onResponse(response -> victim.test(response) ? Fate.LOSE : Fate.DELIVER);
    pair.right().receive(remote.address(0), BYTES, remote.key());
    pair.right().receiveNothing();
    pair.left().post(Wqe.send().data(local, 0, BYTES));
    rig.settle();
    rig.pass(TIMEOUT);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(remote.bytes()).isEqualTo(local.bytes());
  }

  @Test
  void aReadIsAnsweredAgainWholeWhenOnlyTheReadBeforeItWasRepeated() {
    remote.fill(2);
    AtomicInteger responses = new AtomicInteger();
    AtomicInteger requests = new AtomicInteger();
    link()
        .onResponse(response -> responses.getAndIncrement() < 2 ? Fate.LOSE : Fate.DELIVER)
        .onRequest(request -> requests.getAndIncrement() == 3 ? Fate.LOSE : Fate.DELIVER);
    pair.left().post(Wqe.read(remote, 0).data(local, 0, 100));
    pair.left().post(Wqe.read(remote, 100).data(local, 100, 200));
    rig.settle();
    rig.pass(TIMEOUT);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    rig.pass(TIMEOUT);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 1);
    assertThat(local.bytes(0, 300)).isEqualTo(remote.bytes(0, 300));
  }

  @Test
  void aLateDuplicateOfAnAnsweredReadLeavesRoomForANewRead() {
    remote.fill(2);
    RawPair narrow = rig.pair(new Settings().reads(0, 0));
    Packet first = new Packet();
    link()
        .onRequest(
            request -> {
              if (first.opcode == 0) {
                first.copyHeaders(request);
              } else {
                link()
                    .forgeRequest(
                        narrow.left().number(),
                        narrow.right().number(),
                        late -> late.copyHeaders(first));
              }
              return Fate.DELIVER;
            });
    for (int i = 0; i < 2; i++) {
      narrow.left().post(Wqe.read(remote, 100L * i).data(local, 100L * i, 100));
      rig.settle();
      narrow.left().sends().pollOne().require(CqeOpcode.REQ, i);
    }
    assertThat(local.bytes(0, 200)).isEqualTo(remote.bytes(0, 200));
  }

  @Test
  void aWqeOfNoUnitsBehindAFullWindowWaitsForItsTurn() {
    RawPair deep =
        RawPair.connect(
            rig.qp(new RawQpPlan(rig.cq(7)).sizes(7, 3, 4)), rig.qp(rig.cq(6)), new Settings());
    link().onResponse(response -> Fate.LOSE);
    for (int i = 0; i < 64; i++) {
      deep.left().write(Wqe.write(remote, 0).data(local, 0, 8));
    }
    int bad = deep.left().write(Wqe.nop());
    Memory.putLong(
        deep.left().wqebb(bad),
        ControlSegment.first(0, bad, WqeOpcode.NOP, deep.left().number(), 0));
    deep.left().writeRecord();
    deep.left().ring(0);
    rig.settle();
    assertThat(deep.left().sends().peek()).isEmpty();
    link().carryAllResponses();
    rig.pass(TIMEOUT);
    List<RawCqe> done = deep.left().sends().poll(65);
    for (int i = 0; i < 64; i++) {
      done.get(i).require(CqeOpcode.REQ, i);
    }
    done.get(64).requireError(Syndrome.LOCAL_QP_OP_ERR, 64, "ds in the control segment is 0");
  }

  @Test
  void noMoreThanHalfOfThePsnsAreOutstanding() {
    RawPair far = rig.pair(new Settings().mtu(1).reads(4, 4));
    link().onRequest(request -> Fate.LOSE);
    for (int i = 0; i < 3; i++) {
      far.left().write(Wqe.read(remote, 0).data(local.address(0), 1 << 30, local.key()));
    }
    far.left().writeRecord();
    far.left().ring(0);
    rig.settle();
    // The response of each takes 2^22 PSNs.
    assertThat(link().requestPsns()).containsExactly(0x1000);
    far.left().toError();
    rig.settle();
    assertThat(far.left().sends().poll(3))
        .extracting(RawCqe::wqeCounter, RawCqe::syndrome)
        .containsExactly(
            tuple(0, Syndrome.WR_FLUSH_ERR),
            tuple(1, Syndrome.WR_FLUSH_ERR),
            tuple(2, Syndrome.WR_FLUSH_ERR));
  }

  @Test
  void aSenderWithoutRoomOnItsRouteIsCalledAgain() {
    link().onRequest(request -> Fate.REFUSE).onResponse(response -> Fate.REFUSE);
    pair.left().post(Wqe.write(remote, 0).data(local, 0, BYTES));
    rig.settle();
    assertThat(pair.left().sends().peek()).isEmpty();
    link().carryAllRequests();
    link().wakeRefused();
    rig.settle();
    assertThat(remote.bytes()).isEqualTo(local.bytes());
    assertThat(pair.left().sends().peek()).isEmpty();
    link().carryAllResponses();
    link().wakeRefused();
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void answersThatArriveAfterTheTimeoutAreTaken() {
    // The READ takes many steps to answer; its timer runs out while answers are on their way.
    RawMemory from = rig.memory(8 << 20).fill(3);
    RawMemory into = rig.memory(8 << 20);
    RawPair impatient = rig.pair(new Settings().timeout(1));
    link().packetsPerBurst(16);
    remote.putLong(0, 1);
    impatient.left().post(Wqe.read(from, 0).data(into, 0, 8 << 20).unsignalled());
    impatient.left().post(Wqe.write(remote, 8).data(local, 0, 8).unsignalled());
    impatient.left().post(Wqe.fetchAndAdd(remote, 0, 5).data(local, 8, 8));
    for (int i = 0; i < 10_000 && impatient.left().sends().peek().isEmpty(); i++) {
      rig.nic().step();
      rig.clock().advance(3_000);
    }
    impatient.left().sends().pollOne().require(CqeOpcode.REQ, 2);
    assertThat(into.bytes()).isEqualTo(from.bytes());
    assertThat(remote.getLong(0)).isEqualTo(6);
    assertThat(local.getLong(8)).isEqualTo(1);
  }
}
