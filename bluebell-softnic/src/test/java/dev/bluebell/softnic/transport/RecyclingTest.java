package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Managed queues that are executed again, and requests that never end. */
class RecyclingTest {
  private static final int RING = 4;

  /** WQEBBs of a ring for laps of 4; with two completions each, both counters wrap within them. */
  private static final int LOG_ROUND = 8;

  private static final int LAPS = 1 << LOG_ROUND - 2;
  private static final int COUNTS = 1 << 24;

  /** The byte of the control segment that says when there is a completion. */
  private static final int FLAGS = 11;

  private static RawQpPlan small(CrossChannels on) {
    return new RawQpPlan(on.rig.cq(6)).sizes(2, 3, 4).managedSends();
  }

  private static void write(RawQp qp, int from, int to) {
    for (int i = from; i < to; i++) {
      qp.writeBytes(i, Wqe.nop().bytes(i, qp.number()));
    }
  }

  /** Index and queue of each request are checked. */
  @Nested
  class Checked extends CrossChannels {
    private final RawQp master = master();
    private final RawQp worker = loop(small(this));

    @Test
    void aRingIsExecutedAgainWhenItIsEnabledFurther() {
      for (int lap = 0; lap < 5; lap++) {
        write(worker, lap * RING, (lap + 1) * RING);
        master.post(Wqe.enableSends(worker, (lap + 1) * RING).unsignalled());
        rig.settle();
        worker.sends().poll(RING).get(0).require(CqeOpcode.REQ, lap * RING);
      }
    }

    @Test
    void eachLapNeedsIndicesOfItsOwn() {
      write(worker, 0, RING);
      master.post(Wqe.enableSends(worker, RING + 1));
      rig.settle();
      worker
          .sends()
          .poll(RING + 1)
          .get(RING)
          .requireError(Syndrome.LOCAL_QP_OP_ERR, RING, "wqe_index", "should be 4");
    }
  }

  /** Index and queue of no request are checked. */
  @Nested
  class Unchecked extends CrossChannels {
    private final RawQp master = master();
    private final RawQp worker = loop(small(this));

    Unchecked() {
      super(Rigs.open(options -> options.withWqeChecks(false)));
    }

    @Test
    void aRingIsExecutedAsOftenAsItIsEnabled() {
      for (int i = 0; i < RING; i++) {
        worker.write(Wqe.nop().qpn(7).index(99));
      }
      master.post(Wqe.enableSends(worker, 3 * RING));
      rig.settle();
      List<RawCqe> done = worker.sends().poll(3 * RING);
      for (int i = 0; i < done.size(); i++) {
        done.get(i).require(CqeOpcode.REQ, i);
      }
    }

    @Test
    void lengthAndOpcodeAreStillChecked() {
      worker.write(Wqe.nop().ds(0));
      master.post(Wqe.enableSends(worker, 1));
      master.post(new Wqe(0x7f).qpn(1));
      rig.settle();
      worker.sends().pollOne().requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "ds");
      master.sends().poll(2).get(1).requireError(Syndrome.LOCAL_QP_OP_ERR, 1, "opcode 0x7f");
    }

    @Test
    void aNopMayHoldAnOperandInItsOpmod() {
      worker.write(new Wqe(WqeOpcode.NOP).opmod(0xa5).qpn(0xa5a5a5));
      master.post(Wqe.enableSends(worker, 1));
      rig.settle();
      worker.sends().pollOne().require(CqeOpcode.REQ, 0);
    }

    @Test
    void anIndexIsAheadByLessThanHalfOfAllNumbers() {
      for (int i = 0; i < RING; i++) {
        worker.write(Wqe.nop().unsignalled());
      }
      expectExecuted(2, 2);
      // Ahead by 2^15, then by one less, twice: around the end of 16 bits.
      expectExecuted(0x8002, 2);
      expectExecuted(0x8001, 0x8001);
      expectExecuted(0x0001, 0x8001);
      expectExecuted(0x0000, 0);
    }

