package dev.bluebell.softnic.transport;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.option.FaultOptions;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawQp;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fault injection counts the requests of an initiator over all its streams. */
class DynamicStreamFaultsTest extends DynamicConnections {
  DynamicStreamFaultsTest() {
    super(Rigs.open(options -> options.withFaults(FaultOptions.parse("remote-access@2", 7))));
  }

  @Test
  void theSecondRequestFailsThoughItIsTheFirstOfItsStream() {
    RawQp streams =
        ready(
            plan(rig)
                .change(
                    qpc ->
                        qpc.set(Qpc.LOG_NUM_DCI_STREAM_CHANNELS, 3)
                            .set(Qpc.LOG_NUM_DCI_ERRORED_STREAMS, 2)),
            settings());
    for (int stream = 1; stream < 4; stream++) {
      streams.post(write(target, 0, 8).stream(stream));
      rig.settle();
    }
    List<RawCqe> done = streams.sends().poll(3);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).requireError(Syndrome.REMOTE_ACCESS_ERR, 2, "request 2 of its queue pair");
    done.get(2).require(CqeOpcode.REQ, 4);
  }
}
