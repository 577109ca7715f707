package dev.bluebell.softnic.timing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WaitValueSegment;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.option.Timing;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Durations of requests when each of their steps has a cost. */
class VirtualTimeTest {
  private static final int DOORBELL = 1060;
  private static final int NETWORK = 220;
  private static final int STEP = 149;
  private static final int WRITE = 1590;
  private static final int READ = 1820;
  private static final int WAIT_STEP = 4;
  private static final int FETCH = 497;
  private static final long ADD = 1640;
  private static final long ATOMIC = 119;
  private static final int CHAIN = 20;
  private static final int WRITES = 120;

  private final Rig rig = Rigs.open(Timing.CONNECTX5);
  private final TimedHost server = new TimedHost(rig);
  private final TimedHost client = new TimedHost(rig);

  @AfterEach
  void close() {
    rig.close();
  }

  private static Wqe[] times(int count, Wqe request) {
    Wqe[] requests = new Wqe[count];
    Arrays.fill(requests, request);
    return requests;
  }

  private static Wqe write(RawMemory from, RawMemory to) {
    int bytes = (int) from.segment().byteSize();
    return Wqe.write(to, 0).data(from, 0, bytes);
  }

  // ---- one queue

  @Test
  void requestsOfOneQueueBeginOneStepAfterAnother() {
    RawQp queue = server.connect(server).left();
    assertThat(Latency.of(rig, queue, times(60, Wqe.nop()))).isEqualTo(DOORBELL + 59 * STEP);
  }

  @Test
  void requestsPostedToABusyQueueNeedNoFetchOfTheirOwn() {
    RawQp queue = server.connect(server).left();
    long begin = rig.clock().nanos();
    Latency.post(queue, times(60, Wqe.nop()));
    rig.nic().step();
    Latency.post(queue, times(60, Wqe.nop()));
    rig.settle();
    assertThat(Latency.end(queue.sends()) - begin).isEqualTo(DOORBELL + 119 * STEP);
  }

  @Test
  void aDoorbellForAnIdleQueueCostsWhatTheFirstDid() {
    RawQp queue = server.connect(server).left();
    for (int i = 0; i < 40; i++) {
      assertThat(Latency.of(rig, queue, Wqe.nop())).isEqualTo(DOORBELL);
    }
  }

  @Test
  void manyDoorbellsForABusyQueueAreOneChain() {
    RawQp queue = server.connect(server).left();
    long begin = rig.clock().nanos();
    for (int i = 0; i < 40; i++) {
      queue.post(Wqe.nop());
      rig.nic().step();
    }
    rig.settle();
    assertThat(Latency.end(queue.sends()) - begin)
        .isBetween(DOORBELL + 39L * STEP, 2L * DOORBELL + 39L * STEP);
  }

  @Test
  void loopbackSavesTheNetwork() {
    RawMemory here = server.memory(64);
    RawMemory there = client.memory(64);
    assertThat(Latency.of(rig, server.connect(client).left(), write(here, there))).isEqualTo(WRITE);
    assertThat(Latency.of(rig, server.connect(server).left(), write(here, here)))
        .isEqualTo(WRITE - NETWORK);
  }

  @Test
  void aReadHoldsOnlyFencedRequests() {
    RawMemory here = client.memory(64);
    RawMemory there = server.memory(64);
    RawQp queue = client.connect(server).left();
    Wqe read = Wqe.read(there, 0).data(here, 0, 64);
    assertThat(Latency.of(rig, queue, read, read)).isEqualTo(READ + STEP);
    Wqe fenced = Wqe.read(there, 0).data(here, 0, 64).control(0x08 | 2 << 5);
    assertThat(Latency.of(rig, queue, read, fenced)).isEqualTo(2L * READ - DOORBELL);
  }

  private long run(TimedQueue started, TimedQueue last) {
    long begin = rig.clock().nanos();
    started.ring();
    rig.settle();
    return Latency.end(last.queue().sends()) - begin;
  }

  @Test
  void aWaitEndsWhenTheCompletionIsMade() {
    TimedQueue queue = server.loopback(true, false);
    for (int i = 0; i < CHAIN; i++) {
      queue.write(Wqe.nop()).await(queue, i);
    }
    assertThat(run(queue, queue)).isEqualTo(DOORBELL + (CHAIN - 1L) * (STEP + WAIT_STEP));
  }