    @Test
    void aRecordThatDidNotMoveEnablesNothing() {
      for (int i = 0; i < RING; i++) {
        worker.write(Wqe.nop().unsignalled());
      }
      expectExecuted(0x7000, 0x7000);
      // From here on, the 0 of the record is ahead. Doorbells of other queues make the device read
      // it.
      expectExecuted(0x9000, 0x9000);
      expectExecuted(0x9000, 0x9000);
      rig.settle();
      assertThat(worker.query().getInt(Qpc.SW_SQ_WQEBB_COUNTER)).isEqualTo(0x9000);
      master.post(Wqe.nop());
      worker.toError();
      rig.settle();
      assertThat(worker.sends().poll()).isEmpty();
    }

    @Test
    @Tag("slow")
    void aLoopGoesOnWhereIndicesAndCountsBeginAnew() {
      RawCq counted = unpolled(4);
      RawQp loop = loop(new RawQpPlan(counted).sizes(LOG_ROUND, 3, 4).managedSends().master());
      int before = COUNTS - LAPS;
      for (int i = 0; i < 1 << LOG_ROUND; i++) {
        loop.writeBytes(i, Wqe.nop().bytes(i, loop.number()));
      }
      for (int done = 0; done < before; ) {
        done = Math.min(before, done + 0x7fff);
        master.post(Wqe.enableSends(loop, done & 0xffff).unsignalled());
        rig.settle();
      }
      for (int lap = 0; lap < LAPS; lap++) {
        int first = before + 4 * lap;
        int completions = before + 2 * lap;
        List<Wqe> wqes =
            List.of(
                Wqe.nop(),
                Wqe.nop(),
                Wqe.await(counted, completions + 1 & COUNTS - 1).unsignalled(),
                Wqe.enableSends(loop, first + 8 & 0xffff).unsignalled());
        for (int i = 0; i < wqes.size(); i++) {
          loop.writeBytes(first + i, wqes.get(i).bytes(first + i & 0xffff, loop.number()));
        }
      }
      int last = before + 4 * LAPS;
      loop.writeBytes(last - 1, Wqe.nop().unsignalled().bytes(last - 1, loop.number()));
      master.post(Wqe.enableSends(loop, before + 4 & 0xffff).unsignalled());
      rig.settle();
      assertThat(loop.query().getInt(Qpc.SW_SQ_WQEBB_COUNTER)).isEqualTo(last & 0xffff);
      RawQp witness = master();
      witness.post(Wqe.await(counted, before + 2 * LAPS - 1 & COUNTS - 1));
      witness.post(Wqe.await(counted, before + 2 * LAPS & COUNTS - 1));
      rig.settle();
      witness.sends().pollOne().require(CqeOpcode.REQ, 0);
    }

    private void expectExecuted(int enabled, int expected) {
      master.post(Wqe.enableSends(worker, enabled));
      rig.settle();
      master.sends().pollOne();
      assertThat(worker.query().getInt(Qpc.SW_SQ_WQEBB_COUNTER)).isEqualTo(expected);
    }

    /** Enables itself for ever: each of its indices is ahead of the one before. */
    private RawQp runaway() {
      RawQp qp = loop(small(this).master());
      for (int index : new int[] {0xaaaa, 0, 0x5555}) {
        qp.write(Wqe.enableSends(qp, index).unsignalled());
      }
      qp.write(Wqe.nop().unsignalled());
      return qp;
    }

