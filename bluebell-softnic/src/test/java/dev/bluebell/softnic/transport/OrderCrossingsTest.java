package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.wqe.RendezvousHeader;
import dev.bluebell.hca.wqe.TagMatchingHeader;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.option.ReorderOptions;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
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
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Payload that becomes visible out of order, with each transport and each kind of operation. */
class OrderCrossingsTest {
  private static final int RELAXED = HcaAccess.ALL | HcaAccess.RELAXED_ORDERING;
  private static final int SEEDS = 12;
  private static final int BYTES = 8192;

  /** A message of more than one train of packets, at a path MTU of 256. */
  private static final int LONG = 6000;

  private static final long MICROSECOND = TimeUnit.MICROSECONDS.toNanos(1);
  private static final long LONGEST = 20 * MICROSECOND;
  private static final Settings SHORT_PACKETS = new Settings().mtu(1);

  /** A device that reorders payload, and memory whose keys allow that or not. */
  private static final class Setup implements AutoCloseable {
    FaultyFabric fabric;
    final Rig rig;
    final RawMemory local;
    final RawMemory relaxed;
    final RawMemory strict;

    Setup(long seed) {
      rig =
          Rigs.open(
              new ReorderOptions(LONGEST, seed),
              (inside, sink) -> {
                fabric = new FaultyFabric(inside, sink);
                return fabric;
              });
      local = rig.memory(BYTES).fill(7);
      relaxed = rig.memory(BYTES, RELAXED);
      strict = rig.memory(BYTES);
    }

    /** Advances the clock until a queue has so many entries. */
    void await(RawCq cq, int entries) {
      for (int i = 0; cq.peek().size() < entries; i++) {
        assertThat(i).as(rig.explanations().toString()).isLessThan(1000);
        rig.pass(MICROSECOND);
      }
    }

    /** Loses the last packet of each message. */
    void loseLastPieces() {
      fabric.onRequest(
          request ->
              BthOpcode.isSend(request.opcode) && BthOpcode.isLast(request.opcode)
                  ? Fate.LOSE
                  : Fate.DELIVER);
    }

    /** A pool of WQEs with 8 strides of 256 bytes. */
    RawPool strides() {
      return new RawPool(
          rig,
          false,
          2,
          wq ->
              wq.set(Wq.WQ_TYPE, 3)
                  .set(Wq.LOG_WQE_NUM_OF_STRIDES, 0xa)
                  .set(Wq.LOG_WQE_STRIDE_SIZE, 2));
    }

    RawPool pool(RawMemory target) {
      RawPool pool = new RawPool(rig, false, 3);
      for (int slot = 0; slot < 8; slot++) {
        pool.write(slot, 0, target.address(512L * slot), 512, target.key());
      }
      pool.post(8);
      return pool;
    }

    @Override
    public void close() {
      local.expectCanaries();
      relaxed.expectCanaries();
      strict.expectCanaries();
      rig.close();
    }
  }

