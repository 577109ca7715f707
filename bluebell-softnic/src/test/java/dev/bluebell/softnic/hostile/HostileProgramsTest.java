package dev.bluebell.softnic.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.wqe.QueueSegment;
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
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random NIC programs of queues that wait for each other, enable each other and write each other's
 * requests, while queues are destroyed and created: some run for ever; the device still serves
 * other clients, and survives.
 */
class HostileProgramsTest {
  private static final int QUEUES = 8;
  private static final int STRIKES = 400;
  private static final int STEPS = 6;
  private static final int PATIENCE = 2_000;

  private final List<RawQp> queues = new ArrayList<>();
  private final List<Integer> rings = new ArrayList<>();
  private final List<RawCq> completions = new ArrayList<>();

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.bluebell.softnic.hostile.Seeds#all")
  @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void theDeviceOutlivesHostileProgramsAndServesOthersMeanwhile(long seed) {
    Random random = new Random(seed);
    try (Rig rig =
        Rigs.open(
            options ->
                (seed % 3 == 0 ? options.withAdversary(seed) : options)
                    .withWqeChecks(seed % 2 == 0)
                    .withFencedEnables(seed % 5 == 0))) {
      RawMemory memory = rig.memory(4096).fill(seed);
      QuietPair quiet = new QuietPair(rig, seed);
      for (int i = 0; i < QUEUES; i++) {
        completions.add(rig.cq(4 + random.nextInt(3)));
        queues.add(queue(rig, random));
        rings.add(queues.get(i).register());
      }
      for (int i = 0; i < STRIKES; i++) {
        strike(rig, memory, random);
        for (int step = random.nextInt(STEPS); step > 0; step--) {
          rig.nic().step();
        }
      }
      quiet.post();
      for (int i = 0; i < PATIENCE; i++) {
        rig.nic().step();
      }
      quiet.expectDone();
      quiet.expectAlive();
      queues.forEach(queue -> queue.object().close());
      rig.settle();
      memory.expectCanaries();
      queues.forEach(RawQp::expectCanaries);
      completions.forEach(RawCq::expectCanaries);
      assertThat(rig.nic().step()).isZero();
    }
  }

  private RawQp queue(Rig rig, Random random) {
    RawQpPlan plan =
        new RawQpPlan(completions.get(random.nextInt(completions.size())))
            .sizes(2 + random.nextInt(3), 2, 4);
    plan = random.nextInt(8) == 0 ? plan : plan.master();
    plan = random.nextInt(3) == 0 ? plan : plan.managedSends();
    plan = random.nextInt(3) == 0 ? plan : plan.managedReceives();
    RawQp qp = rig.qp(plan);
    qp.connect(qp.number(), new Settings().rnrRetry(1));
    return qp;
  }

  private void strike(Rig rig, RawMemory memory, Random random) {
    int at = random.nextInt(QUEUES);
    RawQp qp = queues.get(at);
    switch (random.nextInt(40)) {
      case 0 -> {
        qp.object().close();
        queues.set(at, queue(rig, random));
        rings.set(at, queues.get(at).register());
      }
      case 1 -> qp.toError();
      case 2 -> rig.clock().advance(random.nextInt(1_000_000));
      default -> {
        if (qp.state() == QpState.ERR) {
          qp.reset();
          qp.connect(qp.number(), new Settings().rnrRetry(1));
        }
        qp.receive(memory.address(random.nextInt(4000)), random.nextInt(64) + 1, memory.key());
        completions.forEach(RawCq::poll);
        qp.post(request(memory, random).control(random.nextInt(5) << 5 | random.nextInt(4) << 2));
      }
    }
  }

  private Wqe request(RawMemory memory, Random random) {
    RawQp target = queues.get(random.nextInt(QUEUES));
    int key = rings.get(queues.indexOf(target));
    long place = target.wqebb(random.nextInt(16)) + 8L * random.nextInt(8);
    int index = random.nextInt(3) == 0 ? random.nextInt() : random.nextInt(40);
    int from = 8 * random.nextInt(500);
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> Wqe.enableSends(target, index);
      case 3 -> Wqe.enableReceives(target, index);
      case 4 -> Wqe.await(completions.get(random.nextInt(completions.size())), index);
      case 5 ->
          Wqe.awaitValue(
              1 + random.nextInt(2),
              random.nextInt(40),
              memory.key(),
              memory.address(from),
              random.nextLong(),
              random.nextLong());
      case 6 -> new Wqe(WqeOpcode.RDMA_WRITE).remote(place, key).data(memory, from, 8);
      case 7 ->
          new Wqe(WqeOpcode.ATOMIC_FA)
              .remote(place, key)
              .words(random.nextLong(), 0)
              .data(memory, from, 8);
      case 8 -> Wqe.send().data(memory, from, 8);
      default ->
          new Wqe(WqeOpcode.SEND_EN)
              .words(
                  random.nextLong(), QueueSegment.MAX_INDEX.place(index) | random.nextInt(0x200));
    };
  }
}
