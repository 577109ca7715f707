package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import dev.bluebell.softnic.transport.dynamic.DcSessions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A target at its limit of initiators replaces the session of one that waits for a response. */
class DynamicForgottenTest extends DynamicConnections {
  private static final long SECOND = 1_000_000_000;
  private static final int LOG_STREAMS = 6;
  private static final FaultyFabric[] FABRIC = new FaultyFabric[1];

  DynamicForgottenTest() {
    super(
        Rigs.open(
            (inside, sink) -> {
              FABRIC[0] = new FaultyFabric(inside, sink);
              return FABRIC[0];
            }));
  }

  @Test
  void anInitiatorContinuesAfterItsSessionWasForgotten() {
    int last = initiator.index() + 2;
    FABRIC[0].onRequest(
        request ->
            request.sourceQpn == initiator.number() && request.address != memory.address(0)
                ? Fate.LOSE
                : Fate.DELIVER);
    for (int i = 0; i < 3; i++) {
      initiator.post(write(target, 64L * i, 64));
    }
    rig.settle();
    initiator.sends().pollOne().require(CqeOpcode.REQ, 0);
    for (int i = 0; i < DcSessions.MOST >> LOG_STREAMS; i++) {
      crowd();
    }
    FABRIC[0].carryAllRequests();
    for (int waits = 0; waits < 16; waits++) {
      rig.pass(SECOND);
    }
    List<RawCqe> done = initiator.sends().poll(last);
    assertThat(done).as(rig.explanations().toString()).noneMatch(RawCqe::isError);
    assertThat(memory.bytes(128, 64)).isEqualTo(source.bytes(0, 64));
  }

  private void crowd() {
    RawQp streams =
        ready(
            plan(rig)
                .sizes(8, 0, 4)
                .change(qpc -> qpc.set(Qpc.LOG_NUM_DCI_STREAM_CHANNELS, LOG_STREAMS)),
            settings());
    for (int stream = 0; stream < 1 << LOG_STREAMS; stream++) {
      streams.post(write(target, 1024, 8).stream(stream));
    }
    rig.settle();
    assertThat(streams.sends().poll(1 << LOG_STREAMS)).noneMatch(RawCqe::isError);
  }
}
