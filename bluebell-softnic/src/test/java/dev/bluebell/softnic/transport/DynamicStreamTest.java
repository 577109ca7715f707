package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpCommands.QpcExt;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.command.QpTransitions.Rts2rtsQpIn;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Streams of a DC initiator keep their own order, and fail alone. */
class DynamicStreamTest extends DynamicConnections {
  private static final long SECOND = 1_000_000_000;
  private static final int LOG_STREAMS = 3;
  private static final int LOG_ERRORED = 2;

  private final RawQp streams = streams(settings());

  private RawQp streams(Settings settings) {
    return ready(
        plan(rig)
            .change(
                qpc ->
                    qpc.set(Qpc.LOG_NUM_DCI_STREAM_CHANNELS, LOG_STREAMS)
                        .set(Qpc.LOG_NUM_DCI_ERRORED_STREAMS, LOG_ERRORED)),
        settings);
  }

  /** A request that this device refuses to send. */
  private Wqe bad(int stream) {
    return Wqe.dynamic(WqeOpcode.SEND, target).data(source.address(0), 8, 0x777700).stream(stream);
  }

  private static View reset(RawQp qp, int stream) {
    View command =
        View.of(Rts2rtsQpIn.STRUCTURE, QpcExt.STRUCTURE.bytes())
            .set(CmdIn.OPCODE, CommandOpcode.RTS2RTS_QP)
            .set(Rts2rtsQpIn.QPN, qp.number())
            .set(Rts2rtsQpIn.QPC_EXT, true)
            .set(Rts2rtsQpIn.OPT_PARAM_MASK_95_32, 1);
    command.at(Rts2rtsQpIn.QPC_DATA_EXT).set(QpcExt.DCI_STREAM_CHANNEL_ID, stream);
    return command;
  }

  private void expectRefused(View command, int status, String explained) {
    HcaException refusal = Rig.refused(() -> streams.object().modify(command.bytes()));
    assertThat(refusal.status()).isEqualTo(status);
    assertThat(refusal).hasMessageContaining(explained);
  }

  @Test
  void requestsOfAllStreamsComplete() {
    receive(32, 64);
    for (int i = 0; i < 32; i++) {
      streams.post(send(target, 8).stream(i));
    }
    rig.settle();
    assertThat(streams.sends().poll(32)).noneMatch(RawCqe::isError);
    assertThat(target.cq().poll(32)).noneMatch(RawCqe::isError);
    // A ring of 64 WQEBBs has gone once around.
    receive(1, 64);
    streams.post(send(target, 8).stream(1));
    rig.settle();
    streams.sends().pollOne().require(CqeOpcode.REQ, 64);
    assertThat(objects())
        .contains("QP 0x%x: DCI, RTS, 8 streams, 0 of them failed".formatted(streams.number()));
  }

  private String objects() {
    return String.join("\n", rig.nic().diagnosis().orElseThrow().objects());
  }

  @Test
  void aStreamThatWaitsDoesNotHoldTheOthers() {
    // Without receives, the SEND of stream 1 waits, as do later requests of that stream.
    streams.post(send(target, 8).stream(1));
    streams.post(write(target, 100, 8).stream(1));
    streams.post(write(target, 200, 8).stream(2));
    streams.post(write(target, 300, 8).stream(3));
    rig.settle();
    assertThat(streams.sends().poll(2)).extracting(RawCqe::wqeCounter).containsExactly(4, 6);
    assertThat(memory.bytes(100, 8)).containsOnly(0);
    receive(1, 64);
    rig.pass(SECOND);
    assertThat(streams.sends().poll(2)).extracting(RawCqe::wqeCounter).containsExactly(0, 2);
    assertThat(memory.bytes(100, 8)).isEqualTo(source.bytes(0, 8));
  }

  /** libmlx5 takes all slots up to the newest completion as free, and perftest fills the ring. */
  @Test
  void requestsThatAreAnsweredTogetherCompleteInTheOrderOfTheRing() {
    receive(16, 64);
    for (int i = 0; i < 16; i++) {
      streams.write(send(target, 8).stream(i % 4));
    }
    streams.writeRecord();
    streams.ring(streams.index() - 2);
    rig.settle();
    assertThat(streams.sends().poll(16))
        .extracting(RawCqe::wqeCounter)
        .containsExactlyElementsOf(IntStream.range(0, 16).mapToObj(i -> 2 * i).toList());
  }