  /** Number of seeds with which something was seen. */
  private static int seen(ToIntFunction<Setup> client) {
    int seen = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (Setup setup = new Setup(seed)) {
        seen += client.applyAsInt(setup);
      }
    }
    return seen;
  }

  /** 1 when a client that polls a flag finds it before the data. */
  private static int findsFlagFirst(Setup setup, RawMemory memory) {
    for (int i = 0; i < 100; i++) {
      setup.rig.settle();
      if (memory.getLong(1024) != 0) {
        return memory.getLong(0) == 0 ? 1 : 0;
      }
      setup.rig.clock().advance(MICROSECOND);
    }
    throw new AssertionError("the flag was never seen");
  }

  // ---- striding pools

  @Test
  void theCompletionOfAStrideMeansThatItsPacketIsVisible() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (Setup setup = new Setup(seed)) {
        RawPool pool = setup.strides();
        for (int slot = 0; slot < 3; slot++) {
          pool.write(slot, 0, setup.relaxed.address(2048L * slot), 2048, setup.relaxed.key());
        }
        pool.post(3);
        RawCq receives = setup.rig.cq(5);
        RawPair pair =
            RawPair.connect(
                setup.rig.qp(setup.rig.cq(4)),
                setup.rig.qp(new RawQpPlan(receives).pool(pool)),
                SHORT_PACKETS);
        setup.loseLastPieces();
        pair.left().post(Wqe.write(setup.relaxed, 7000).data(setup.local, 7000, 64));
        pair.left().post(Wqe.send().data(setup.local, 0, LONG));
        setup.rig.settle();
        assertThat(receives.poll(16)).noneMatch(RawCqe::isError);
        assertThat(setup.relaxed.bytes(0, 4096)).isEqualTo(setup.local.bytes(0, 4096));
        assertThat(setup.relaxed.bytes(7000, 64)).isEqualTo(setup.local.bytes(7000, 64));
      }
    }
  }

  // ---- tag matching

  private static RawPair matching(Setup setup, RawXrq xrq, boolean offloaded) {
    RawQp receiver = offloaded ? xrq.offloaded() : xrq.qp();
    return RawPair.connect(setup.rig.qp(setup.rig.cq(4)), receiver, SHORT_PACKETS);
  }

  private static void append(Setup setup, RawXrq xrq, RawMemory buffer, int bytes) {
    RawQp commands = xrq.commands();
    commands.post(RawXrq.append(1, 5, -1).data(buffer, 0, bytes));
    setup.rig.settle();
    RawTagCqe.pollOne(xrq.completions());
  }

  @Test
  void theMatchOfALongMessageMeansThatEarlierWritesAreVisible() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (Setup setup = new Setup(seed)) {
        RawXrq xrq = new RawXrq(setup.rig, setup.rig.cq(5), 3);
        RawPair pair = matching(setup, xrq, false);
        append(setup, xrq, setup.relaxed, LONG);
        setup.local.put(0, Tagged.header(TagMatchingHeader.EAGER, 1, 5));
        setup.loseLastPieces();
        pair.left().post(Wqe.write(setup.relaxed, 7000).data(setup.local, 7000, 64));
        pair.left().post(Wqe.send().data(setup.local, 0, LONG));
        setup.rig.settle();
        RawTagCqe.pollOne(xrq.completions())
            .require(CqeOpcode.NO_PACKET, TagMatchingCqe.CONSUMED, 0);
        assertThat(setup.relaxed.bytes(7000, 64)).isEqualTo(setup.local.bytes(7000, 64));
        setup.fabric.carryAllRequests();
        setup.rig.pass(100_000 * MICROSECOND);
        RawTagCqe.pollOne(xrq.completions())
            .require(CqeOpcode.RESP_SEND, TagMatchingCqe.EXPECTED, 0);
        assertThat(setup.relaxed.bytes(0, LONG - 16)).isEqualTo(setup.local.bytes(16, LONG - 16));
      }
    }
  }

  @Test
  void rendezvousDataIsVisibleWhenItCompletes() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (Setup setup = new Setup(seed)) {
        RawXrq xrq = new RawXrq(setup.rig, setup.rig.cq(5), 3);
        RawPair pair = matching(setup, xrq, true);
        pair.left().receive(setup.strict.address(0), 64, setup.strict.key());
        append(setup, xrq, setup.relaxed, 3000);
        RawMemory offered = setup.rig.memory(BYTES).fill(9);
        setup.local.put(0, Tagged.header(TagMatchingHeader.RNDV, 1, 5));
        setup.local.put(16, offer(offered, 3000));
        pair.left().post(Wqe.send().data(setup.local, 0, 32));
        setup.await(xrq.completions(), 2);
        RawTagCqe told = RawTagCqe.poll(xrq.completions()).getLast();
        told.require(CqeOpcode.RESP_SEND, TagMatchingCqe.EXPECTED, 0);
        assertThat(setup.relaxed.bytes(0, 3000)).isEqualTo(offered.bytes(0, 3000));
      }
    }
  }

  private static byte[] offer(RawMemory memory, int bytes) {
    return ByteBuffer.allocate(RendezvousHeader.BYTES)
        .putLong(memory.address(0))
        .putInt(memory.key())
        .putInt(bytes)
        .array();
  }

  // ---- copies

  private static RawQp copying(Setup setup) {
    RawQp qp = setup.rig.qp(setup.rig.cq(4));
    qp.connect(qp.number(), new Settings().ordering(1, true), true);
    return qp;
  }

  private static Wqe copy(RawMemory opaque) {
    return new Wqe(WqeOpcode.MMO).opmod(WqeForm.MMO_DMA).words(opaque.key(), opaque.address(0));
  }

  @Test
  void aCopyReadsWritesThatAreNotVisibleYetAndIsVisibleWhenItCompletes() {
    try (Setup setup = new Setup(1)) {
      RawPair pair = setup.rig.pair();
      RawQp copier = copying(setup);
      RawMemory opaque = setup.rig.memory(64);
      pair.left().post(Wqe.write(setup.relaxed, 0).data(setup.local, 0, 64));
      setup.rig.settle();
      assertThat(setup.relaxed.bytes(0, 64)).containsOnly(0);
      copier.post(copy(opaque).data(setup.relaxed, 0, 64).data(setup.relaxed, 512, 64));
      setup.rig.settle();
      copier.sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(setup.relaxed.bytes(512, 64)).isEqualTo(setup.local.bytes(0, 64));
    }
  }

  @Test
  void aCopyOverBytesThatWereWrittenBeforeIsNotUndone() {
    try (Setup setup = new Setup(1)) {
      RawPair pair = setup.rig.pair();
      RawQp copier = copying(setup);
      RawMemory opaque = setup.rig.memory(64);
      pair.left().post(Wqe.write(setup.relaxed, 0).data(setup.local, 0, 64));
      setup.rig.settle();
      copier.post(copy(opaque).data(setup.local, 64, 64).data(setup.relaxed, 0, 64));
      setup.rig.settle();
      copier.sends().pollOne().require(CqeOpcode.REQ, 0);
      setup.rig.pass(LONGEST);
      assertThat(setup.relaxed.bytes(0, 64)).isEqualTo(setup.local.bytes(64, 64));
    }
  }

  // ---- extended reliable connections

  private static RawPair extended(Setup setup, RawXrcSrq[] srq, Settings settings) {
    var xrcd = RawXrcSrq.domain(setup.rig);
    srq[0] = new RawXrcSrq(setup.rig, xrcd);
    return RawPair.connect(
        RawXrcSrq.initiator(setup.rig), RawXrcSrq.target(setup.rig, xrcd), settings);
  }

  private static int pollsExtended(Setup setup, Settings settings, RawMemory memory) {
    RawXrcSrq[] srq = new RawXrcSrq[1];
    RawPair pair = extended(setup, srq, settings);
    int srqn = srq[0].number();
    pair.left().post(Wqe.write(memory, 0).xrc(srqn).data(setup.local, 0, 8));
    pair.left().post(Wqe.write(memory, 1024).xrc(srqn).data(setup.local, 8, 8));
    return findsFlagFirst(setup, memory);
  }

  @Test
  void writesOfAnExtendedConnectionByRelaxedKeysBecomeVisibleInAnyOrder() {
    assertThat(seen(setup -> pollsExtended(setup, new Settings(), setup.relaxed)))
        .isBetween(1, SEEDS - 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anExtendedConnectionMayPlaceWritesOutOfOrder(int semantics) {
    Settings settings = new Settings().ordering(semantics, true);
    assertThat(seen(setup -> pollsExtended(setup, settings, setup.strict))).isBetween(1, SEEDS - 1);
  }

  @Test
  void aMessageInAnXrcQueueCompletesWhenItAndEarlierWritesAreVisible() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (Setup setup = new Setup(seed)) {
        RawXrcSrq[] srq = new RawXrcSrq[1];
        RawPair pair = extended(setup, srq, new Settings().mtu(1).ordering(2, true));
        int srqn = srq[0].number();
        srq[0].receive(setup.strict.address(0), 2048, setup.strict.key());
        pair.left().post(Wqe.write(setup.strict, 3000).xrc(srqn).data(setup.local, 3000, 64));
        pair.left().post(Wqe.send().xrc(srqn).data(setup.local, 0, 2000));
        setup.rig.settle();
        srq[0].cq().pollOne().require(CqeOpcode.RESP_SEND, 0);
        assertThat(setup.strict.bytes(0, 2000)).isEqualTo(setup.local.bytes(0, 2000));
        assertThat(setup.strict.bytes(3000, 64)).isEqualTo(setup.local.bytes(3000, 64));
      }
    }
  }

  // ---- dynamic connections

  private static RawQp initiator(Setup setup, Settings settings) {
    RawQp qp = setup.rig.qp(new RawQpPlan(setup.rig.cq(6)).initiator().sizes(6, 0, 4));
    qp.connect(0, settings);
    return qp;
  }

  private static RawDct target(Setup setup, RawCq cq, RawPool pool, int semantics) {
    return new RawDct(
        setup.rig,
        cq,
        pool,
        dctc ->
            dctc.set(Dctc.DP_ORDERING_0, semantics & 1)
                .set(Dctc.DP_ORDERING_1, semantics >> 1)
                .set(Dctc.DP_ORDERING_FORCE, semantics > 0));
  }

  private static int pollsDynamic(Setup setup, int semantics, RawMemory memory) {
    RawDct target = target(setup, setup.rig.cq(4), setup.pool(setup.strict), semantics);
    RawQp initiator = initiator(setup, new Settings().mtu(3));
    for (int i = 0; i < 2; i++) {
      initiator.post(
          Wqe.dynamic(WqeOpcode.RDMA_WRITE, target)
              .remote(memory.address(1024L * i), memory.key())
              .data(setup.local, 8L * i, 8));
    }
    return findsFlagFirst(setup, memory);
  }

  @Test
  void writesToATargetByRelaxedKeysBecomeVisibleInAnyOrder() {
    assertThat(seen(setup -> pollsDynamic(setup, 0, setup.relaxed))).isBetween(1, SEEDS - 1);
    assertThat(seen(setup -> pollsDynamic(setup, 0, setup.strict))).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aTargetMayPlaceWritesOutOfOrder(int semantics) {
    assertThat(seen(setup -> pollsDynamic(setup, semantics, setup.strict))).isBetween(1, SEEDS - 1);
  }

  @Test
  void bothBitsOfTheOrderOfATargetAreRefused() {
    try (Setup setup = new Setup(1)) {
      assertThat(Rig.refused(() -> target(setup, setup.rig.cq(4), setup.pool(setup.strict), 3)))
          .hasMessageContaining("dp_ordering_0 and dp_ordering_1 are both 1");
    }
  }

  @Test
  void aMessageOfATargetCompletesWhenItAndEarlierWritesAreVisible() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (Setup setup = new Setup(seed)) {
        RawCq cq = setup.rig.cq(4);
        RawDct target = target(setup, cq, setup.pool(setup.relaxed), 2);
        RawQp initiator = initiator(setup, new Settings().mtu(3));
        initiator.post(
            Wqe.dynamic(WqeOpcode.RDMA_WRITE, target)
                .remote(setup.strict.address(0), setup.strict.key())
                .data(setup.local, 0, 2000));
        initiator.post(Wqe.dynamic(WqeOpcode.SEND, target).data(setup.local, 0, 512));
        setup.rig.settle();
        cq.pollOne().require(CqeOpcode.RESP_SEND, 0);
        assertThat(setup.strict.bytes(0, 2000)).isEqualTo(setup.local.bytes(0, 2000));
        assertThat(setup.relaxed.bytes(0, 512)).isEqualTo(setup.local.bytes(0, 512));
        setup.await(initiator.sends(), 2);
      }
    }
  }

  @Test
  void aReadOfAnInitiatorIsVisibleWhenItCompletes() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (Setup setup = new Setup(seed)) {
        RawDct target = target(setup, setup.rig.cq(4), setup.pool(setup.strict), 0);
        RawQp initiator = initiator(setup, new Settings().mtu(3).ordering(1, true));
        initiator.post(
            Wqe.dynamic(WqeOpcode.RDMA_READ, target)
                .remote(setup.local.address(0), setup.local.key())
                .data(setup.strict, 0, BYTES));
        setup.await(initiator.sends(), 1);
        assertThat(setup.strict.bytes()).isEqualTo(setup.local.bytes());
      }
    }
  }

  @Test
  void aMaskedAtomicIsExecutedWhenEarlierWritesAreVisible() {
    for (int bytes : new int[] {4, 8, 16}) {
      try (Setup setup = new Setup(bytes)) {
        RawDct target =
            new RawDct(
                setup.rig,
                setup.rig.cq(4),
                setup.pool(setup.strict),
                dctc -> dctc.set(Dctc.ATOMIC_MODE, 4).set(Dctc.DP_ORDERING_FORCE, true));
        RawQp initiator = initiator(setup, new Settings().mtu(3));
        initiator.post(
            Wqe.dynamic(WqeOpcode.RDMA_WRITE, target)
                .remote(setup.relaxed.address(0), setup.relaxed.key())
                .data(setup.local, 0, 64));
        initiator.post(
            MaskedAdd.of(
                    Wqe.dynamic(WqeOpcode.ATOMIC_MASKED_FA, target),
                    bytes,
                    setup.relaxed.address(0),
                    setup.relaxed.key())
                .data(setup.strict, 0, bytes));
        setup.rig.settle();
        initiator.sends().poll(2);
        byte[] sum = setup.local.bytes(0, 64);
        sum[MaskedAdd.low(bytes)]++;
        assertThat(setup.relaxed.bytes(0, 64)).isEqualTo(sum);
      }
    }
  }

  // ---- messages of connections that place READs and WRITEs alone out of order

  @Test
  void onlyAQueuePairThatPlacesEverythingOutOfOrderReordersMessages() {
    for (int semantics = 1; semantics <= 2; semantics++) {
      Settings settings = new Settings().mtu(1).ordering(semantics, true);
      assertThat(seen(setup -> pollsMessage(setup, settings)) > 0).isEqualTo(semantics == 2);
    }
  }

  /** 1 when a part of an arriving message was delivered and is not visible. */
  private static int pollsMessage(Setup setup, Settings settings) {
    RawPair pair =
        RawPair.connect(setup.rig.qp(setup.rig.cq(4)), setup.rig.qp(setup.rig.cq(4)), settings);
    setup.loseLastPieces();
    pair.right().receive(setup.strict.address(0), BYTES, setup.strict.key());
    pair.left().post(Wqe.send().data(setup.local, 0, LONG));
    setup.rig.settle();
    assertThat(pair.right().receives().peek()).isEmpty();
    byte[] first = setup.local.bytes(0, 256);
    return Arrays.equals(setup.strict.bytes(0, 256), first) ? 0 : 1;
  }

  // ---- ends

  @Test
  void deliveredWritesAreVisibleWhenAQueuePairIsReset() {
    try (Setup setup = new Setup(1)) {
      RawPair pair = setup.rig.pair();
      pair.left().post(Wqe.write(setup.relaxed, 0).data(setup.local, 0, 64));
      setup.rig.settle();
      assertThat(setup.relaxed.bytes(0, 64)).containsOnly(0);
      pair.right().reset();
      assertThat(setup.relaxed.bytes(0, 64)).isEqualTo(setup.local.bytes(0, 64));
    }
  }

  @Test
  void deliveredWritesAreVisibleWhenAQueuePairIsDestroyed() {
    try (Setup setup = new Setup(1)) {
      RawPair pair = setup.rig.pair();
      pair.left().post(Wqe.write(setup.relaxed, 0).data(setup.local, 0, 64));
      setup.rig.settle();
      pair.right().object().close();
      assertThat(setup.relaxed.bytes(0, 64)).isEqualTo(setup.local.bytes(0, 64));
    }
  }

  @Test
  void aFlushedCompletionMeansThatDeliveredWritesAreVisible() {
    try (Setup setup = new Setup(1)) {
      RawPair pair = setup.rig.pair();
      pair.right().receive(setup.strict.address(0), 64, setup.strict.key());
      pair.left().post(Wqe.write(setup.relaxed, 0).data(setup.local, 0, 64));
      setup.rig.settle();
      pair.right().toError();
      setup.rig.settle();
      assertThat(pair.right().receives().pollOne().isError()).isTrue();
      assertThat(setup.relaxed.bytes(0, 64)).isEqualTo(setup.local.bytes(0, 64));
    }
  }

  @Test
  void deliveredWritesAreVisibleWhenATargetIsDrained() {
    try (Setup setup = new Setup(1)) {
      RawDct target = target(setup, setup.rig.cq(4), setup.pool(setup.strict), 0);
      RawQp initiator = initiator(setup, new Settings().mtu(3));
      initiator.post(
          Wqe.dynamic(WqeOpcode.RDMA_WRITE, target)
              .remote(setup.relaxed.address(0), setup.relaxed.key())
              .data(setup.local, 0, 64));
      setup.rig.settle();
      assertThat(setup.relaxed.bytes(0, 64)).containsOnly(0);
      target.drain();
      assertThat(setup.relaxed.bytes(0, 64)).isEqualTo(setup.local.bytes(0, 64));
    }
  }
}
