package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import dev.bluebell.softnic.wire.Corruption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests of all kinds that do not wait for each other, over a fabric that loses and duplicates
 * packets. Each has its own place in memory, so its result can be checked when it completes.
 */
class LossyReadsTest {
  private static final String SEEDS = "bluebell.lossy.seeds";
  private static final String SEED = "bluebell.lossy.seed";
  private static final int DEFAULT_SEEDS = 100;

  /** A fault of the network or of a peer. */
  private enum Fault {
    LOST,
    REPEATED,
    HELD_BACK,
    CORRUPTED,
    RESTARTED
  }

  /** Shares of packets that are hit by each fault. */
  private record Shares(double lost, double repeated, double heldBack, double corrupted) {}

  /**
   * The size of a run.
   *
   * @param restarts connections whose responder restarts
   * @param requests of each connection
   * @param places where the requests of a connection have their data
   */
  private record Scale(
      int connections, int restarts, int requests, int inFlight, int places, int placeBytes) {
    /** One connection of many requests, which must all succeed. */
    static final Scale ONE = new Scale(1, 0, 300, 24, 64, 4096);

    /** 64 queue pairs. */
    static final Scale STORM = new Scale(32, 4, 12, 6, 8, 1024);

    int logSends() {
      return this.equals(ONE) ? 8 : 5;
    }

    int logReceives() {
      return this.equals(ONE) ? 9 : 4;
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 24, 51, 67, 80, 90})
  void everyRequestIsExecutedOnceAndInOrder(long seed) {
    Random random = new Random(seed);
    int packets = 1 + random.nextInt(4);
    double rate = random.nextDouble() * 0.06;
    new Run(seed, random, Scale.ONE, packets, new Shares(rate, rate, 0, 0)).go();
  }

  @Test
  @Tag("slow")
  void inAStormNothingIsLostOrDoneTwiceAndEveryFailureHasItsCompletion(TestReporter reporter) {
    long first = Long.getLong(SEED, 1);
    long seeds = Long.getLong(SEED) == null ? Integer.getInteger(SEEDS, DEFAULT_SEEDS) : 1;
    Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    for (long seed = first; seed < first + seeds; seed++) {
      try {
        Run run =
            new Run(seed, new Random(seed), Scale.STORM, 1, new Shares(0.05, 0.02, 0.02, 0.01));
        run.go();
        run.faults.forEach((fault, count) -> faults.merge(fault, count, Integer::sum));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("-D%s=%d repeats it: %s".formatted(SEED, seed, e.getMessage()), e);
      }
    }
    reporter.publishEntry("faults", "%d seeds: %s".formatted(seeds, faults));
    assertThat(faults).containsOnlyKeys(Fault.values());
  }

  /** A posted request, and the check to run when it succeeds. */
  private record Posted(int index, int place, Runnable check) {}

  private static final class Run {
    private final Random random;
    private final Scale scale;
    private final Shares shares;
    private final FaultyFabric[] faulty = new FaultyFabric[1];
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private final Corruption corruption = new Corruption();
    private final Rig rig;
    private final RawMemory source;
    private final List<Connection> connections = new ArrayList<>();

    Run(long seed, Random random, Scale scale, int packets, Shares shares) {
      this.random = random;
      this.scale = scale;
      this.shares = shares;
      rig =
          Rigs.open(
              (inside, sink) ->
                  faulty[0] = new FaultyFabric(inside, sink).packetsPerBurst(packets));
      faulty[0].onRequest(this::fate).onResponse(this::fate);
      source = rig.memory(scale.places * scale.placeBytes).fill(seed);
      for (int i = 0; i < scale.connections; i++) {
        connections.add(new Connection());
      }
    }

