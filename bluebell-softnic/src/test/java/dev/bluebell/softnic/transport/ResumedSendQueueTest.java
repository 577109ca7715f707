package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A send queue that failed and works again, while more is to be flushed than one turn flushes. */
class ResumedSendQueueTest {
  private static final int LOG_SIZE = 11;
  private static final int POSTED = 1000;

  private Rig rig = Rigs.open();
  private RawCq completions;
  private RawQp qp;

  /** Opens a queue pair whose first request, a READ over UC, has failed. */
  private void fail() {
    completions = rig.cq(LOG_SIZE + 1);
    qp = rig.qp(new RawQpPlan(completions).service(ServiceType.UC.code()).sizes(LOG_SIZE, 4, 4));
    qp.connect(qp.number(), new Settings());
    qp.post(new Wqe(WqeOpcode.RDMA_READ).remote(0, 0).data(0, 8, 0));
    rig.settle();
    assertThat(qp.state()).isEqualTo(QpState.SQER);
    completions.poll();
  }

  /** Posts requests that the device sees, and lets the queue work again before they are flushed. */
  private void postAndResume() {
    for (int i = 0; i < POSTED; i++) {
      qp.write(Wqe.nop());
    }
    qp.writeRecord();
    qp.ring(qp.index() - 1);
    qp.object().modify(qp.transition(CommandOpcode.SQERR2RTS_QP).bytes());
  }

  private void expectExecuted(int index, List<RawCqe> completed) {
    completed.getLast().require(CqeOpcode.REQ, index);
    for (RawCqe flushed : completed.subList(0, completed.size() - 1)) {
      assertThat(flushed.syndrome()).isEqualTo(Syndrome.WR_FLUSH_ERR);
    }
    assertThat(qp.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void requestsThatAreTakenBackLeaveTheQueueWorking() {
    fail();
    postAndResume();
    int kept = completions.poll().size() + 1;
    qp.skip(kept - POSTED);
    qp.post(Wqe.nop());
    rig.settle();
    int later = qp.post(Wqe.nop());
    rig.settle();
    expectExecuted(later, completions.poll());
  }

  @Test
  void aRequestOfNoLengthEndsTheFlushButNoRequestThatIsPostedLater() {
    fail();
    int last = qp.index() + POSTED - 1;
    qp.writeBytes(last, new byte[ControlSegment.WQEBB_BYTES]);
    for (int i = 0; i < POSTED - 1; i++) {
      qp.write(Wqe.nop());
    }
    qp.skip(1);
    qp.writeRecord();
    qp.ring(last - 1);
    qp.object().modify(qp.transition(CommandOpcode.SQERR2RTS_QP).bytes());
    int later = qp.post(Wqe.nop());
    rig.settle();
    List<RawCqe> completed = completions.poll();
    assertThat(completed).hasSize(POSTED + 1);
    expectExecuted(later, completed);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void requestsOfBeforeAreFlushedBeforeLaterOnesExecuteInAnyOrderOfWork(long seed) {
    rig = Rigs.open(options -> options.withAdversary(seed));
    fail();
    postAndResume();
    int later = qp.post(Wqe.nop());
    rig.settle();
    List<RawCqe> completed = completions.poll();
    assertThat(completed).hasSize(POSTED + 1);
    expectExecuted(later, completed);
  }
}
