package dev.bluebell.softnic.transport;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static dev.bluebell.verbs.Access.RELAXED_ORDERING;
import static dev.bluebell.verbs.Access.REMOTE_ATOMIC;
import static dev.bluebell.verbs.Access.REMOTE_READ;
import static dev.bluebell.verbs.Access.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.ReorderOptions;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RcQueuePairBuilder;
import dev.bluebell.verbs.RelaxedRcQueuePair;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Java clients of a device with relaxed memory order. */
class DriverOrderTest {
  private static final int SEEDS = 24;
  private static final int DATA = 0;
  private static final int FLAG = 1024;
  private static final long MICROSECOND = TimeUnit.MICROSECONDS.toNanos(1);
  private static final ReorderOptions ORDER = new ReorderOptions(20 * MICROSECOND, 1);

  /** A device whose memory is relaxed by a seed, and a client on it. */
  private static final class Client implements AutoCloseable {
    final ManualClock clock = new ManualClock();
    final SoftNic nic;
    final Device device;
    final ProtectionDomain domain;
    final CompletionQueue completions;
    final MemoryRegion local;

    Client(long seed) {
      nic =
          SoftNic.open(
              SoftNicOptions.DEFAULT
                  .withEngine(EngineMode.STEPPED)
                  .withClock(clock)
                  .withReorder(ORDER.withSeed(seed)));
      device = Device.over(nic);
      domain = device.allocateProtectionDomain();
      completions = device.createCompletionQueue(16);
      local = domain.allocate(64, LOCAL_WRITE);
      local.segment().fill((byte) 7);
    }

    RcQueuePairBuilder plan() {
      return domain.rcQueuePair(completions);
    }

    RcQueuePair connected() {
      return connected(plan().create());
    }

    RcQueuePair connected(RcQueuePair queuePair) {
      queuePair.connect(queuePair.endpoint());
      return queuePair;
    }

    RelaxedRcQueuePair relaxed() {
      RelaxedRcQueuePair queuePair = plan().relaxedOrdering().create();
      queuePair.connect(queuePair.endpoint());
      return queuePair;
    }

    MemoryRegion memory(Access... more) {
      Access[] all = {LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, LOCAL_WRITE};
      if (more.length == 0) {
        return domain.allocate(2048, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC);
      }
      all[4] = more[0];
      return domain.allocate(2048, all);
    }

    /** Advances the clock by a microsecond, and steps the device. */
    void pass() {
      while (nic.step() > 0) {
        Thread.onSpinWait();
      }
      clock.advance(MICROSECOND);
    }

    Completion await() {
      Completion completion = completions.poll();
      for (int i = 0; completion == null; i++) {
        assertThat(i).isLessThan(1000);
        pass();
        completion = completions.poll();
      }
      assertThat(completion.status())
          .as("%s", completion.explanation())
          .isEqualTo(CompletionStatus.SUCCESS);
      return completion;
    }

    static boolean isThere(MemoryRegion memory, long offset) {
      return memory.segment().get(ValueLayout.JAVA_LONG, offset) != 0;
    }

    /** Polls memory for the flag, like a client; false when the data is not visible with it. */
    boolean showsDataWithFlag(MemoryRegion memory) {
      for (int i = 0; i < 1000; i++) {
        pass();
        if (isThere(memory, FLAG)) {
          return isThere(memory, DATA);
        }
      }
      throw new AssertionError("the flag was never seen");
    }

    /** Writes the data and then, without a fence, the flag; as {@link #showsDataWithFlag}. */
    boolean showsDataWithUnfencedFlag(RcQueuePair queuePair, MemoryRegion memory) {
      queuePair.write(memory.remote()).gather(local, 0, 8).unsignaled(1);
      queuePair.write(memory.remote().slice(FLAG, 8)).gather(local, 8, 8).signaled(2);
      queuePair.ringDoorbell();
      return showsDataWithFlag(memory);
    }

    @Override
    public void close() {
      device.close();
    }
  }

