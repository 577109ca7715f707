package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Receive memory pools, which queue pairs share. */
class ReceivePoolTest {
  private final Rig rig = Rigs.open();
  private final RawMemory source = rig.memory(64).fill(1);
  private final RawMemory target = rig.memory(1024);

  @AfterEach
  void close() {
    target.expectCanaries();
    rig.close();
  }

  private RawPair sharing(RawPool pool) {
    return RawPair.connect(
        rig.qp(rig.cq(6)), rig.qp(new RawQpPlan(rig.cq(6)).pool(pool)), new Settings());
  }

  private void write(RawPool pool, int slot, int next) {
    pool.write(slot, next, target.address(64L * slot), 64, target.key());
  }

  @Test
  void queuePairsTakeFromOnePool() {
    RawPool pool = new RawPool(rig, false, 3);
    RawPair first = sharing(pool);
    RawPair second = sharing(pool);
    for (int i = 0; i < 8; i++) {
      write(pool, i, 0);
    }
    pool.post(8);
    for (int i = 0; i < 4; i++) {
      first.left().post(Wqe.send().data(source, 0, 64));
      rig.settle();
      second.left().post(Wqe.send().data(source, 0, 64));
      rig.settle();
    }
    assertThat(first.right().receives().poll(4))
        .extracting(RawCqe::wqeCounter)
        .containsExactly(0, 2, 4, 6);
    assertThat(second.right().receives().poll(4))
        .extracting(RawCqe::wqeCounter)
        .containsExactly(1, 3, 5, 7);
  }

  @Test
  void anEmptyPoolIsNotReady() {
    RawPool pool = new RawPool(rig, false, 2);
    RawPair pair = sharing(pool);
    pair.left().post(Wqe.send().data(source, 0, 64));
    rig.settle();
    assertThat(pair.left().sends().peek()).isEmpty();
    write(pool, 0, 0);
    pool.post(1);
    rig.pass(10_000);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void theLimitIsReportedOnceWhenFewerWqesAreLeft() {
    RawPool pool = new RawPool(rig, false, 3);
    RawPair pair = sharing(pool);
    rig.subscribe(pool.object(), HcaEvent.SRQ_LIMIT);
    for (int i = 0; i < 8; i++) {
      write(pool, i, 0);
    }
    pool.post(8);
    pool.object().modify(pool.limit(6).bytes());
    for (int i = 0; i < 2; i++) {
      pair.left().post(Wqe.send());
    }
    rig.settle();
    assertThat(rig.takeEvents()).isEmpty();
    pair.left().post(Wqe.send());
    rig.settle();
    assertThat(rig.takeEvents())
        .containsExactly(new HcaEvent(HcaEvent.SRQ_LIMIT, pool.number(), 0, HcaEvent.SRQ_LIMIT));
    pair.left().post(Wqe.send());
    rig.settle();
    assertThat(rig.takeEvents()).isEmpty();
    pool.object().modify(pool.limit(4).bytes());
    pair.left().post(Wqe.send());
    rig.settle();
    assertThat(rig.takeEvents()).hasSize(1);
  }

  @Test
  void theContextHoldsTheLimit() {
    RawPool pool = new RawPool(rig, false, 3);
    pool.object().modify(pool.limit(5).bytes());
    assertThat(pool.context().getInt(Wq.LWM)).isEqualTo(5);
    assertThat(pool.context().getInt(Wq.LOG_WQ_SZ)).isEqualTo(3);
  }

  @Test
  void aFailedQueuePairLeavesThePoolAloneAndReportsItsLastWqe() {
    RawPool pool = new RawPool(rig, false, 2);
    RawPair pair = sharing(pool);
    RawPair other = sharing(pool);
    rig.subscribe(pair.right().object(), HcaEvent.SRQ_LAST_WQE);
    write(pool, 0, 0);
    write(pool, 1, 0);
    pool.post(2);
    pair.right().toError();
    rig.settle();
    assertThat(rig.takeEvents())
        .containsExactly(
            new HcaEvent(HcaEvent.SRQ_LAST_WQE, pair.right().number(), 0, HcaEvent.SRQ_LAST_WQE));
    assertThat(pair.right().receives().peek()).isEmpty();
    other.left().post(Wqe.send().data(source, 0, 64));
    rig.settle();
    other.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }

  @Test
  void theLastWqeIsReportedAfterTheFlushOfTheMessageThatWasArriving() {
    RawPool pool = new RawPool(rig, false, 2);
    RawPair pair = sharing(pool);
    rig.subscribe(pair.right().object(), HcaEvent.SRQ_LAST_WQE);
    RawMemory large = rig.memory(1 << 20);
    pool.write(0, 0, large.address(0), 1 << 20, large.key());
    pool.post(1);
    // The second half has a bad key, so the message never ends.
    pair.left()
        .post(Wqe.send().data(large, 0, 1 << 19).data(large.address(0), 1 << 19, large.key() ^ 1));
    rig.settle();
    pair.right().toError();
    rig.settle();
    pair.right().receives().pollOne().requireError(Syndrome.WR_FLUSH_ERR, 0);
    assertThat(rig.takeEvents()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 100, 32769, 65535})
  void aRecordThatClaimsMoreThanThePoolHoldsIsRefused(int counter) {
    RawPool pool = new RawPool(rig, false, 3);
    RawPair pair = sharing(pool);
    pool.writeRecord(counter);
    pair.left().post(Wqe.send());
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_OP_ERR,
            0,
            "receive counter",
            "more WQEs than the 8",
            "doorbell record");
    pool.expectCanaries();
  }

  @Test
  void linksThatLeaveTheListStayInsideItsMemory() {
    RawPool pool = new RawPool(rig, true, 2);
    RawPair pair = sharing(pool);
    for (int i = 0; i < 4; i++) {
      pool.write(i, 0xffff, target.address(0), 64, target.key());
    }
    pool.post(4);
    for (int i = 0; i < 4; i++) {
      pair.left().post(Wqe.send().data(source, 0, 64));
    }
    rig.settle();
    assertThat(pair.right().receives().poll(4))
        .extracting(RawCqe::wqeCounter)
        .containsExactly(0, 3, 3, 3);
    pool.expectCanaries();
  }

  @Test
  void keysOfAPoolBelongToThePoolsDomain() {
    RawPool pool = new RawPool(rig, false, 2);
    RawQp left = rig.qp(rig.cq(4));
    var otherDomain = rig.nic().allocateProtectionDomain();
    RawQp right =
        rig.qp(
            new RawQpPlan(rig.cq(4))
                .pool(pool)
                .change(qpc -> qpc.set(Qpc.PD, otherDomain.number())));
    RawPair pair = RawPair.connect(left, right, new Settings());
    write(pool, 0, 0);
    pool.post(1);
    pair.left().post(Wqe.send().data(source, 0, 64));
    rig.settle();
    pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }
}
