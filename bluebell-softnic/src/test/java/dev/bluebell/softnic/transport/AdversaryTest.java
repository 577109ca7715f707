package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Clients that write their own WQEs, with correct ordering and with one ordering missing: the
 * correct ones work under every seed, the others fail under some.
 */
class AdversaryTest {
  private static final int SEEDS = 120;
  private static final long VALUE = 0x0102_0304_0506_0708L;
  private static final int UNSIGNALED = ControlSegment.CE_ON_ERROR;

  /** A device, a managed queue and its master, each its own peer, and what they write. */
  private record Stage(Rig rig, RawMemory memory, RawQp master, RawQp worker, int ring)
      implements AutoCloseable {

    static Stage open(long seed) {
      Rig rig = Rigs.open(options -> options.withAdversary(seed));
      RawQp worker = loop(rig, new RawQpPlan(rig.cq(6)).managedSends());
      return new Stage(
          rig,
          rig.memory(256),
          loop(rig, new RawQpPlan(rig.cq(6)).master()),
          worker,
          worker.register());
    }

    static RawQp loop(Rig rig, RawQpPlan plan) {
      RawQp qp = rig.qp(plan);
      qp.connect(qp.number(), new Settings());
      return qp;
    }

    /** Writes the value into the inline data of the worker's only WQE. */
    Wqe rewrite() {
      return rewrite(worker, ring, 0);
    }

    Wqe rewrite(RawQp of, int key, int index) {
      return new Wqe(WqeOpcode.RDMA_WRITE).remote(of.wqebb(index) + 36, key).data(memory, 0, 8);
    }

    Wqe answer() {
      return Wqe.write(memory, 64).inline(new byte[8]);
    }

    /** Posts all WQEs with one doorbell. */
    void post(RawQp qp, Wqe... wqes) {
      int last = 0;
      for (Wqe wqe : wqes) {
        last = qp.write(wqe);
      }
      qp.writeRecord();
      qp.ring(last);
      rig.settle();
    }

    @Override
    public void close() {
      rig.close();
    }
  }

  /** The result of a client for each seed. */
  private static List<Long> results(Function<Stage, Long> client) {
    return LongStream.range(0, SEEDS)
        .mapToObj(
            seed -> {
              try (Stage stage = Stage.open(seed)) {
                stage.memory().putLong(0, VALUE);
                return client.apply(stage);
              }
            })
        .toList();
  }

  private static long rewriteAndEnable(Stage stage, boolean awaits) {
    stage.worker().write(stage.answer());
    List<Wqe> wqes = new ArrayList<>(List.of(stage.rewrite()));
    if (awaits) {
      wqes.add(Wqe.await(stage.master().sends(), 0).control(UNSIGNALED));
    }
    wqes.add(Wqe.enableSends(stage.worker(), 1));
    stage.post(stage.master(), wqes.toArray(Wqe[]::new));
    assertThat(stage.worker().sends().poll()).hasSize(1);
    return stage.memory().getLong(64);
  }

  @Test
  void aRequestThatIsEnabledAfterItsRewriteIsExecutedAsRewritten() {
    assertThat(results(stage -> rewriteAndEnable(stage, true))).containsOnly(VALUE);
  }

  @Test
  void withoutTheWaitSomeSeedExecutesTheOldRequest() {
    assertThat(results(stage -> rewriteAndEnable(stage, false))).contains(0L, VALUE);
  }

  private static long rewriteOfUnmanaged(Stage stage) {
    RawQp plain = Stage.loop(stage.rig(), new RawQpPlan(stage.rig().cq(6)).master());
    int key = plain.register();
    stage.post(
        plain,
        stage.rewrite(plain, key, 2),
        Wqe.await(plain.sends(), 0).control(UNSIGNALED),
        stage.answer());
    List<String> explained = stage.rig().explanations();
    boolean old = stage.memory().getLong(64) == 0;
    assertThat(
            explained.stream()
                .anyMatch(
                    line ->
                        line.contains(
                            "WQE 2 of queue 0x%x was changed after it was fetched"
                                .formatted(plain.number()))))
        .isEqualTo(old);
    return stage.memory().getLong(64);
  }

  @Test
  void aRewrittenRequestOfAnUnmanagedQueueMayBeFetchedEarlierAndIsReported() {
    assertThat(results(AdversaryTest::rewriteOfUnmanaged)).contains(0L, VALUE);
  }

  private static long readThenWrite(Stage stage, int fence) {
    stage.post(
        stage.master(),
        Wqe.read(stage.memory(), 0).data(stage.memory(), 64, 8),
        Wqe.write(stage.memory(), 0).inline(new byte[8]).control(0x08 | fence));
    return stage.memory().getLong(64);
  }