    @Test
    @Tag("slow")
    void queuesThatRunForEverGetTheirTurnsAndNoMoreAndCanBeEnded() {
      List<RawQp> runaways = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        runaways.add(runaway());
        master.post(Wqe.enableSends(runaways.getLast(), 0x5555).unsignalled());
        rig.nic().step();
      }
      RawQp other = loop(new RawQpPlan(rig.cq(6)));
      for (int i = 0; i < 200; i++) {
        other.post(Wqe.write(memory, 8).data(memory, 0, 8));
        for (int step = 0; step < 8; step++) {
          assertThat(rig.nic().step()).isPositive();
        }
        other.sends().pollOne().require(CqeOpcode.REQ, i);
      }
      int ended = 0;
      for (RawQp runaway : runaways) {
        assertThat(runaway.state()).isEqualTo(QpState.RTS);
        if (ended++ % 2 == 0) {
          runaway.object().close();
        } else {
          runaway.reset();
        }
      }
      rig.settle();
    }
  }

  /** Requests that write the requests of other queues. */
  @Nested
  class Targets extends CrossChannels {
    private final RawQp master = master();
    private final RawQp worker = worker();
    private final int ring = worker.register();

    private void enableWhenDone(int completions) {
      master.post(Wqe.await(master.sends(), completions - 1).unsignalled());
      master.post(Wqe.enableSends(worker, 1));
      rig.settle();
      master.sends().poll(completions + 1);
    }

    private byte[] increment() {
      return Wqe.fetchAndAdd(memory, 64, 1).data(memory, 72, 8).bytes(0, worker.number());
    }

    @Test
    void aWriteMakesARequest() {
      memory.put(0, increment());
      master.post(new Wqe(WqeOpcode.RDMA_WRITE).remote(worker.wqebb(0), ring).data(memory, 0, 64));
      enableWhenDone(1);
      worker.sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(memory.getLong(64)).isEqualTo(1);
    }

    @Test
    void aReadMakesARequest() {
      memory.put(0, increment());
      master.post(Wqe.read(memory, 0).data(worker.wqebb(0), 64, ring));
      enableWhenDone(1);
      worker.sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(memory.getLong(64)).isEqualTo(1);
    }

    @Test
    void aReceiveMakesARequest() {
      memory.put(0, increment());
      master.receive(worker.wqebb(0), 64, ring);
      master.post(Wqe.send().data(memory, 0, 64));
      enableWhenDone(2);
      worker.sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(memory.getLong(64)).isEqualTo(1);
    }

    /** The paper's break: queues that wait for the request do not continue. */
    @Test
    void aWriteTakesTheCompletionOfARequestAway() {
      worker.write(Wqe.nop());
      memory.put(0, new byte[] {ControlSegment.CE_ON_ERROR});
      master.post(
          new Wqe(WqeOpcode.RDMA_WRITE).remote(worker.wqebb(0) + FLAGS, ring).data(memory, 0, 1));
      enableWhenDone(1);
      assertThat(worker.query().getInt(Qpc.SW_SQ_WQEBB_COUNTER)).isEqualTo(1);
      master.post(Wqe.await(worker.sends(), 0));
      rig.settle();
      assertThat(worker.sends().poll()).isEmpty();
      assertThat(master.sends().poll()).isEmpty();
    }

    /** The paper's condition: a compare-and-swap turns a NOP into a request. */
    @Test
    void aCompareAndSwapMakesARequestOfANop() {
      worker.write(Wqe.nop());
      long nop = Memory.getNativeLong(worker.wqebb(0));
      for (boolean equal : new boolean[] {false, true}) {
        byte[] request = increment();
        worker.writeBytes(0, request);
        long wanted = Memory.getNativeLong(worker.wqebb(0));
        Memory.putNativeLong(worker.wqebb(0), nop);
        master.post(
            new Wqe(WqeOpcode.ATOMIC_CS)
                .remote(worker.wqebb(0), ring)
                .words(wanted, equal ? nop : nop + 1)
                .data(memory, 128, 8));
        rig.settle();
        assertThat(Memory.getNativeLong(worker.wqebb(0))).isEqualTo(equal ? wanted : nop);
      }
      master.post(Wqe.enableSends(worker, 1));
      rig.settle();
      assertThat(memory.getLong(64)).isEqualTo(1);
      assertThat(master.sends().poll()).hasSize(3);
    }

    @Test
    void aWriteOfItsDoorbellRecordPostsReceivesAgain() {
      int key = master.register();
      master.receive(memory.address(64), 8, memory.key());
      master.receive(memory.address(72), 8, memory.key());
      master.writeReceiveRecord(1);
      memory.put(0, new byte[] {9, 9, 9, 9, 9, 9, 9, 9});
      master.post(Wqe.send().data(memory, 0, 8));
      master.post(
          new Wqe(WqeOpcode.RDMA_WRITE)
              .remote(master.record(), key)
              .inline(new byte[] {0, 0, 0, 2}));
      master.post(Wqe.send().data(memory, 0, 8));
      rig.settle();
      master.sends().poll(5);
      assertThat(memory.bytes(64, 16)).containsOnly(9);
    }
  }
}