  /** How many of the seeds show the flag without the data. */
  private static int failures(Predicate<Client> run) {
    int failures = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (Client client = new Client(seed)) {
        failures += run.test(client) ? 0 : 1;
      }
    }
    return failures;
  }

  @Test
  void aFlagWithoutAFenceOvertakesItsDataInRelaxedMemory() {
    assertThat(
            failures(
                client ->
                    client.showsDataWithUnfencedFlag(
                        client.connected(), client.memory(RELAXED_ORDERING))))
        .isBetween(1, SEEDS - 1);
  }

  @Test
  void aFencedFlagNeverOvertakesItsData() {
    assertThat(
            failures(
                client -> {
                  MemoryRegion memory = client.memory(RELAXED_ORDERING);
                  RcQueuePair queuePair = client.connected();
                  queuePair.write(memory.remote()).gather(client.local, 0, 8).unsignaled(1);
                  queuePair
                      .write(memory.remote().slice(FLAG, 8))
                      .gather(client.local, 8, 8)
                      .fence()
                      .signaled(2);
                  queuePair.ringDoorbell();
                  return client.showsDataWithFlag(memory);
                }))
        .isZero();
  }

  @Test
  void anAtomicFlagNeverOvertakesItsData() {
    assertThat(
            failures(
                client -> {
                  MemoryRegion memory = client.memory(RELAXED_ORDERING);
                  RcQueuePair queuePair = client.connected();
                  queuePair.write(memory.remote()).gather(client.local, 0, 8).unsignaled(1);
                  queuePair
                      .fetchAndAdd(memory.remote().slice(FLAG, 8), 1)
                      .scatter(client.local, 16)
                      .signaled(2);
                  queuePair.ringDoorbell();
                  return client.showsDataWithFlag(memory);
                }))
        .isZero();
  }

  @Test
  void memoryThatIsNotRelaxedKeepsItsOrder() {
    assertThat(
            failures(
                client -> client.showsDataWithUnfencedFlag(client.connected(), client.memory())))
        .isZero();
  }

  @Test
  void aQueuePairThatPlacesOutOfOrderRelaxesAnyMemory() {
    assertThat(
            failures(
                client -> {
                  MemoryRegion memory = client.memory();
                  RcQueuePair queuePair =
                      client.connected(client.plan().outOfOrderPlacement(true).create());
                  return client.showsDataWithUnfencedFlag(queuePair, memory);
                }))
        .isBetween(1, SEEDS - 1);
  }

  @Test
  void aCompletionOfARelaxedQueuePairMeansThatEarlierWritesAreVisible() {
    assertThat(
            failures(
                client -> {
                  MemoryRegion memory = client.memory(RELAXED_ORDERING);
                  RelaxedRcQueuePair queuePair = client.relaxed();
                  queuePair.write(memory.remote()).gather(client.local, 0, 8).unsignaled(1);
                  queuePair
                      .write(memory.remote().slice(FLAG, 8))
                      .gather(client.local, 8, 8)
                      .unsignaled(2);
                  queuePair.nop().signaled(3);
                  queuePair.ringDoorbell();
                  assertThat(client.await().id()).isEqualTo(3);
                  return Client.isThere(memory, DATA) && Client.isThere(memory, FLAG);
                }))
        .isZero();
  }

  @Test
  void aRelaxedQueuePairPollsAFencedFlagWithoutHarm() {
    assertThat(
            failures(
                client -> {
                  MemoryRegion memory = client.memory(RELAXED_ORDERING);
                  RelaxedRcQueuePair queuePair = client.relaxed();
                  queuePair.write(memory.remote()).gather(client.local, 0, 8).unsignaled(1);
                  queuePair
                      .write(memory.remote().slice(FLAG, 8))
                      .gather(client.local, 8, 8)
                      .fence()
                      .signaled(2);
                  queuePair.ringDoorbell();
                  return client.showsDataWithFlag(memory);
                }))
        .isZero();
  }

  @Test
  void memoryOfTheDeviceMayBeRelaxedToo() {
    assertThat(
            failures(
                client -> {
                  MemoryRegion memory =
                      client.domain.register(
                          client.device.allocateDeviceMemory(2048),
                          LOCAL_WRITE,
                          REMOTE_WRITE,
                          RELAXED_ORDERING);
                  return client.showsDataWithUnfencedFlag(client.connected(), memory);
                }))
        .isBetween(1, SEEDS - 1);
  }
}