    private Fate fate(Packet packet) {
      double dice = random.nextDouble();
      if (dice < shares.lost) {
        return count(Fault.LOST, Fate.LOSE);
      }
      dice -= shares.lost;
      if (dice < shares.repeated) {
        return count(Fault.REPEATED, Fate.REPEAT);
      }
      dice -= shares.repeated;
      if (dice < shares.heldBack) {
        return count(Fault.HELD_BACK, Fate.HOLD);
      }
      dice -= shares.heldBack;
      if (dice < shares.corrupted && !corruption.survives(packet, random)) {
        return count(Fault.CORRUPTED, Fate.LOSE);
      }
      return Fate.DELIVER;
    }

    private Fate count(Fault fault, Fate fate) {
      faults.merge(fault, 1, Integer::sum);
      return fate;
    }

    void go() {
      int restarts = 0;
      for (int rounds = 0; !connections.stream().allMatch(Connection::isDone); rounds++) {
        assertThat(rounds).as("rounds").isLessThan(200_000);
        connections.forEach(Connection::postSome);
        for (int steps = random.nextInt(4); steps > 0; steps--) {
          rig.nic().step();
        }
        rig.clock().advance(random.nextInt(100_000));
        if (shares.heldBack > 0 && random.nextInt(3) == 0) {
          faulty[0].release();
        }
        if (restarts < scale.restarts && random.nextInt(3) == 0) {
          connections.get(restarts++).restartResponder();
        }
        for (Connection connection : connections) {
          connection.receiveSome();
          connection.collect();
          connection.renew();
        }
      }
      faulty[0].release();
      rig.settle();
      connections.forEach(Connection::finish);
      rig.close();
    }

    /** A requester and its responder. */
    private final class Connection {
      private final RawCq sent = rig.cq(scale.logSends() + 1);
      private final RawCq received = rig.cq(scale.logReceives());
      private final int logReads = random.nextInt(5);
      private final int mtu = 1 + random.nextInt(3);
      private final RawQp left = rig.qp(new RawQpPlan(sent).sizes(scale.logSends(), 3, 4));
      private RawQp right = responder();
      private final RawMemory target = rig.memory(scale.places * scale.placeBytes);
      private final RawMemory counters = rig.memory(16);
      private final ArrayDeque<Posted> outstanding = new ArrayDeque<>();
      private int psn = 0xfffff0;
      private boolean restarted;
      private boolean failed;
      private int posted;
      private int completed;

      // Posted adds, and adds that are known to be done.
      private int adds;
      private int addsDone;
      private int swaps;
      private int swapsDone;
      private int sends;
      private int sendsDone;

      private int receives;
      private int arrived;
      private int arrivedHere;

      Connection() {
        connect();
      }

      private RawQp responder() {
        return rig.qp(new RawQpPlan(received).sizes(4, scale.logReceives(), 4));
      }

      private void connect() {
        RawPair unused =
            RawPair.connect(
                left,
                right,
                new Settings().mtu(mtu).reads(logReads, logReads).timeout(6).psn(psn, psn));
      }

      boolean isDone() {
        return completed >= scale.requests && outstanding.isEmpty() && !failed && !restarted;
      }

      /** Posts while there is something to do; after a restart, requests that can detect it. */
      void postSome() {
        while ((posted < scale.requests || restarted && outstanding.isEmpty())
            && outstanding.size() < scale.inFlight
            && !failed
            && random.nextInt(3) > 0) {
          post();
        }
      }

      void receiveSome() {
        if (!restarted
            && random.nextInt(4) == 0
            && receives - arrivedHere < 1 << scale.logReceives() - 1) {
          right.receiveNothing();
          receives++;
        }
      }

      void collect() {
        for (RawCqe cqe : sent.poll()) {
          Posted request = outstanding.remove();
          assertThat(cqe.wqeCounter()).isEqualTo(request.index);
          if (cqe.isError()) {
            assertThat(scale.restarts).as(cqe.explanation()).isPositive();
            assertThat(cqe.syndrome())
                .as(cqe.explanation())
                .isEqualTo(failed ? Syndrome.WR_FLUSH_ERR : Syndrome.TRANSPORT_RETRY_EXC_ERR);
            failed = true;
          } else {
            assertThat(failed).as("a success behind a failure").isFalse();
            request.check.run();
            target.put(request.place, new byte[scale.placeBytes]);
          }
          completed++;
        }
        for (RawCqe cqe : received.poll()) {
          cqe.require(CqeOpcode.RESP_SEND_IMM, arrivedHere++);
          assertThat(cqe.immediate()).isEqualTo(arrived++);
        }
      }

