package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.command.Capabilities.CmdHcaCap2;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.MkeyCommands.QueryMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.QueryMkeyOut;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.MkeyMask;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.option.ReorderOptions;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawKey;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Umr;
import dev.bluebell.softnic.rig.Wqe;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A device whose memory makes payload visible out of order, where that is allowed. */
class MemoryOrderTest {
  private static final int RELAXED = HcaAccess.ALL | HcaAccess.RELAXED_ORDERING;
  private static final int SEEDS = 24;
  private static final int DATA = 0;
  private static final int FLAG = 1024;
  private static final long MICROSECOND = TimeUnit.MICROSECONDS.toNanos(1);
  private static final long LONGEST = 20 * MICROSECOND;

  /** The data that a client finds when it polls the flag and finds it set. */
  private enum Found {
    DATA,
    NO_DATA
  }

  /** A device with two queue pairs, memory that relaxes order and memory that keeps it. */
  private static final class Setup implements AutoCloseable {
    final Rig rig;
    final RawPair pair;
    final RawMemory local;
    final RawMemory relaxed;
    final RawMemory strict;

    Setup(long seed) {
      this(seed, new Settings());
    }

    Setup(long seed, Settings settings) {
      this(Rigs.open(new ReorderOptions(LONGEST, seed)), settings, 0);
    }

    Setup(Rig rig, Settings settings, int service) {
      this.rig = rig;
      RawCq left = rig.cq(6);
      RawCq right = rig.cq(6);
      pair =
          RawPair.connect(
              rig.qp(new RawQpPlan(left).service(service)),
              rig.qp(new RawQpPlan(right).service(service)),
              settings);
      local = rig.memory(4096).fill(7);
      relaxed = rig.memory(4096, RELAXED);
      strict = rig.memory(4096);
    }

    Wqe data(RawMemory to) {
      return Wqe.write(to, DATA).data(local, 0, 8).unsignalled();
    }

    Wqe flag(RawMemory to) {
      return Wqe.write(to, FLAG).data(local, 8, 8).unsignalled();
    }

    /** Polls memory for the flag, like a client. */
    Found found(RawMemory data, RawMemory flag) {
      for (int i = 0; i < 100; i++) {
        rig.settle();
        if (flag.getLong(FLAG) != 0) {
          return data.getLong(DATA) == 0 ? Found.NO_DATA : Found.DATA;
        }
        rig.clock().advance(MICROSECOND);
      }
      throw new AssertionError("the flag was never seen");
    }

    @Override
    public void close() {
      rig.close();
    }
  }

  /** How many of the seeds show the flag without the data. */
  private interface Client {
    Found run(Setup setup);
  }

