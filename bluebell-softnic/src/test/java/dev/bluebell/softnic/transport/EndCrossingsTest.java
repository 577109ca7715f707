package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.wqe.TagMatchingHeader;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.RawTagCqe;
import dev.bluebell.softnic.rig.RawXrq;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Resets, errors and ends in the middle of the newer operations. */
class EndCrossingsTest {
  private static final long SECOND = 1_000_000_000;
  private static final Settings SHORT_PACKETS = new Settings().mtu(1);

  private FaultyFabric fabric;
  private final Rig rig =
      Rigs.open(
          (inside, sink) -> {
            fabric = new FaultyFabric(inside, sink).packetsPerBurst(1);
            return fabric;
          });
  private final RawMemory source = rig.memory(1 << 20).fill(3);
  private final RawMemory target = rig.memory(1 << 20);

  @AfterEach
  void close() {
    source.expectCanaries();
    target.expectCanaries();
    rig.close();
  }

  /** Loses the last packet of each message. */
  private void loseLastPieces() {
    fabric.onRequest(
        request ->
            BthOpcode.isSend(request.opcode) && BthOpcode.isLast(request.opcode)
                ? Fate.LOSE
                : Fate.DELIVER);
  }

  // ---- striding pools

  private RawPool strides() {
    RawPool pool =
        new RawPool(
            rig,
            false,
            2,
            wq ->
                wq.set(Wq.WQ_TYPE, 3)
                    .set(Wq.LOG_WQE_NUM_OF_STRIDES, 0xa)
                    .set(Wq.LOG_WQE_STRIDE_SIZE, 2));
    pool.write(0, 0, target.address(0), 2048, target.key());
    pool.post(1);
    return pool;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theStridesOfAMessageThatIsCutOffStayConsumed(boolean destroyed) {
    RawPool pool = strides();
    RawCq receives = rig.cq(4);
    RawQpPlan plan = new RawQpPlan(receives).pool(pool);
    RawPair pair = RawPair.connect(rig.qp(rig.cq(4)), rig.qp(plan), SHORT_PACKETS);
    loseLastPieces();
    pair.left().post(Wqe.send().data(source, 0, 700));
    rig.settle();
    assertThat(receives.poll(2).getFirst().byteCount()).isEqualTo(Cqe.STRIDE_FIRST | 256);
    fabric.carryAllRequests();
    pair.left().reset();
    RawQp receiver = pair.right();
    if (destroyed) {
      receiver.object().close();
      receiver = rig.qp(plan);
    } else {
      receiver.reset();
    }
    RawPair again = RawPair.connect(pair.left(), receiver, SHORT_PACKETS);
    again.left().post(Wqe.send().data(source, 0, 8));
    rig.settle();
    RawCqe only = receives.pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(only.byteCount()).isEqualTo(Cqe.STRIDE_FIRST | Cqe.STRIDE_LAST | 8);
    assertThat(target.bytes(512, 8)).isEqualTo(source.bytes(0, 8));
  }

  @Test
  void anErrorInsideAMessageFlushesNoStride() {
    RawPool pool = strides();
    RawCq receives = rig.cq(4);
    RawPair pair =
        RawPair.connect(
            rig.qp(rig.cq(4)), rig.qp(new RawQpPlan(receives).pool(pool)), SHORT_PACKETS);
    loseLastPieces();
    pair.left().post(Wqe.send().data(source, 0, 700));
    rig.settle();
    receives.poll(2);
    pair.right().toError();
    rig.settle();
    assertThat(receives.poll()).isEmpty();
  }

  // ---- tag matching

  private static RawQp append(Rig rig, RawXrq xrq, RawMemory buffer) {
    RawQp commands = xrq.commands();
    for (int i = 0; i < 2; i++) {
      commands.post(RawXrq.append(i + 1, 5, -1).data(buffer, 4096L * i, 4096));
    }
    rig.settle();
    assertThat(RawTagCqe.poll(xrq.completions())).hasSize(2);
    return commands;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theTagOfAMessageThatAResetCutsOffIsGoneAndTheNextIsMatched(boolean destroyed) {
    RawXrq xrq = new RawXrq(rig, rig.cq(5), 3);
    RawQp unused = append(rig, xrq, target);
    RawPair pair = RawPair.connect(rig.qp(rig.cq(4)), xrq.qp(), SHORT_PACKETS);
    source.put(0, Tagged.header(TagMatchingHeader.EAGER, 1, 5));
    loseLastPieces();
    pair.left().post(Wqe.send().data(source, 0, 700));
    rig.settle();
    RawTagCqe.pollOne(xrq.completions()).require(CqeOpcode.NO_PACKET, TagMatchingCqe.CONSUMED, 0);
    fabric.carryAllRequests();
    pair.left().reset();
    RawQp receiver = pair.right();
    if (destroyed) {
      receiver.object().close();
      receiver = xrq.qp();
    } else {
      receiver.reset();
    }
    RawPair again = RawPair.connect(pair.left(), receiver, SHORT_PACKETS);
    again.left().post(Wqe.send().data(source, 0, 116));
    rig.settle();
    RawTagCqe.pollOne(xrq.completions())
        .require(CqeOpcode.RESP_SEND, TagMatchingCqe.CONSUMED_MSG, 1);
    assertThat(target.bytes(4096, 100)).isEqualTo(source.bytes(16, 100));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRendezvousThatAResetCutsOffLeavesNothingBehind(boolean destroyed) {
    RawXrq xrq = new RawXrq(rig, rig.cq(5), 3);
    RawQp unused = append(rig, xrq, target);
    RawPair pair = RawPair.connect(rig.qp(rig.cq(4)), xrq.offloaded(), SHORT_PACKETS);
    source.put(0, Tagged.header(TagMatchingHeader.RNDV, 1, 5));
    source.put(
        16,
        ByteBuffer.allocate(16)
            .putLong(source.address(8192))
            .putInt(source.key())
            .putInt(4000)
            .array());
    fabric.onResponse(
        response ->
            BthOpcode.isReadResponse(BthOpcode.operation(response.opcode))
                ? Fate.LOSE
                : Fate.DELIVER);
    pair.left().post(Wqe.send().data(source, 0, 32));
    rig.settle();
    RawTagCqe.pollOne(xrq.completions()).require(CqeOpcode.NO_PACKET, TagMatchingCqe.CONSUMED, 0);
    fabric.carryAllResponses();
    pair.left().reset();
    RawQp receiver = pair.right();
    if (destroyed) {
      receiver.object().close();
      receiver = xrq.offloaded();
    } else {
      receiver.reset();
    }
    rig.pass(SECOND);
    assertThat(target.bytes(0, 4000)).containsOnly(0);
    RawPair again = RawPair.connect(pair.left(), receiver, SHORT_PACKETS);
    again.left().receive(target.address(1 << 16), 64, target.key());
    again.left().post(Wqe.send().data(source, 0, 32));
    rig.settle();
    var events = RawTagCqe.poll(xrq.completions());
    events.getLast().require(CqeOpcode.RESP_SEND, TagMatchingCqe.EXPECTED, 1);
    assertThat(target.bytes(4096, 4000)).isEqualTo(source.bytes(8192, 4000));
  }

  // ---- copies

  private RawQp copying() {
    RawQp qp = rig.qp(rig.cq(4));
    qp.connect(qp.number(), new Settings(), true);
    return qp;
  }

  private Wqe copy(int bytes) {
    return new Wqe(WqeOpcode.MMO)
        .opmod(WqeForm.MMO_DMA)
        .words(target.key(), target.address((1 << 20) - 64))
        .data(source, 0, bytes)
        .data(target, 0, bytes);
  }

  @Test
  void aCopyThatWaitsBehindARequestIsFlushedWithIt() {
    RawQp qp = copying();
    fabric.onResponse(response -> Fate.LOSE);
    qp.post(Wqe.write(target, 4096).data(source, 0, 8));
    qp.post(copy(64));
    rig.settle();
    qp.toError();
    rig.settle();
    var flushed = qp.sends().poll(2);
    flushed.get(0).requireError(Syndrome.WR_FLUSH_ERR, 0);
    flushed.get(1).requireError(Syndrome.WR_FLUSH_ERR, 1);
    assertThat(target.bytes(0, 64)).containsOnly(0);
    fabric.carryAllResponses();
    qp.reset();
    qp.connect(qp.number(), new Settings(), true);
    qp.post(copy(64));
    rig.settle();
    qp.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(target.bytes(0, 64)).isEqualTo(source.bytes(0, 64));
  }

  @Test
  void aCopyWhoseKeyEndsBetweenItsPiecesFailsAndCopiesNoMore() {
    RawQp qp = copying();
    RawMemory ending = rig.memory(64 << 10);
    // More bytes than the end of a key waits for.
    RawMemory large = rig.memory(32 << 20);
    qp.post(
        new Wqe(WqeOpcode.MMO)
            .opmod(WqeForm.MMO_DMA)
            .words(target.key(), target.address((1 << 20) - 64))
            .data(large, 0, 16 << 20)
            .data(large, 16 << 20, 16 << 20));
    qp.post(
        new Wqe(WqeOpcode.MMO)
            .opmod(WqeForm.MMO_DMA)
            .words(target.key(), target.address((1 << 20) - 64))
            .data(source, 0, 64 << 10)
            .data(ending, 0, 64 << 10));
    ending.registration().close();
    rig.settle();
    var done = qp.sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).requireError(Syndrome.LOCAL_PROT_ERR, 1, "lkey");
    assertThat(ending.bytes()).containsOnly(0);
  }

  // ---- streams

  private RawQp streams() {
    return rig.qp(
        new RawQpPlan(rig.cq(6))
            .initiator()
            .sizes(6, 0, 4)
            .change(
                qpc ->
                    qpc.set(Qpc.LOG_NUM_DCI_STREAM_CHANNELS, 2)
                        .set(Qpc.LOG_NUM_DCI_ERRORED_STREAMS, 1)));
  }

  private RawDct dct(RawCq cq) {
    RawPool pool = new RawPool(rig, false, 4);
    for (int slot = 0; slot < 16; slot++) {
      pool.write(slot, 0, target.address(4096L * slot), 4096, target.key());
    }
    pool.post(16);
    return new RawDct(rig, cq, pool, dctc -> dctc.set(Dctc.ATOMIC_MODE, 4));
  }

  @Test
  void aResetWhileAllStreamsAreBusyLetsTheInitiatorWorkAgain() {
    RawCq messages = rig.cq(6);
    RawDct dct = dct(messages);
    RawQp qp = streams();
    qp.connect(0, new Settings().mtu(3));
    loseLastPieces();
    for (int stream = 0; stream < 4; stream++) {
      Wqe wqe =
          stream == 3
              ? Wqe.dynamic(WqeOpcode.SEND, dct).data(source.address(0), 8, 0x777700)
              : Wqe.dynamic(WqeOpcode.SEND, dct).data(source, 0, 3000);
      qp.post(wqe.stream(stream));
    }
    rig.settle();
    qp.sends().pollOne().requireError(Syndrome.LOCAL_PROT_ERR, 6);
    fabric.carryAllRequests();
    qp.reset();
    rig.pass(SECOND);
    assertThat(messages.poll(3))
        .allSatisfy(f -> f.requireError(Syndrome.WR_FLUSH_ERR, f.wqeCounter()));
    qp.connect(0, new Settings().mtu(3));
    for (int stream = 0; stream < 4; stream++) {
      qp.post(Wqe.dynamic(WqeOpcode.SEND, dct).data(source, 0, 3000).stream(stream));
    }
    rig.settle();
    assertThat(qp.sends().poll(4)).noneMatch(RawCqe::isError);
    assertThat(messages.poll(4)).noneMatch(RawCqe::isError);
    // No stream counts as failed any more: the next failure does not end the initiator.
    qp.post(Wqe.dynamic(WqeOpcode.SEND, dct).data(source.address(0), 8, 0x777700).stream(1));
    rig.settle();
    qp.sends().pollOne().requireError(Syndrome.LOCAL_PROT_ERR, 8);
    assertThat(qp.state()).isEqualTo(3);
  }

  @Test
  void atomicsOfStreamsAreFlushedWhenTheInitiatorFails() {
    RawDct dct = dct(rig.cq(6));
    RawQp qp = streams();
    qp.connect(0, new Settings().mtu(3));
    fabric.onResponse(response -> Fate.LOSE);
    for (int stream = 0; stream < 4; stream++) {
      Wqe add = Wqe.dynamic(WqeOpcode.ATOMIC_MASKED_FA, dct);
      qp.post(
          MaskedAdd.of(add, 16, target.address(0), target.key()).data(source, 64, 16).stream(
              stream));
    }
    rig.settle();
    qp.toError();
    rig.settle();
    assertThat(qp.sends().poll(4)).allMatch(c -> c.syndrome() == Syndrome.WR_FLUSH_ERR);
    assertThat(target.getLong(MaskedAdd.low(16))).isEqualTo(4);
    fabric.carryAllResponses();
    dct.drain();
    dct.object().close();
    qp.object().close();
  }
}