      void restartResponder() {
        collect();
        right.object().close();
        restarted = true;
        faults.merge(Fault.RESTARTED, 1, Integer::sum);
      }

      /** Reconnects when each request of the previous connection has its completion. */
      void renew() {
        if (!failed || !outstanding.isEmpty()) {
          return;
        }
        expectDone();
        adds = (int) counters.getLong(0);
        swaps = (int) counters.getLong(8);
        sends = arrived;
        addsDone = adds;
        swapsDone = swaps;
        sendsDone = sends;
        target.segment().fill((byte) 0);
        left.reset();
        if (restarted) {
          right = responder();
        } else {
          right.reset();
        }
        receives = 0;
        arrivedHere = 0;
        // Far enough from earlier PSNs that no late packet falls into its window.
        psn = psn + (1 << 22) & 0xffffff;
        connect();
        restarted = false;
        failed = false;
      }

      /** Reported adds were done, and adds done were requested. */
      private void expectDone() {
        assertThat(counters.getLong(0)).isBetween((long) addsDone, (long) adds);
        assertThat(counters.getLong(8)).isBetween((long) swapsDone, (long) swaps);
        assertThat(arrived).isBetween(sendsDone, sends);
      }

      void finish() {
        collect();
        expectDone();
        assertThat(counters.getLong(0)).isEqualTo(adds);
        assertThat(counters.getLong(8)).isEqualTo(swaps);
        assertThat(arrived).isEqualTo(sends);
        assertThat(target.bytes()).isEqualTo(new byte[scale.places * scale.placeBytes]);
        target.expectCanaries();
        counters.expectCanaries();
      }

      private void post() {
        int place = posted++ % scale.places * scale.placeBytes;
        int bytes =
            random.nextInt(4) == 0 ? random.nextInt(scale.placeBytes) : 8 * random.nextInt(3);
        int from = random.nextInt(scale.places * scale.placeBytes - bytes);
        Runnable check = () -> {};
        Wqe wqe;
        switch (random.nextInt(6)) {
          case 0 -> {
            boolean swap = posted % 2 == 0;
            int earlier = swap ? swaps++ : adds++;
            check =
                () -> {
                  swapsDone += swap ? 1 : 0;
                  addsDone += swap ? 0 : 1;
                  assertThat(target.getLong(place)).isEqualTo(earlier);
                };
            wqe =
                swap
                    ? Wqe.compareAndSwap(counters, 8, earlier, earlier + 1L)
                    : Wqe.fetchAndAdd(counters, 0, 1);
            wqe.data(target, place, 8);
          }
          case 1 -> {
            check = () -> sendsDone++;
            wqe = new Wqe(WqeOpcode.SEND_IMM).immediate(sends++);
          }
          case 2 -> wqe = Wqe.nop();
          case 3 -> {
            check = () -> expect(place, from, bytes);
            wqe = Wqe.write(target, place).data(source, from, bytes);
          }
          default -> {
            check = () -> expect(place, from, bytes);
            wqe = Wqe.read(source, from).data(target, place, bytes);
          }
        }
        int fence =
            switch (random.nextInt(8)) {
              case 0 -> ControlSegment.FENCE;
              case 1 -> ControlSegment.FENCE_STRONG;
              default -> 0;
            };
        // Earlier requests that completed there are not executed again.
        assertThat(target.bytes(place, scale.placeBytes)).isEqualTo(new byte[scale.placeBytes]);
        int index = left.post(wqe.control(ControlSegment.CE_ALWAYS | fence));
        outstanding.add(new Posted(index, place, check));
      }

      private void expect(int place, int from, int bytes) {
        assertThat(target.bytes(place, bytes)).isEqualTo(source.bytes(from, bytes));
      }
    }
  }
}
