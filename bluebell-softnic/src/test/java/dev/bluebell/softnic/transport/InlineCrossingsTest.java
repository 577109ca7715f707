package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.TagMatchingHeader;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.RawTagCqe;
import dev.bluebell.softnic.rig.RawXrcSrq;
import dev.bluebell.softnic.rig.RawXrq;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Data inside CQEs, with each transport and each kind of receive queue. */
class InlineCrossingsTest {
  private static final int STREAMS = 4;

  private FaultyFabric fabric;
  private final Rig rig =
      Rigs.open(
          (inside, sink) -> {
            fabric = new FaultyFabric(inside, sink).direct(true);
            return fabric;
          });
  private final RawMemory source = rig.memory(4096).fill(3);
  private final RawMemory target = rig.memory(4096);

  @AfterEach
  void close() {
    source.expectCanaries();
    target.expectCanaries();
    rig.close();
  }

  private static int format(RawCq cq) {
    return Cqe.format(Memory.getLong(cq.entry(cq.consumer()) + Cqe.LAST_WORD));
  }

  private static byte[] data(RawCq cq, boolean large, int bytes) {
    long at = cq.entry(cq.consumer()) - (large ? 64 : 0);
    byte[] data = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      data[i] = Memory.getByte(at + i);
    }
    return data;
  }

  private RawCq cq(boolean large) {
    return large ? RawCq.large(rig, 5) : rig.cq(5);
  }

  private static int csReq(boolean large) {
    return large ? Qpc.CS_REQ_64 : Qpc.CS_REQ_32;
  }

  // ---- extended reliable connections

  @ParameterizedTest
  @CsvSource({"false, 32", "true, 64"})
  void dataFetchedByAnXrcInitiatorArrivesInItsCqe(boolean large, int bytes) {
    var xrcd = RawXrcSrq.domain(rig);
    RawXrcSrq srq = new RawXrcSrq(rig, xrcd);
    RawCq sends = cq(large);
    RawQpPlan plan =
        RawXrcSrq.initiatorPlan(sends)
            .change(qpc -> qpc.set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_SHARED).set(Qpc.CS_REQ, csReq(large)));
    RawPair pair = RawPair.connect(rig.qp(plan), RawXrcSrq.target(rig, xrcd), new Settings());
    pair.left().post(Wqe.read(source, 8).xrc(srq.number()).data(target, 0, bytes));
    rig.settle();
    assertThat(data(sends, large, bytes)).isEqualTo(source.bytes(8, bytes));
    assertThat(sends.pollOne().require(CqeOpcode.REQ, 0).byteCount()).isEqualTo(bytes);
    for (int operand = 4; operand <= 16; operand *= 2) {
      source.put(0, new byte[16]);
      source.put(MaskedAdd.low(operand), new byte[] {7});
      Wqe add = new Wqe(WqeOpcode.ATOMIC_MASKED_FA).xrc(srq.number());
      pair.left()
          .post(
              MaskedAdd.of(add, operand, source.address(0), source.key()).data(target, 0, operand));
      rig.settle();
      assertThat(data(sends, large, operand)).endsWith(7);
      assertThat(sends.pollOne().byteCount()).isEqualTo(operand);
      assertThat(source.bytes(MaskedAdd.low(operand), 1)).containsExactly(8);
    }
    assertThat(target.bytes()).containsOnly(0);
    sends.expectCanaries();
  }

  // ---- dynamic connections

  private RawQp initiator(RawCq sends, boolean large, int streams) {
    RawQp qp =
        rig.qp(
            new RawQpPlan(sends)
                .initiator()
                .sizes(6, 0, 4)
                .change(
                    qpc ->
                        qpc.set(Qpc.CS_REQ, csReq(large))
                            .set(
                                Qpc.LOG_NUM_DCI_STREAM_CHANNELS,
                                Integer.numberOfTrailingZeros(Math.max(streams, 1)))));
    qp.connect(0, new Settings().mtu(3));
    return qp;
  }

  private RawPool pool() {
    RawPool pool = new RawPool(rig, false, 4);
    for (int slot = 0; slot < 16; slot++) {
      pool.write(slot, 0, target.address(128L * slot), 128, target.key());
    }
    pool.post(16);
    return pool;
  }

  private RawDct dct(RawCq cq, int messages) {
    return new RawDct(
        rig, cq, pool(), dctc -> dctc.set(Dctc.CS_RES, messages).set(Dctc.ATOMIC_MODE, 4));
  }

  private static Wqe read(RawDct from, RawMemory memory, long offset) {
    return Wqe.dynamic(WqeOpcode.RDMA_READ, from).remote(memory.address(offset), memory.key());
  }

  @ParameterizedTest
  @CsvSource({"false, 0", "true, 0", "false, 4", "true, 4"})
  void dataFetchedByADynamicInitiatorArrivesInItsCqe(boolean large, int streams) {
    RawCq sends = cq(large);
    RawDct dct = dct(rig.cq(4), 0);
    RawQp initiator = initiator(sends, large, streams);
    int bytes = large ? 64 : 32;
    for (int i = 0; i < 2 * STREAMS; i++) {
      initiator.post(read(dct, source, 64L * i).stream(i).data(target, 0, bytes));
      rig.settle();
      assertThat(format(sends)).isEqualTo(large ? Cqe.FORMAT_INLINE_64 : Cqe.FORMAT_INLINE_32);
      assertThat(data(sends, large, bytes)).isEqualTo(source.bytes(64L * i, bytes));
      assertThat(sends.pollOne().byteCount()).isEqualTo(bytes);
    }
    initiator.post(read(dct, source, 0).data(target, 0, bytes + 1));
    rig.settle();
    assertThat(format(sends)).isZero();
    assertThat(target.bytes(0, bytes + 1)).isEqualTo(source.bytes(0, bytes + 1));
  }

  @Test
  void theAnswersOfStreamsThatOvertakeEachOtherKeepTheirData() {
    RawCq sends = cq(false);
    RawDct dct = dct(rig.cq(4), 0);
    RawQp initiator = initiator(sends, false, STREAMS);
    AtomicInteger answers = new AtomicInteger();
    fabric.direct(false).onResponse(r -> answers.getAndIncrement() == 0 ? Fate.LOSE : Fate.DELIVER);
    for (int i = 0; i < STREAMS; i++) {
      initiator.post(read(dct, source, 64L * i).stream(i).data(target, 0, 32));
    }
    rig.settle();
    rig.pass(100_000_000);
    for (int i = 0; i < STREAMS; i++) {
      int at = sends.consumer() + i;
      int stream = sends.peek().get(i).wqeCounter() / 2;
      assertThat(Memory.getLong(sends.entry(at)))
          .isEqualTo(Memory.getLong(source.address(64L * stream)));
    }
    assertThat(sends.poll(STREAMS).getLast().wqeCounter())
        .as("the stream whose answer was lost")
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64})
  void aSmallMessageOfATargetArrivesInItsCqe(int bytes) {
    RawCq messages = cq(true);
    RawDct dct = dct(messages, Qpc.CS_RES_64);
    RawQp initiator = initiator(rig.cq(5), false, 0);
    for (int i = 0; i < 3; i++) {
      initiator.post(Wqe.dynamic(WqeOpcode.SEND, dct).data(source, 64L * i, bytes));
      rig.settle();
      assertThat(format(messages)).isEqualTo(Cqe.FORMAT_INLINE_64);
      assertThat(data(messages, true, bytes)).isEqualTo(source.bytes(64L * i, bytes));
      assertThat(messages.pollOne().require(CqeOpcode.RESP_SEND, i).byteCount()).isEqualTo(bytes);
    }
    assertThat(target.bytes()).containsOnly(0);
    initiator.post(Wqe.dynamic(WqeOpcode.SEND, dct).data(source, 0, 65));
    rig.settle();
    assertThat(target.bytes(3 * 128, 65)).isEqualTo(source.bytes(0, 65));
    messages.expectCanaries();
  }

  @Test
  void aTargetTakesOnlyThe64ByteFormAndNeedsLargeCqes() {
    assertThat(Rig.refused(() -> dct(cq(true), Qpc.CS_RES_32)))
        .hasMessageContaining(
            "cs_res 0x1 is not valid: for a DC target it must be 0 or 2 (64 bytes)");
    HcaException refusal = Rig.refused(() -> dct(cq(false), Qpc.CS_RES_64));
    assertThat(refusal.status()).isEqualTo(CommandStatus.BAD_PARAM);
    assertThat(refusal).hasMessageContaining("cs_res 2: the CQEs of cqn 0x");
  }

  // ---- tag matching

  /** A receiver whose messages go to a list of tags, with one tag of 64 bytes in it. */
  private RawPair tagged(RawXrq xrq, RawCq receives, int csRes) {
    RawQp receiver =
        rig.qp(
            xrq.plan()
                .receiveCompletions(receives)
                .change(qpc -> xrq.receiving(qpc).set(Qpc.CS_RES, csRes)));
    RawPair pair = RawPair.connect(rig.qp(rig.cq(4)), receiver, new Settings());
    append(xrq, 64);
    xrq.receive(target.address(1024), 64, target.key());
    return pair;
  }

  private void send(RawPair pair, int operation, int bytes) {
    source.put(0, Tagged.header(operation, 1, 5));
    pair.left().post(Wqe.send().data(source, 0, TagMatchingHeader.BYTES + bytes));
    rig.settle();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64})
  void aSmallMessageThatMatchesATagArrivesInItsCqe(int bytes) {
    RawXrq xrq = new RawXrq(rig, cq(true), 3);
    RawPair pair = tagged(xrq, RawCq.large(rig, 4), Qpc.CS_RES_64);
    send(pair, TagMatchingHeader.EAGER, bytes);
    assertThat(format(xrq.completions())).isEqualTo(Cqe.FORMAT_INLINE_64);
    assertThat(data(xrq.completions(), true, bytes)).isEqualTo(source.bytes(16, bytes));
    RawTagCqe matched =
        RawTagCqe.pollOne(xrq.completions())
            .require(CqeOpcode.RESP_SEND, TagMatchingCqe.CONSUMED_MSG, 0);
    assertThat(matched.tag()).isEqualTo(5);
    assertThat(matched.plain().byteCount()).isEqualTo(bytes);
    assertThat(target.bytes()).containsOnly(0);
    xrq.completions().expectCanaries();
  }

  @ParameterizedTest
  @CsvSource({"3, 3", "0, 4"})
  void aSmallMessageThatMatchesNoTagArrivesInItsCqeWithItsHeader(int header, int operation) {
    RawXrq xrq = new RawXrq(rig, cq(true), 3);
    RawPair pair = tagged(xrq, RawCq.large(rig, 4), Qpc.CS_RES_64);
    source.put(0, Tagged.header(header, 1, 6));
    pair.left().post(Wqe.send().data(source, 0, 64));
    rig.settle();
    assertThat(format(xrq.completions())).isEqualTo(Cqe.FORMAT_INLINE_64);
    assertThat(data(xrq.completions(), true, 64)).isEqualTo(source.bytes(0, 64));
    RawTagCqe.pollOne(xrq.completions()).require(CqeOpcode.RESP_SEND, operation, 0);
    assertThat(target.bytes()).containsOnly(0);
  }

  @ParameterizedTest
  @CsvSource({"true, 0", "true, 1", "false, 1", "false, 2"})
  void tagMatchingPutsNoDataIntoTheCqeWithoutThe64ByteFormAndItsRoom(boolean large, int csRes) {
    RawXrq xrq = new RawXrq(rig, cq(large), 3);
    RawPair pair = tagged(xrq, RawCq.large(rig, 4), csRes);
    for (int i = 0; i < 2; i++) {
      send(pair, TagMatchingHeader.EAGER, 8);
      assertThat(format(xrq.completions())).isZero();
      RawTagCqe.pollOne(xrq.completions());
    }
    assertThat(target.bytes(0, 8)).isEqualTo(source.bytes(16, 8));
    assertThat(target.bytes(1024, 24)).isEqualTo(source.bytes(0, 24));
  }

  @Test
  void aMessageLongerThanACqeLandsInTheBufferOfItsTag() {
    RawXrq xrq = new RawXrq(rig, cq(true), 3);
    RawPair pair = tagged(xrq, RawCq.large(rig, 4), Qpc.CS_RES_64);
    xrq.commands().post(RawXrq.append(2, 6, -1).data(target, 512, 128));
    rig.settle();
    RawTagCqe.pollOne(xrq.completions());
    source.put(0, Tagged.header(TagMatchingHeader.EAGER, 1, 6));
    pair.left().post(Wqe.send().data(source, 0, 16 + 65));
    rig.settle();
    assertThat(format(xrq.completions())).isZero();
    RawTagCqe.pollOne(xrq.completions())
        .require(CqeOpcode.RESP_SEND, TagMatchingCqe.CONSUMED_MSG, 1);
    assertThat(target.bytes(512, 65)).isEqualTo(source.bytes(16, 65));
  }

  private void append(RawXrq xrq, int bytes) {
    RawQp commands = xrq.commands();
    commands.post(RawXrq.append(1, 5, -1).data(target, 0, bytes));
    rig.settle();
    RawTagCqe.pollOne(xrq.completions());
  }

  @Test
  void rendezvousDataOfATagLandsInItsBuffer() {
    RawXrq xrq = new RawXrq(rig, rig.cq(5), 3);
    RawQp receiver =
        rig.qp(
            xrq.plan()
                .change(
                    qpc ->
                        xrq.receiving(qpc)
                            .set(Qpc.NO_SQ, true)
                            .set(Qpc.OFFLOAD_TYPE, 1)
                            .set(Qpc.CS_REQ, Qpc.CS_REQ_32)));
    RawPair pair = RawPair.connect(rig.qp(rig.cq(4)), receiver, new Settings());
    pair.left().receive(target.address(2048), 64, target.key());
    append(xrq, 64);
    source.put(0, Tagged.header(TagMatchingHeader.RNDV, 1, 5));
    source.put(
        16,
        ByteBuffer.allocate(16)
            .putLong(source.address(512))
            .putInt(source.key())
            .putInt(32)
            .array());
    pair.left().post(Wqe.send().data(source, 0, 32));
    rig.settle();
    RawTagCqe.poll(xrq.completions())
        .getLast()
        .require(CqeOpcode.RESP_SEND, TagMatchingCqe.EXPECTED, 0);
    assertThat(target.bytes(0, 32)).isEqualTo(source.bytes(512, 32));
  }

  // ---- receive queues

  @Test
  void messagesForAStridingPoolLandInTheirStrides() {
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
    RawCq messages = rig.cq(4);
    RawPair pair =
        RawPair.connect(
            rig.qp(rig.cq(4)),
            rig.qp(
                new RawQpPlan(messages)
                    .pool(pool)
                    .change(qpc -> qpc.set(Qpc.CS_RES, Qpc.CS_RES_32))),
            new Settings().mtu(1));
    pair.left().post(Wqe.send().data(source, 0, 8));
    rig.settle();
    assertThat(format(messages)).isZero();
    assertThat(target.bytes(0, 8)).isEqualTo(source.bytes(0, 8));
  }

  @Test
  void connectionsOfAPoolPutTheirMessagesWhereTheirOwnContextSays() {
    RawPool pool = pool();
    RawCq messages = rig.cq(4);
    for (int own = 0; own <= 1; own++) {
      int csRes = own;
      RawPair pair =
          RawPair.connect(
              rig.qp(rig.cq(4)),
              rig.qp(new RawQpPlan(messages).pool(pool).change(q -> q.set(Qpc.CS_RES, csRes))),
              new Settings());
      pair.left().post(Wqe.send().data(source, 0, 8));
      rig.settle();
      assertThat(format(messages)).isEqualTo(own == 1 ? Cqe.FORMAT_INLINE_32 : 0);
      messages.pollOne().require(CqeOpcode.RESP_SEND, own);
      assertThat(target.bytes(128L * own, 8))
          .isEqualTo(own == 1 ? new byte[8] : source.bytes(0, 8));
    }
  }
}
