package dev.bluebell.softnic.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client with many busy queue pairs does not keep another client's request waiting. */
class SharedFairnessTest {
  private static final int CROWD = 200;
  private static final int LONG = 8 << 20;

  /** More than any RNR delay that a receiver requests. */
  private static final long LONGER = 1_000_000_000;

  /** Turns of one step, and the bytes that each may move while clients wait for each other. */
  private static final int TURNS = 16;

  private static final int TURN_BYTES = 16 << 10;

  /** Queues that take very many turns to flush, and how much of each one turn flushes. */
  private static final int LOG_FLUSHED = 15;

  private static final int LOG_SEGMENT = 4;
  private static final int FLUSHED = 256;

  /** Steps within which a request of another client completes. */
  private static final int STEPS = 2;

  private final Rig device = Rigs.open();
  private final Rig attacker = client();
  private final Rig victim = client();
  private final RawPair single = victim.pair();
  private final RawMemory small = victim.memory(64);

  private Rig client() {
    return new Rig((SoftNic) device.nic().hosting().orElseThrow().openClient(), device.clock());
  }

  @AfterEach
  void close() {
    attacker.close();
    victim.close();
    device.close();
  }

  private void expectTheVictimToPass() {
    single.left().post(Wqe.write(small, 0).data(small, 8, 8));
    for (int step = 0; step < STEPS; step++) {
      device.nic().step();
    }
    single.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void manyLongMessagesLetAnotherClientPass() {
    RawMemory memory = attacker.memory(LONG);
    for (int i = 0; i < CROWD; i++) {
      attacker.pair().left().post(Wqe.write(memory, 0).data(memory, 0, LONG));
    }
    device.nic().step();
    expectTheVictimToPass();
  }

  @ParameterizedTest
  @CsvSource({"0, false", "0, true", "1, false"})
  void aTurnOfALongMessageIsShortWhileAnotherClientWaits(int service, boolean read) {
    RawMemory memory = attacker.memory(2 * LONG);
    memory.segment().asSlice(LONG).fill((byte) 1);
    RawPair pair = RawPair.connect(qp(service), qp(service), new Settings());
    pair.left()
        .post(
            read
                ? Wqe.read(memory, LONG).data(memory, 0, LONG)
                : Wqe.write(memory, 0).data(memory, LONG, LONG));
    RawMemory other = victim.memory(LONG);
    single.left().post(Wqe.write(other, 0).data(other, 0, LONG));
    device.nic().step();
    long before = moved(memory);
    device.nic().step();
    assertThat(moved(memory) - before).isBetween(1L, (long) TURNS * TURN_BYTES);
  }

  private RawQp qp(int service) {
    return attacker.qp(new RawQpPlan(attacker.cq(6)).service(service));
  }

  /** Bytes of the second half that have come to the first. */
  private static long moved(RawMemory memory) {
    return memory.segment().asSlice(0, LONG).mismatch(memory.segment().asSlice(LONG));
  }

  @Test
  void aFlushOfFullQueuesIsManyTurns() {
    RawCq completions = attacker.cq(LOG_FLUSHED + 2);
    RawQp qp = attacker.qp(new RawQpPlan(completions).sizes(LOG_FLUSHED, LOG_FLUSHED, LOG_SEGMENT));
    qp.connect(qp.number(), new Settings());
    for (int i = 0; i < 1 << LOG_FLUSHED; i++) {
      qp.write(Wqe.nop());
      qp.receiveNothing();
    }
    qp.writeRecord();
    qp.toError();
    qp.ring((1 << LOG_FLUSHED) - 1);
    expectTheVictimToPass();
    int before = completions.poll().size();
    assertThat(before).isBetween(1, STEPS * TURNS * 2 * FLUSHED);
    device.settle();
    assertThat(before + completions.poll().size()).isEqualTo(2 << LOG_FLUSHED);
  }

  @Test
  void aFlushBeforeAFailedSendQueueWorksAgainIsManyTurns() {
    RawCq completions = attacker.cq(LOG_FLUSHED + 1);
    RawQp qp =
        attacker.qp(
            new RawQpPlan(completions)
                .service(ServiceType.UC.code())
                .sizes(LOG_FLUSHED, 4, LOG_SEGMENT));
    qp.connect(qp.number(), new Settings());
    qp.post(new Wqe(WqeOpcode.RDMA_READ).remote(0, 0).data(0, 8, 0));
    device.settle();
    assertThat(qp.state()).isEqualTo(QpState.SQER);
    completions.poll();
    int flushed = (1 << LOG_FLUSHED) - 1;
    for (int i = 0; i < flushed; i++) {
      qp.write(Wqe.nop());
    }
    qp.writeRecord();
    qp.ring(flushed);
    qp.object().modify(qp.transition(CommandOpcode.SQERR2RTS_QP).bytes());
    expectTheVictimToPass();
    List<RawCqe> before = completions.poll();
    assertThat(before.size()).isBetween(1, STEPS * TURNS * FLUSHED);
    int later = qp.post(Wqe.nop());
    device.settle();
    List<RawCqe> after = completions.poll();
    assertThat(before.size() + after.size()).isEqualTo(flushed + 1);
    after.get(after.size() - 1).require(CqeOpcode.REQ, later);
    after.get(after.size() - 2).requireError(Syndrome.WR_FLUSH_ERR, later - 1, "is in SQER");
    assertThat(qp.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void manyQueuePairsInRnrRetryLetAnotherClientPass() {
    for (int i = 0; i < CROWD; i++) {
      attacker.pair().left().post(Wqe.send().inline(new byte[8]));
    }
    device.settle();
    // All of them are due.
    device.clock().advance(LONGER);
    device.nic().step();
    expectTheVictimToPass();
  }
}