  @Test
  void streamsHaveTargetsOfTheirOwn() {
    RawDct other = new RawDct(rig, target.cq(), pool);
    receive(16, 64);
    for (int i = 0; i < 8; i++) {
      streams.post(send(i % 2 == 0 ? target : other, 8).stream(i % 2));
    }
    rig.settle();
    assertThat(streams.sends().poll(8)).noneMatch(RawCqe::isError);
    assertThat(target.cq().poll(8))
        .extracting(RawCqe::qpn)
        .containsOnly(target.number(), other.number());
  }

  @Test
  void onlyTheStreamThatFailedIsFlushed() {
    receive(8, 64);
    streams.post(send(target, 8).stream(1));
    streams.post(bad(1));
    streams.post(send(target, 8).stream(1));
    streams.post(send(target, 8).stream(2));
    rig.settle();
    List<RawCqe> ends = streams.sends().poll(4);
    RawCqe failed = ends.stream().filter(end -> end.wqeCounter() == 2).findFirst().orElseThrow();
    failed.requireError(Syndrome.LOCAL_PROT_ERR, 2, "lkey");
    RawCqe flushed = ends.stream().filter(end -> end.wqeCounter() == 4).findFirst().orElseThrow();
    flushed.requireError(
        Syndrome.WR_FLUSH_ERR, 4, "stream 1 of QP 0x%x is in ERR".formatted(streams.number()));
    assertThat(ends)
        .filteredOn(end -> !end.isError())
        .extracting(RawCqe::wqeCounter)
        .containsExactlyInAnyOrder(0, 6);
    assertThat(streams.state()).isEqualTo(QpState.RTS);
    streams.post(send(target, 8).stream(1));
    streams.post(send(target, 8).stream(3));
    rig.settle();
    assertThat(streams.sends().poll(2))
        .extracting(RawCqe::isError)
        .containsExactlyInAnyOrder(true, false);
  }

  @Test
  void aFailedStreamWorksAgainAfterItsReset() {
    receive(8, 64);
    streams.post(bad(1));
    rig.settle();
    assertThat(streams.sends().pollOne().isError()).isTrue();
    streams.object().modify(reset(streams, 1).bytes());
    streams.post(send(target, 8).stream(1));
    rig.settle();
    streams.sends().pollOne().require(CqeOpcode.REQ, 2);
    target.cq().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }

  @Test
  void aStreamThatDidNotFailCannotBeReset() {
    expectRefused(reset(streams, 1), CommandStatus.BAD_PARAM, "did not fail");
    streams.post(bad(1));
    rig.settle();
    expectRefused(
        reset(streams, 2),
        CommandStatus.BAD_PARAM,
        "stream 2 (dci_stream_channel_id) of QP 0x%x did not fail".formatted(streams.number()));
    HcaException refusal =
        Rig.refused(() -> initiator.object().modify(reset(initiator, 0).bytes()));
    assertThat(refusal).hasMessageContaining("has no streams (log_num_dci_stream_channels)");
  }

  @Test
  void theExtensionOfACommandIsChecked() {
    expectRefused(
        reset(streams, 1).set(Rts2rtsQpIn.OPT_PARAM_MASK_95_32, 3),
        CommandStatus.BAD_PARAM,
        "opt_param_mask_95_32 0x3");
    byte[] shorter = Arrays.copyOf(reset(streams, 1).bytes(), 272);
    expectRefused(View.over(shorter), CommandStatus.BAD_INP_LEN, "qpc_ext is 1");
    streams.object().modify(reset(streams, 1).set(Rts2rtsQpIn.OPT_PARAM_MASK_95_32, 0).bytes());
  }