  @Test
  void anEnabledRequestIsFetchedBeforeItBegins() {
    TimedQueue master = server.loopback(true, false);
    TimedQueue worker = server.loopback(false, true);
    for (int i = 0; i < CHAIN; i++) {
      worker.write(Wqe.nop());
      master.enable(worker).await(worker, i);
    }
    assertThat(run(master, worker))
        .isEqualTo(DOORBELL + CHAIN * (long) FETCH + (CHAIN - 1L) * WAIT_STEP);
  }

  @Test
  void aPortExecutesOneAtomicAfterAnother() {
    RawMemory counter = server.memory(8);
    List<RawQp> queues = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      TimedHost host = new TimedHost(rig);
      queues.add(host.connect(server).left());
      Latency.post(queues.getLast(), Wqe.fetchAndAdd(counter, 0, 1).data(host.memory(8), 0, 8));
    }
    rig.settle();
    assertThat(queues.stream().map(queue -> Latency.end(queue.sends())).toList())
        .containsExactlyInAnyOrder(ADD, ADD + ATOMIC, ADD + 2 * ATOMIC, ADD + 3 * ATOMIC);
  }

  /** The 16-bit clock value at which the condition holds for 5000. */
  @ParameterizedTest
  @CsvSource({
    "CYCLIC_SMALLER, 5001",
    "SMALLER, 5001",
    "EQUAL, 5000",
    "NOT_BIGGER, 5000",
    "NOT_CYCLIC_BIGGER, 5000",
    "BIGGER, 65536",
    "NOT_SMALLER, 65536",
    "CYCLIC_BIGGER, 37769",
    "NOT_CYCLIC_SMALLER, 37769"
  })
  void aWaitForTheClockAdvancesTheClock(String condition, long end) {
    TimedQueue queue = server.loopback(true, false);
    // Those that are true before the value, too, begin behind it.
    rig.clock().advance(end > 5001 ? 5001 : 0);
    queue
        .write(Wqe.awaitValue(2, operation(condition), 0, 0, 5000, 0xffff).unsignalled())
        .write(Wqe.nop());
    queue.ring();
    rig.settle();
    assertThat(Latency.end(queue.queue().sends())).isEqualTo(end + WAIT_STEP);
  }

  private static int operation(String condition) {
    int inverted = condition.startsWith("NOT_") ? WaitValueSegment.INVERT : 0;
    return inverted
        | switch (condition.replace("NOT_", "")) {
          case "EQUAL" -> WaitValueSegment.EQUAL;
          case "BIGGER" -> WaitValueSegment.BIGGER;
          case "SMALLER" -> WaitValueSegment.SMALLER;
          case "CYCLIC_BIGGER" -> WaitValueSegment.CYCLIC_BIGGER;
          default -> WaitValueSegment.CYCLIC_SMALLER;
        };
  }

  @Test
  void payloadAddsItsTimeOnTheLink() {
    RawMemory here = client.memory(64 << 10);
    RawMemory there = server.memory(64 << 10);
    RawQp queue = client.connect(server).left();
    double link = (64 << 10) * 8 / 100.0;
    assertThat((double) Latency.of(rig, queue, write(here, there)))
        .isCloseTo(WRITE + link, Percentage.withPercentage(1));
    assertThat((double) Latency.of(rig, queue, Wqe.read(there, 0).data(here, 0, 64 << 10)))
        .isCloseTo(READ + link, Percentage.withPercentage(1));
  }

  @Test
  void aMessageOfMorePacketsThanAreHeldArrivesAtTheRateOfTheLink() {
    int bytes = 8 << 20;
    RawMemory here = client.memory(bytes).fill(1);
    RawMemory there = server.memory(bytes);
    RawQp queue = client.connect(server).left();
    assertThat((double) Latency.of(rig, queue, write(here, there)))
        .isCloseTo(WRITE + bytes * 8 / 100.0, Percentage.withPercentage(1));
    assertThat(there.bytes()).isEqualTo(here.bytes());
  }

  // ---- several queues

  private long chain(RawQp queue) {
    RawMemory memory = server.memory(64);
    return Latency.of(rig, queue, times(CHAIN, write(memory, memory)));
  }

  private void writers(TimedHost from, TimedHost to) {
    Latency.post(from.connect(to).left(), times(WRITES, write(from.memory(64), to.memory(64))));
  }

  @Test
  void aChainHardlySlowsWhenSixteenHostsWriteToItsOwn() {
    RawQp queue = server.connect(server).left();
    long alone = chain(queue);
    for (int i = 0; i < 16; i++) {
      writers(new TimedHost(rig), server);
    }
    assertThat(chain(queue)).isCloseTo(alone, Percentage.withPercentage(6));
  }

  @Test
  void sevenBusyQueuesOfTheSameHostLeaveAUnitFree() {
    RawQp queue = server.connect(server).left();
    long alone = chain(queue);
    for (int i = 0; i < 7; i++) {
      writers(server, client);
    }
    assertThat(chain(queue)).isCloseTo(alone, Percentage.withPercentage(6));
  }

  @Test
  void moreBusyQueuesThanUnitsShareThem() {
    RawQp queue = server.connect(server).left();
    long alone = chain(queue);
    for (int i = 0; i < 31; i++) {
      writers(server, client);
    }
    long shared = chain(queue);
    // 32 queues for 8 units: each gets one for 127 ns of 508.
    assertThat(shared - alone)
        .isCloseTo((CHAIN - 1) * (508L - STEP), Percentage.withPercentage(10));
  }

  // ---- behaviour that is the same without virtual time

  @Test
  void timeoutsAndRetriesHappenInVirtualTime() {
    RawQp queue = client.qp();
    queue.connect(0xdead, new Settings().timeout(1).retryCount(2));
    long begin = rig.clock().nanos();
    queue.post(write(client.memory(64), server.memory(64)));
    rig.settle();
    queue.sends().pollOne().requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "after 2 retries");
    long timeout = 8192;
    assertThat(rig.clock().nanos() - begin).isCloseTo(DOORBELL + 3 * timeout, within(2 * timeout));
  }

  @Test
  void aMessageWaitsForItsReceiverInVirtualTime() {
    RawPair pair = client.connect(server);
    pair.left().post(Wqe.send());
    for (int i = 0; i < 50; i++) {
      rig.nic().step();
    }
    assertThat(pair.left().sends().peek()).isEmpty();
    pair.right().receiveNothing();
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(rig.clock().nanos()).isGreaterThan(10_000);
  }

  @Test
  void aQueueThatWasResetStartsAnew() {
    RawPair pair = server.connect(server);
    Latency.post(pair.left(), times(60, Wqe.nop()));
    rig.nic().step();
    pair.left().reset();
    pair.left().connect(pair.right().number(), new Settings());
    rig.settle();
    assertThat(Latency.of(rig, pair.left(), Wqe.nop())).isEqualTo(DOORBELL);
  }

  @Test
  void aWakeupEndsOneWaitBeforeItsTimeout() throws InterruptedException {
    ManualClock clock = new ManualClock();
    SoftNicOptions options = SoftNicOptions.DEFAULT.withEngine(EngineMode.STEPPED).withClock(clock);
    long second = TimeUnit.SECONDS.toNanos(1);
    try (VirtualTime device = new VirtualTime(SoftNic.open(options), clock, false);
        HcaEventChannel channel = device.openEventChannel()) {
      long begin = clock.nanos();
      channel.wakeup();
      assertThat(channel.await(second)).isNull();
      assertThat(clock.nanos() - begin).isLessThan(second);
      long woken = clock.nanos();
      assertThat(channel.await(second)).isNull();
      assertThat(clock.nanos() - woken).as("no wakeup is left").isGreaterThanOrEqualTo(second);
    }
  }

  @Test
  void aDeviceWithNothingToDoLeavesTheClockAlone() {
    assertThat(rig.nic().step()).isZero();
    long now = rig.clock().nanos();
    Latency.of(rig, client.connect(server).left(), write(client.memory(64), server.memory(64)));
    assertThat(rig.clock().nanos() - now).isEqualTo(WRITE);
    assertThat(rig.nic().step()).isZero();
    assertThat(rig.clock().nanos() - now).isEqualTo(WRITE);
  }
}