  private static int failures(Settings settings, Client client) {
    int failures = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (Setup setup = new Setup(seed, settings)) {
        failures += client.run(setup) == Found.NO_DATA ? 1 : 0;
      }
    }
    return failures;
  }

  private static int failures(Client client) {
    return failures(new Settings(), client);
  }

  // ---- clients that poll memory, and what makes them correct

  @Test
  void writesByRelaxedKeysBecomeVisibleInAnyOrder() {
    assertThat(
            failures(
                setup -> {
                  setup.pair.left().post(setup.data(setup.relaxed));
                  setup.pair.left().post(setup.flag(setup.relaxed));
                  return setup.found(setup.relaxed, setup.relaxed);
                }))
        .isBetween(1, SEEDS - 1);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        ControlSegment.FENCE,
        ControlSegment.FENCE_STRONG,
        ControlSegment.FENCE_SMALL_AND_FENCE
      })
  void aFenceMakesTheDataVisibleBeforeTheFlag(int fence) {
    assertThat(
            failures(
                setup -> {
                  setup.pair.left().post(setup.data(setup.relaxed));
                  setup.pair.left().post(setup.flag(setup.relaxed).control(fence));
                  return setup.found(setup.relaxed, setup.relaxed);
                }))
        .isZero();
  }

  /** How many of a hundred WRITEs carry other data than the READ before them fetched. */
  private static int writesOfOldData(int fence) {
    int bytes = 2048;
    int old = 0;
    try (Setup setup = new Setup(1, new Settings().mtu(1))) {
      RawMemory from = setup.rig.memory(bytes);
      RawMemory landing = setup.rig.memory(bytes, RELAXED);
      RawMemory to = setup.rig.memory(bytes, RELAXED);
      for (int i = 1; i <= 100; i++) {
        from.fill(i);
        setup.pair.left().post(Wqe.read(from, 0).data(landing, 0, bytes).unsignalled());
        setup
            .pair
            .left()
            .post(
                Wqe.write(to, 0).data(landing, 0, bytes).control(ControlSegment.CE_ALWAYS | fence));
        while (setup.pair.left().sends().poll().isEmpty()) {
          setup.rig.pass(MICROSECOND);
        }
        old += Arrays.equals(to.bytes(), from.bytes()) ? 0 : 1;
      }
    }
    return old;
  }

  @Test
  void aWriteOfReadDataNeedsAFence() {
    assertThat(writesOfOldData(ControlSegment.FENCE)).isZero();
    assertThat(writesOfOldData(0)).isPositive();
  }

  @Test
  void aWriteThatIsPostedAfterTheCompletionOfTheDataIsVisibleAfterIt() {
    assertThat(
            failures(
                setup -> {
                  setup.pair.left().post(setup.data(setup.relaxed).control(8));
                  while (setup.pair.left().sends().poll().isEmpty()) {
                    setup.rig.pass(MICROSECOND);
                  }
                  assertThat(setup.relaxed.bytes(DATA, 8)).isEqualTo(setup.local.bytes(0, 8));
                  setup.pair.left().post(setup.flag(setup.relaxed));
                  return setup.found(setup.relaxed, setup.relaxed);
                }))
        .isZero();
  }

  @Test
  void anAtomicIsExecutedWhenTheDataIsVisible() {
    assertThat(
            failures(
                setup -> {
                  setup.pair.left().post(setup.data(setup.relaxed));
                  setup
                      .pair
                      .left()
                      .post(Wqe.fetchAndAdd(setup.strict, FLAG, 1).data(setup.local, 16, 8));
                  return setup.found(setup.relaxed, setup.strict);
                }))
        .isZero();
  }

  @Test
  void aWriteByAStrictKeyOvertakesWritesByRelaxedKeys() {
    assertThat(
            failures(
                setup -> {
                  setup.pair.left().post(setup.data(setup.relaxed));
                  setup.pair.left().post(setup.flag(setup.strict));
                  return setup.found(setup.relaxed, setup.strict);
                }))
        .isEqualTo(SEEDS);
  }

  @Test
  void writesByStrictKeysKeepTheirOrder() {
    assertThat(
            failures(
                setup -> {
                  setup.pair.left().post(setup.data(setup.strict));
                  setup.pair.left().post(setup.flag(setup.strict));
                  return setup.found(setup.strict, setup.strict);
                }))
        .isZero();
  }

  @Test
  void theLastByteOfAMessageMayBeVisibleBeforeTheFirst() {
    int failures = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (Setup setup = new Setup(seed)) {
        setup.pair.left().post(Wqe.write(setup.relaxed, 0).data(setup.local, 0, 2048));
        byte last = setup.local.bytes(2047, 1)[0];
        while (setup.relaxed.bytes(2047, 1)[0] != last) {
          setup.rig.pass(MICROSECOND);
        }
        failures += setup.relaxed.getLong(0) == 0 ? 1 : 0;
      }
    }
    assertThat(failures).isPositive();
  }

  // ---- completions

  @Test
  void aCompletionComesWhenItsOwnAndEarlierDataIsVisible() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (Setup setup = new Setup(seed)) {
        setup.pair.left().post(setup.data(setup.relaxed));
        setup.pair.left().post(setup.flag(setup.relaxed).control(ControlSegment.CE_ALWAYS));
        while (setup.pair.left().sends().peek().isEmpty()) {
          setup.rig.pass(MICROSECOND);
        }
        setup.pair.left().sends().pollOne().require(CqeOpcode.REQ, 1);
        assertThat(setup.relaxed.bytes(DATA, 8)).isEqualTo(setup.local.bytes(0, 8));
        assertThat(setup.relaxed.bytes(FLAG, 8)).isEqualTo(setup.local.bytes(8, 8));
      }
    }
  }

  @Test
  void aReceiveCompletesWhenItsOwnAndEarlierDataIsVisible() {
    for (int service = 0; service <= 1; service++) {
      try (Setup setup =
          new Setup(Rigs.open(new ReorderOptions(LONGEST, 1)), new Settings(), service)) {
        setup.pair.right().receive(setup.relaxed.address(2048), 64, setup.relaxed.key());
        setup.pair.left().post(setup.data(setup.relaxed));
        setup.pair.left().post(Wqe.send().data(setup.local, 0, 64).unsignalled());
        setup.rig.settle();
        setup.pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
        assertThat(setup.relaxed.bytes(DATA, 8)).isEqualTo(setup.local.bytes(0, 8));
        assertThat(setup.relaxed.bytes(2048, 64)).isEqualTo(setup.local.bytes(0, 64));
      }
    }
  }

  @Test
  void aReadFetchesEarlierWrites() {
    try (Setup setup = new Setup(1)) {
      setup.pair.left().post(setup.data(setup.relaxed));
      setup.pair.left().post(Wqe.read(setup.relaxed, DATA).data(setup.local, 64, 8));
      setup.rig.settle();
      setup.pair.left().sends().pollOne().require(CqeOpcode.REQ, 1);
      assertThat(setup.local.bytes(64, 8)).isEqualTo(setup.local.bytes(0, 8));
    }
  }

  @Test
  void theDeviceReadsWritesThatAreNotVisibleYet() {
    try (Setup setup = new Setup(1)) {
      RawPair other = setup.rig.pair();
      setup.pair.left().post(setup.data(setup.relaxed));
      setup.rig.settle();
      assertThat(setup.relaxed.getLong(DATA)).isZero();
      other.left().post(Wqe.write(setup.strict, 0).data(setup.relaxed, DATA, 8));
      setup.rig.settle();
      assertThat(setup.strict.bytes(0, 8)).isEqualTo(setup.local.bytes(0, 8));
    }
  }

  @Test
  void aReadThatLandsInRelaxedMemoryIsVisibleWhenItCompletes() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (Setup setup = new Setup(seed, new Settings().mtu(1))) {
        RawMemory from = setup.rig.memory(64 << 10).fill(seed);
        RawMemory to = setup.rig.memory(64 << 10, RELAXED);
        setup.pair.left().post(Wqe.read(from, 0).data(to, 0, 64 << 10));
        while (setup.pair.left().sends().poll().isEmpty()) {
          setup.rig.pass(MICROSECOND);
        }
        assertThat(to.bytes()).isEqualTo(from.bytes());
      }
    }
  }

  @Test
  void aWriteByAStrictKeyToTheSameBytesComesAfterRelaxedWrites() {
    try (Setup setup = new Setup(1)) {
      RawKey alias = new RawKey(setup.rig, setup.relaxed);
      setup.pair.left().post(setup.data(setup.relaxed));
      setup
          .pair
          .left()
          .post(
              new Wqe(WqeOpcode.RDMA_WRITE)
                  .remote(setup.relaxed.address(DATA), alias.key())
                  .data(setup.local, 8, 8));
      setup.rig.pass(LONGEST);
      assertThat(setup.relaxed.bytes(DATA, 8)).isEqualTo(setup.local.bytes(8, 8));
    }
  }

  // ---- queue pairs

  private static Client writesInOrder() {
    return setup -> {
      setup.pair.left().post(setup.data(setup.strict));
      setup.pair.left().post(setup.flag(setup.strict));
      return setup.found(setup.strict, setup.strict);
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aQueuePairMayPlaceWritesOutOfOrderWhateverTheirKeys(int semantics) {
    assertThat(failures(new Settings().ordering(semantics, true), writesInOrder()))
        .isBetween(1, SEEDS - 1);
  }

  @Test
  void aQueuePairWithoutForcedOrderingPlacesWritesInOrder() {
    assertThat(failures(new Settings().ordering(2, false), writesInOrder())).isZero();
    assertThat(failures(new Settings().ordering(0, true), writesInOrder())).isZero();
  }

  @Test
  void theContextReportsHowPayloadIsPlaced() {
    try (Setup setup = new Setup(1, new Settings().ordering(2, true))) {
      assertThat(setup.pair.left().query().getInt(Qpc.DP_ORDERING_0)).isZero();
      assertThat(setup.pair.left().query().getInt(Qpc.DP_ORDERING_1)).isEqualTo(1);
      assertThat(setup.pair.left().query().getInt(Qpc.DP_ORDERING_FORCE)).isEqualTo(1);
    }
  }

  @Test
  void bothBitsOfTheOrderAreRefused() {
    try (Rig rig = Rigs.open()) {
      RawQp qp = rig.qp(rig.cq(4));
      HcaException refusal =
          Rig.refused(() -> qp.connect(qp.number(), new Settings().ordering(3, true)));
      assertThat(refusal.status()).isEqualTo(CommandStatus.BAD_PARAM);
      assertThat(refusal).hasMessageContaining("dp_ordering_0 and dp_ordering_1 are both 1");
    }
  }

  // ---- UMRs

  /** A UMR that sets both bits of relaxed order of a key, or clears them. */
  private static void relax(Setup setup, RawKey key, boolean relaxed) {
    setup
        .pair
        .left()
        .post(
            new Umr(key.key())
                .mask(MkeyMask.RELAXED_ORDERING_WRITE | MkeyMask.RELAXED_ORDERING_READ)
                .context(
                    mkc ->
                        mkc.set(Mkc.RELAXED_ORDERING_WRITE, relaxed)
                            .set(Mkc.RELAXED_ORDERING_READ, relaxed))
                .octowords(0)
                .wqe());
    setup.rig.settle();
    assertThat(setup.pair.left().sends().pollOne().isError()).isFalse();
    assertThat(key.query().isSet(Mkc.RELAXED_ORDERING_WRITE)).isEqualTo(relaxed);
    assertThat(key.query().isSet(Mkc.RELAXED_ORDERING_READ)).isEqualTo(relaxed);
  }

  private static Found writeBoth(Setup setup, RawKey key) {
    RawMemory to = setup.strict;
    setup
        .pair
        .left()
        .post(
            new Wqe(WqeOpcode.RDMA_WRITE)
                .remote(to.address(DATA), key.key())
                .data(setup.local, 0, 8)
                .unsignalled());
    setup
        .pair
        .left()
        .post(
            new Wqe(WqeOpcode.RDMA_WRITE)
                .remote(to.address(FLAG), key.key())
                .data(setup.local, 8, 8)
                .unsignalled());
    return setup.found(to, to);
  }

  @Test
  void aUmrRelaxesTheOrderOfAKeyAndTakesThatBack() {
    assertThat(
            failures(
                setup -> {
                  RawKey key =
                      new RawKey(setup.rig, setup.strict, mkc -> mkc.set(Mkc.UMR_EN, true));
                  relax(setup, key, true);
                  return writeBoth(setup, key);
                }))
        .isPositive();
    assertThat(
            failures(
                setup -> {
                  RawKey key =
                      new RawKey(setup.rig, setup.strict, mkc -> mkc.set(Mkc.UMR_EN, true));
                  relax(setup, key, true);
                  relax(setup, key, false);
                  return writeBoth(setup, key);
                }))
        .isZero();
  }

  // ---- capabilities and reports

  private static View capability(Rig rig, int type) {
    byte[] output =
        rig.nic()
            .execute(
                View.command(QueryHcaCapIn.STRUCTURE, CommandOpcode.QUERY_HCA_CAP)
                    .set(CmdIn.OP_MOD, CapabilityType.current(type))
                    .bytes());
    return View.over(View.over(output).getBytes(QueryHcaCapOut.CAPABILITY));
  }

  @Test
  void theCapabilitiesSayWhatMayBeRelaxed() {
    try (Rig rig = Rigs.open()) {
      View general = capability(rig, CapabilityType.GENERAL);
      assertThat(general.isSet(CmdHcaCap.RELAXED_ORDERING_WRITE)).isTrue();
      assertThat(general.isSet(CmdHcaCap.DP_ORDERING_OOO_ALL_RC)).isTrue();
      assertThat(general.isSet(CmdHcaCap.HCA_CAP_2)).isTrue();
      assertThat(capability(rig, CapabilityType.GENERAL_2).isSet(CmdHcaCap2.DP_ORDERING_FORCE))
          .isTrue();
    }
  }

  @Test
  void theContextOfAKeySaysThatItsOrderIsRelaxed() {
    try (Rig rig = Rigs.open()) {
      for (int relaxed = 0; relaxed <= 1; relaxed++) {
        RawMemory memory = rig.memory(64, relaxed == 1 ? RELAXED : HcaAccess.ALL);
        byte[] output =
            Rigs.command(
                rig.nic(),
                View.command(QueryMkeyIn.STRUCTURE, CommandOpcode.QUERY_MKEY)
                    .set(QueryMkeyIn.MKEY_INDEX, memory.key() >>> 8)
                    .bytes());
        View mkc = View.over(output).at(QueryMkeyOut.MEMORY_KEY_MKEY_ENTRY);
        assertThat(mkc.getInt(Mkc.RELAXED_ORDERING_WRITE)).isEqualTo(relaxed);
        assertThat(mkc.getInt(Mkc.RELAXED_ORDERING_READ)).isEqualTo(relaxed);
      }
    }
  }

  // ---- the ends of keys and memory

  @Test
  void earlierWritesAreVisibleWhenTheKeyIsDestroyed() {
    try (Setup setup = new Setup(1)) {
      setup.pair.left().post(setup.data(setup.relaxed));
      setup.rig.settle();
      assertThat(setup.relaxed.getLong(DATA)).isZero();
      setup.relaxed.registration().close();
      assertThat(setup.relaxed.bytes(DATA, 8)).isEqualTo(setup.local.bytes(0, 8));
    }
  }

  @Test
  void earlierWritesAreVisibleWhenAPeerInvalidatesTheKey() {
    try (Setup setup = new Setup(1)) {
      RawPair other = setup.rig.pair();
      other.right().receive(setup.strict.address(0), 8, setup.strict.key());
      setup.pair.left().post(setup.data(setup.relaxed));
      setup.rig.settle();
      assertThat(setup.relaxed.getLong(DATA)).isZero();
      other
          .left()
          .post(
              new Wqe(WqeOpcode.SEND_INVAL).data(setup.local, 0, 8).immediate(setup.relaxed.key()));
      setup.rig.settle();
      assertThat(setup.relaxed.bytes(DATA, 8)).isEqualTo(setup.local.bytes(0, 8));
    }
  }

  @Test
  void payloadWhoseMemoryIsGoneMeanwhileIsCounted() {
    try (Setup setup = new Setup(1)) {
      HcaForeignMemory gone =
          new HcaForeignMemory() {
            @Override
            public boolean read(long address, long to, int bytes) {
              return true;
            }

            @Override
            public boolean write(long address, long from, int bytes) {
              if (address == FLAG) {
                throw new InternalError("a page is gone");
              }
              return false;
            }
          };
      HcaMemory memory =
          setup
              .rig
              .nic()
              .hosting()
              .orElseThrow()
              .registerMemory(setup.rig.domain(), gone, 0, 4096, 0, RELAXED);
      for (long at : new long[] {DATA, FLAG}) {
        setup
            .pair
            .left()
            .post(new Wqe(WqeOpcode.RDMA_WRITE).remote(at, memory.rkey()).data(setup.local, 0, 8));
      }
      setup.rig.settle();
      setup.rig.pass(LONGEST);
      setup.pair.left().sends().poll(2);
      assertThat(setup.rig.nic().diagnosis().orElseThrow().objects())
          .last()
          .asString()
          .isEqualTo(
              "memory reorder-memory=20,seed=1: 2 pieces of payload held back, 0 of them now, 2"
                  + " lost because their memory was gone");
    }
  }

  // ---- much of it

  @Test
  void aLongWriteArrivesWhole() {
    try (Setup setup = new Setup(1)) {
      int bytes = 3 << 20;
      RawMemory from = setup.rig.memory(bytes).fill(3);
      RawMemory to = setup.rig.memory(bytes, RELAXED);
      setup.pair.left().post(Wqe.write(to, 0).data(from, 0, bytes));
      while (setup.pair.left().sends().poll().isEmpty()) {
        setup.rig.pass(MICROSECOND);
      }
      assertThat(to.bytes()).isEqualTo(from.bytes());
      to.expectCanaries();
    }
  }

  @Test
  void clientsThatWaitForCompletionsSeeNoDifference() {
    for (long seed = 1; seed <= 8; seed++) {
      ReorderOptions reorder = new ReorderOptions(LONGEST, seed);
      try (Setup setup = new Setup(Rigs.open(reorder), new Settings().mtu(1), 0)) {
        exchange(setup, seed);
      }
      LossOptions loss = LossOptions.none(seed).withLoss(0.02).withReorder(0.02);
      try (Setup setup = new Setup(Rigs.open(reorder, loss), new Settings().mtu(1), 0)) {
        exchange(setup, seed);
      }
    }
  }

  private static void exchange(Setup setup, long seed) {
    Random random = new Random(seed);
    byte[] expected = new byte[4096];
    for (int i = 0; i < 100; i++) {
      int at = random.nextInt(2048);
      int from = random.nextInt(2048);
      int bytes = 1 + random.nextInt(2048);
      setup.pair.left().post(Wqe.write(setup.relaxed, at).data(setup.local, from, bytes));
      for (int waits = 0; setup.pair.left().sends().peek().isEmpty(); waits++) {
        assertThat(waits).as("seed %d, request %d", seed, i).isLessThan(10_000);
        setup.rig.pass(1000 * MICROSECOND);
      }
      setup.pair.left().sends().pollOne();
      System.arraycopy(setup.local.bytes(from, bytes), 0, expected, at, bytes);
      assertThat(setup.relaxed.bytes()).as("seed %d, request %d", seed, i).isEqualTo(expected);
    }
  }
}