  @Test
  void aWriteOvertakesAReadUnlessItIsFenced() {
    assertThat(results(stage -> readThenWrite(stage, ControlSegment.FENCE))).containsOnly(VALUE);
    assertThat(results(stage -> readThenWrite(stage, 0))).contains(0L, VALUE);
  }

  private static long addThenWrite(Stage stage, int fence) {
    stage.post(
        stage.master(),
        Wqe.fetchAndAdd(stage.memory(), 0, 1).data(stage.memory(), 64, 8),
        Wqe.write(stage.memory(), 0).inline(new byte[8]).control(0x08 | fence));
    return stage.memory().getLong(64);
  }

  @Test
  void aWriteOvertakesAnAtomicUnlessItIsFenced() {
    assertThat(results(stage -> addThenWrite(stage, ControlSegment.FENCE))).containsOnly(VALUE);
    assertThat(results(stage -> addThenWrite(stage, 0))).contains(0L, VALUE);
  }

  @Test
  void atomicsAndReadsKeepTheirOrderAmongEachOther() {
    assertThat(
            results(
                stage -> {
                  stage.post(
                      stage.master(),
                      Wqe.read(stage.memory(), 0).data(stage.memory(), 64, 8),
                      Wqe.fetchAndAdd(stage.memory(), 0, 1).data(stage.memory(), 72, 8),
                      Wqe.read(stage.memory(), 0).data(stage.memory(), 80, 8),
                      Wqe.maskedAdd(stage.memory(), 0, 1, 0).data(stage.memory(), 88, 8),
                      Wqe.read(stage.memory(), 0).data(stage.memory(), 96, 8));
                  assertThat(stage.memory().getLong(64)).isEqualTo(VALUE);
                  assertThat(stage.memory().getLong(72)).isEqualTo(VALUE);
                  assertThat(stage.memory().getLong(80)).isEqualTo(VALUE + 1);
                  assertThat(stage.memory().getLong(88)).isEqualTo(VALUE + 1);
                  return stage.memory().getLong(96);
                }))
        .containsOnly(VALUE + 2);
  }

  @Test
  void unorderedQueuesCompleteInAnyOrder() {
    Set<List<Integer>> orders = new HashSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Stage stage = Stage.open(seed)) {
        RawCq common = stage.rig().cq(6);
        List<RawQp> queues = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          queues.add(Stage.loop(stage.rig(), new RawQpPlan(common)));
          queues.getLast().write(stage.answer());
          queues.getLast().writeRecord();
        }
        for (RawQp queue : queues) {
          queue.ring(0);
          stage.rig().nic().step();
        }
        stage.rig().settle();
        orders.add(common.poll(3).stream().map(cqe -> cqe.qpn() - queues.get(0).number()).toList());
      }
    }
    assertThat(orders).hasSize(6);
  }

  private static List<String> recorded(long seed) {
    try (Stage stage = Stage.open(seed)) {
      stage.memory().putLong(0, VALUE);
      rewriteAndEnable(stage, false);
      readThenWrite(stage, 0);
      return stage.rig().nic().diagnosis().orElseThrow().flightRecord();
    }
  }

  @Test
  void aSeedDrawsTheSameEachTime() {
    for (long seed = 0; seed < 20; seed++) {
      assertThat(recorded(seed)).isEqualTo(recorded(seed));
    }
    assertThat(recorded(1)).isNotEqualTo(recorded(2));
  }

  @Test
  void theDeviceReportsItsSeed() {
    try (Stage stage = Stage.open(77)) {
      assertThat(stage.rig().explanations())
          .anyMatch(line -> line.contains("to repeat the random choices, open soft:adversary=77"));
    }
  }

  @Test
  void theAdversaryActsOnUnreliableQueuesToo() {
    Set<Long> found = new HashSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Stage stage = Stage.open(seed)) {
        stage.memory().putLong(0, VALUE);
        RawQp plain = Stage.loop(stage.rig(), new RawQpPlan(stage.rig().cq(6)).service(1).master());
        RawQp writer = Stage.loop(stage.rig(), new RawQpPlan(stage.rig().cq(6)));
        int key = plain.register();
        stage.post(plain, Wqe.await(writer.sends(), 0).control(UNSIGNALED), stage.answer());
        stage.post(writer, stage.rewrite(plain, key, 1));
        found.add(stage.memory().getLong(64));
      }
    }
    assertThat(found).containsExactlyInAnyOrder(0L, VALUE);
  }
}