  @Test
  void asManyFailuresAsTheContextSaysEndTheInitiator() {
    for (int stream = 1; stream <= 3; stream++) {
      streams.post(bad(stream));
    }
    rig.settle();
    assertThat(streams.state()).isEqualTo(QpState.RTS);
    streams.object().modify(reset(streams, 2).bytes());
    streams.post(bad(2));
    streams.post(bad(4));
    streams.post(send(target, 8).stream(5));
    rig.settle();
    assertThat(streams.state()).isEqualTo(QpState.ERR);
    streams.post(send(target, 8).stream(6));
    rig.settle();
    List<RawCqe> ends = streams.sends().poll(7);
    assertThat(ends).allMatch(RawCqe::isError);
    ends.getLast()
        .requireError(
            Syndrome.WR_FLUSH_ERR,
            12,
            "4 of its streams failed, and it continues only with fewer than 4"
                + " (log_num_dci_errored_streams 2)");
    streams.reset();
    streams.connect(0, settings());
    receive(1, 64);
    streams.post(send(target, 8).stream(2));
    rig.settle();
    streams.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aStreamIdBeyondTheNumberOfStreamsWraps() {
    streams.post(bad(9));
    rig.settle();
    streams.post(send(target, 8).stream(1));
    rig.settle();
    assertThat(streams.sends().poll(2)).allMatch(RawCqe::isError);
    streams.object().modify(reset(streams, 9).bytes());
  }

  @Test
  void aWqeThatCannotBeFetchedFailsTheInitiatorAfterEarlierOnesComplete() {
    receive(1, 64);
    streams.post(send(target, 8).stream(1));
    streams.post(send(target, 8).stream(2).index(77));
    rig.settle();
    List<RawCqe> ends = streams.sends().poll(2);
    ends.get(0).require(CqeOpcode.REQ, 0);
    ends.get(1).requireError(Syndrome.LOCAL_QP_OP_ERR, 2, "wqe_index");
    assertThat(streams.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void aTargetThatRefusesFailsOneStream() {
    streams.post(
        Wqe.dynamic(WqeOpcode.RDMA_WRITE, target)
            .remote(memory.address(0), 0x999900)
            .data(source, 0, 8)
            .stream(4));
    streams.post(write(target, 0, 8).stream(5));
    rig.settle();
    assertThat(streams.sends().poll(2))
        .extracting(RawCqe::syndrome)
        .containsExactlyInAnyOrder(0, Syndrome.REMOTE_ACCESS_ERR);
    assertThat(streams.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void eachStreamHasItsOwnRetries() {
    RawQp hasty = streams(settings().retryCount(0).timeout(8));
    hasty.post(
        Wqe.dynamic(
            WqeOpcode.SEND,
            target.number(),
            1,
            Addresses.LINK_LOCAL,
            Addresses.gid(Addresses.LINK_LOCAL))
            .data(source, 0, 8)
            .stream(1));
    hasty.post(write(target, 0, 8).stream(2));
    rig.settle();
    hasty.sends().pollOne().require(CqeOpcode.REQ, 2);
    rig.pass(SECOND);
    hasty
        .sends()
        .pollOne()
        .requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "dc_key 0x1 of the address vector");
    assertThat(hasty.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void anOverrunOfTheSendQueueEndsTheWholeInitiator() {
    RawQp small =
        ready(
            new RawQpPlan(rig.cq(0))
                .initiator()
                .sizes(6, 0, 4)
                .change(
                    qpc ->
                        qpc.set(Qpc.LOG_NUM_DCI_STREAM_CHANNELS, LOG_STREAMS)
                            .set(Qpc.LOG_NUM_DCI_ERRORED_STREAMS, LOG_ERRORED)),
            settings());
    small.post(write(target, 0, 8).stream(1));
    small.post(write(target, 0, 8).stream(2));
    rig.settle();
    assertThat(small.state()).isEqualTo(QpState.ERR);
  }

  @Test
  void aFullWindowOfAllStreamsIsFetchedInTurn() {
    receive(128, 64);
    for (int round = 0; round < 4; round++) {
      IntStream.range(0, 32)
          .forEach(
              i ->
                  streams.write(
                      send(target, 8).stream(i).control(i == 31 ? ControlSegment.CE_ALWAYS : 0)));
      streams.writeRecord();
      streams.ring(streams.index() - 2);
      rig.settle();
      assertThat(streams.sends().poll(1)).noneMatch(RawCqe::isError);
    }
    assertThat(target.cq().poll(128)).noneMatch(RawCqe::isError);
  }
}
