package dev.bluebell.softnic.queue;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static dev.bluebell.verbs.Access.REMOTE_ATOMIC;
import static dev.bluebell.verbs.Access.REMOTE_READ;
import static dev.bluebell.verbs.Access.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bluebell.allocation.Trials;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.CqeCompression;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.MiniCqeFormat;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import dev.bluebell.verbs.StridingEntry;
import dev.bluebell.verbs.StridingReceiveQueue;
import dev.bluebell.verbs.WorkOpcode;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client sees the same completions in the same order, with and without compression. */
class CompressedCompletionsTest {
  /** Of all devices, which so have the same address. */
  private static final int IDENTITY = 1;

  private static final CqeCompression[] LAYOUTS = {CqeCompression.BASIC, CqeCompression.ENHANCED};

  /** What a client sees of a completion; the times of compressed ones are those of their titles. */
  private record Seen(
      long id,
      CompletionStatus status,
      WorkOpcode opcode,
      int bytes,
      boolean hasImmediate,
      int immediate,
      int qpn,
      boolean solicited,
      String explanation) {

    static Seen of(Completion c) {
      boolean counts = c.isSuccess();
      return new Seen(
          c.id(),
          c.status(),
          c.opcode(),
          counts ? c.byteCount() : 0,
          c.hasImmediate(),
          c.hasImmediate() ? c.immediate() : 0,
          c.queuePairNumber(),
          c.solicited(),
          counts ? "" : c.explanation());
    }
  }

  /**
   * Random traffic over queue pairs that share a completion queue, fully determined by the seed.
   */
  private static final class Traffic implements AutoCloseable {
    private static final int QUEUE_PAIRS = 3;
    private static final int RECEIVES = 64;

    private final Random random;
    private final ManualClock clock = new ManualClock();
    private final SoftNic nic;
    private final Device device;
    private final ProtectionDomain domain;
    private final MemoryRegion memory;
    private final CompletionQueue completions;
    private final List<RcQueuePair> queuePairs = new ArrayList<>();
    private final List<Seen> seen = new ArrayList<>();
    private long id;

    Traffic(long seed, CompletionQueueOptions options, int inline) {
      this(seed, options, inline, SoftNicOptions.DEFAULT);
    }

    Traffic(long seed, CompletionQueueOptions options, int inline, SoftNicOptions machine) {
      random = new Random(seed);
      nic =
          SoftNic.open(
              machine.withEngine(EngineMode.STEPPED).withClock(clock).withIdentity(IDENTITY));
      device = Device.over(nic);
      domain = device.allocateProtectionDomain();
      memory = domain.allocate(1 << 16, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC);
      completions = device.createCompletionQueue(256, options);
      for (int i = 0; i < QUEUE_PAIRS; i++) {
        RcQueuePair queuePair =
            domain
                .rcQueuePair(completions)
                .sendQueue(256)
                .receiveQueue(RECEIVES)
                .inlineReceive(i == 0 ? inline : 0)
                .initialPsn(77)
                .create();
        queuePairs.add(queuePair);
        connect(queuePair);
      }
    }

    private void connect(RcQueuePair queuePair) {
      queuePair.connect(queuePair.endpoint());
    }

    void round() {
      RcQueuePair queuePair = queuePairs.get(random.nextInt(QUEUE_PAIRS));
      int kind = random.nextInt(6);
      int bytes = random.nextInt(80);
      int immediate = random.nextInt(3);
      for (int i = random.nextInt(20); i > 0; i--) {
        if (kind <= 2) {
          queuePair.receive().scatter(memory, 4096, 100).post(id++);
          queuePair.ringReceiveDoorbell();
        }
        int length = bytes + random.nextInt(2);
        switch (kind) {
          case 0 -> queuePair.send().gather(memory, 0, length).signaled(id++);
          case 1 -> queuePair.sendImmediate(immediate).gather(memory, 0, length).unsignaled(id++);
          case 2 ->
              queuePair
                  .writeImmediate(memory.remote(), immediate + random.nextInt(2))
                  .gather(memory, 0, length)
                  .solicited()
                  .signaled(id++);
          case 3 -> queuePair.read(memory.remote()).scatter(memory, 8192, length).signaled(id++);
          case 4 -> queuePair.fetchAndAdd(memory.remote(), 1).scatter(memory, 16).signaled(id++);
          default -> queuePair.write(memory.remote()).gather(memory, 0, length).signaled(id++);
        }
        if (random.nextBoolean()) {
          queuePair.ringDoorbell();
          nic.settle();
        }
      }
      queuePair.ringDoorbell();
      nic.settle();
      clock.advance(random.nextInt(3) * 1500L);
      nic.settle();
      take(1 + random.nextInt(40));
      if (random.nextInt(4) == 0) {
        drain();
      }
      if (random.nextInt(8) == 0) {
        completions.resize(random.nextBoolean() ? 256 : 512);
      }
      if (random.nextInt(30) == 0) {
        fail(queuePair);
      }
    }

    private void fail(RcQueuePair queuePair) {
      for (int i = 0; i < 5; i++) {
        int rkey = i == 2 ? 0x77777777 : memory.rkey();
        queuePair.write(memory.address(), rkey).gather(memory, 0, 8).signaled(id++);
      }
      queuePair.ringDoorbell();
      drain();
      queuePair.reset();
      connect(queuePair);
    }

    private void take(int max) {
      int polled = completions.poll(c -> seen.add(Seen.of(c)), max);
      assertThat(polled).isLessThanOrEqualTo(max);
    }

    void drain() {
      nic.settle();
      clock.advance(10_000);
      nic.settle();
      while (completions.poll(c -> seen.add(Seen.of(c))) > 0) {
        nic.settle();
      }
    }

    @Override
    public void close() {
      device.close();
    }
  }

  private static List<Seen> run(
      long seed, CompletionQueueOptions options, int inline, SoftNicOptions machine) {
    try (Traffic traffic = new Traffic(seed, options, inline, machine)) {
      for (int round = 0; round < 300; round++) {
        traffic.round();
      }
      traffic.drain();
      return traffic.seen;
    }
  }

  @ParameterizedTest
  @Tag("slow")
  @CsvSource({"1, 64, 0", "2, 64, 32", "3, 128, 64", "4, 128, 0", "5, 64, 0", "6, 64, 32"})
  void randomTrafficCompletesAsWithoutCompression(long seed, int cqeBytes, int inline) {
    CompletionQueueOptions options = CompletionQueueOptions.DEFAULT.withCqeBytes(cqeBytes);
    for (SoftNicOptions machine :
        List.of(SoftNicOptions.DEFAULT, SoftNicOptions.DEFAULT.withStrict())) {
      List<Seen> plain = run(seed, options, inline, machine);
      assertThat(plain.size()).isGreaterThan(2000);
      for (CqeCompression layout : LAYOUTS) {
        assertThat(run(seed, options.withCompression(layout), inline, machine))
            .as("seed %d, layout %s, machine %s", seed, layout, machine.machine())
            .isEqualTo(plain);
      }
    }
  }

  /**
   * Traffic to one striding receive queue, to which two connections send messages of many lengths.
   */
  private static List<String> strides(CompletionQueueOptions options, SoftNicOptions machine) {
    Random random = new Random(1);
    ManualClock clock = new ManualClock();
    SoftNic nic =
        SoftNic.open(
            machine.withEngine(EngineMode.STEPPED).withClock(clock).withIdentity(IDENTITY));
    List<String> seen = new ArrayList<>();
    try (Device device = Device.over(nic)) {
      ProtectionDomain domain = device.allocateProtectionDomain();
      MemoryRegion memory = domain.allocate(1 << 16, LOCAL_WRITE);
      StridingReceiveQueue receives =
          domain.stridingReceiveQueue().requests(3).strides(16).strideBytes(1024).create();
      CompletionQueue completions = device.createCompletionQueue(64, options);
      CompletionQueue sends = device.createCompletionQueue(64);
      List<RcQueuePair> senders = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        RcQueuePair left = domain.rcQueuePair(sends).create();
        RcQueuePair right = domain.rcQueuePair(completions).receiveFrom(receives).create();
        left.connect(right.endpoint());
        right.connect(left.endpoint());
        senders.add(left);
      }
      for (int i = 0; i < 3; i++) {
        receives.entry(memory, i * 16L * 1024, i).post();
      }
      receives.ringDoorbell();
      for (int message = 0; message < 1000; message++) {
        RcQueuePair sender = senders.get(random.nextInt(8) / 7);
        int bytes = random.nextInt(1000);
        if (random.nextInt(9) == 0) {
          sender.sendImmediate(message).gather(memory, 0, bytes).signaled(message);
        } else {
          sender.send().gather(memory, 0, bytes).signaled(message);
        }
        sender.ringDoorbell();
        nic.settle();
        if (random.nextInt(12) == 0 || message % 30 == 29) {
          clock.advance(10_000);
          nic.settle();
          sends.poll(c -> assertThat(c.isSuccess()).isTrue());
          completions.poll(
              c -> {
                seen.add(
                    "%s in %s at %d: %d bytes of QP 0x%x, immediate %s"
                        .formatted(
                            c.status(),
                            c.stride().entry(),
                            c.stride().offset(),
                            c.byteCount(),
                            c.queuePairNumber(),
                            c.hasImmediate() ? c.immediate() : "none"));
                StridingEntry entry = c.stride().entry();
                if (entry.release()) {
                  entry.post();
                  receives.ringDoorbell();
                }
              });
        }
      }
    }
    return seen;
  }

  @ParameterizedTest
  @EnumSource(MiniCqeFormat.class)
  void stridesAreReadAsWithoutCompression(MiniCqeFormat format) {
    CompletionQueueOptions options = CompletionQueueOptions.DEFAULT;
    List<String> plain = strides(options, SoftNicOptions.DEFAULT);
    assertThat(plain.size()).isGreaterThan(900);
    for (CqeCompression layout : LAYOUTS) {
      CompletionQueueOptions compressed = options.withCompression(layout).withMiniCqeFormat(format);
      for (int cqeBytes : new int[] {64, 128}) {
        assertThat(strides(compressed.withCqeBytes(cqeBytes), SoftNicOptions.DEFAULT))
            .isEqualTo(plain);
        assertThat(strides(compressed.withCqeBytes(cqeBytes), SoftNicOptions.DEFAULT.withStrict()))
            .isEqualTo(plain);
      }
    }
  }

  @ParameterizedTest
  @Tag("slow")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void sendsAndReceivesAreReadInOrderUnderAnAdversary(long seed) {
    for (CqeCompression layout : LAYOUTS) {
      CompletionQueueOptions options = CompletionQueueOptions.DEFAULT.withCompression(layout);
      SoftNicOptions machine = SoftNicOptions.DEFAULT.withAdversary(seed);
      try (Traffic traffic = new Traffic(seed, options, 0, machine)) {
        RcQueuePair queuePair = traffic.queuePairs.getFirst();
        for (long id = 0; id < 4000; ) {
          for (int left = 1 + traffic.random.nextInt(40); left > 0; left--, id++) {
            queuePair.receive().scatter(traffic.memory, 4096, 100).post(id);
            queuePair.send().gather(traffic.memory, 0, (int) id % 100).signaled(id);
          }
          queuePair.ringReceiveDoorbell();
          queuePair.ringDoorbell();
          traffic.drain();
        }
        for (boolean receives : new boolean[] {false, true}) {
          List<Seen> seen =
              traffic.seen.stream()
                  .filter(c -> c.opcode() == WorkOpcode.RECEIVE == receives)
                  .toList();
          assertThat(seen.size()).isGreaterThanOrEqualTo(4000);
          for (int id = 0; id < seen.size(); id++) {
            assertThat(seen.get(id).id()).as("adversary %d, layout %s", seed, layout).isEqualTo(id);
            assertThat(seen.get(id).bytes()).isEqualTo(receives ? id % 100 : 0);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BASIC", "ENHANCED"})
  void bothWaysOfPollingMayTakeTurns(CqeCompression layout) {
    try (Traffic traffic =
        new Traffic(1, CompletionQueueOptions.DEFAULT.withCompression(layout), 0)) {
      List<Long> ids = new ArrayList<>();
      List<Long> posted = new ArrayList<>();
      RcQueuePair queuePair = traffic.queuePairs.getFirst();
      for (long id = 0; id < 2000; id++) {
        queuePair.write(traffic.memory.remote()).gather(traffic.memory, 0, 8).signaled(id);
        posted.add(id);
        if (id % 50 == 49) {
          queuePair.ringDoorbell();
          traffic.nic.settle();
          traffic.clock.advance(10_000);
          traffic.nic.settle();
          for (int turn = 0; ids.size() < posted.size(); turn++) {
            if (turn % 2 == 0) {
              Completion completion = traffic.completions.poll();
              assertThat(completion).isNotNull();
              ids.add(completion.id());
            } else {
              assertThat(traffic.completions.poll(c -> ids.add(c.id()), 1 + turn % 3)).isPositive();
            }
          }
        }
      }
      assertThat(ids).isEqualTo(posted);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BASIC", "ENHANCED"})
  void completionsOfAQueuePairThatIsResetAreGone(CqeCompression layout) {
    try (Traffic traffic =
        new Traffic(1, CompletionQueueOptions.DEFAULT.withCompression(layout), 0)) {
      RcQueuePair first = traffic.queuePairs.get(0);
      RcQueuePair second = traffic.queuePairs.get(1);
      for (RcQueuePair queuePair : List.of(first, second)) {
        for (int i = 0; i < 20; i++) {
          queuePair.write(traffic.memory.remote()).gather(traffic.memory, 0, 8).signaled(i);
        }
        queuePair.ringDoorbell();
        traffic.nic.settle();
      }
      assertThat(first.reset().sends()).hasSize(20);
      traffic.drain();
      assertThat(traffic.seen).hasSize(20).allMatch(c -> c.qpn() == second.number());
      traffic.connect(first);
      for (int i = 0; i < 20; i++) {
        first.write(traffic.memory.remote()).gather(traffic.memory, 0, 8).signaled(i);
      }
      first.ringDoorbell();
      traffic.drain();
      assertThat(traffic.seen.subList(20, 40)).allMatch(c -> c.qpn() == first.number());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BASIC", "ENHANCED"})
  void aWaiterIsWokenForCompletionsThatWereHeldBack(CqeCompression layout)
      throws InterruptedException {
    try (Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
        ProtectionDomain domain = device.allocateProtectionDomain();
        MemoryRegion memory = domain.allocate(64, LOCAL_WRITE, REMOTE_WRITE);
        CompletionQueue completions =
            device.createCompletionQueue(
                16, CompletionQueueOptions.DEFAULT.withCompression(layout));
        RcQueuePair queuePair = domain.rcQueuePair(completions).create()) {
      queuePair.connect(queuePair.endpoint());
      int taken = 0;
      for (int i = 0; i < 50; i++) {
        queuePair.write(memory.remote()).gather(memory, 0, 8).signaled(i);
        queuePair.write(memory.remote()).gather(memory, 0, 8).signaled(i);
        queuePair.ringDoorbell();
        while (taken < 2 * i + 2) {
          assertThat(completions.awaitCompletions(Duration.ofMinutes(1))).isTrue();
          taken += completions.poll(completion -> {});
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BASIC", "ENHANCED"})
  void compressedCompletionsAllocateNothing(CqeCompression layout) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
        ProtectionDomain domain = device.allocateProtectionDomain();
        MemoryRegion memory = domain.allocate(64, LOCAL_WRITE, REMOTE_WRITE);
        CompletionQueue completions =
            device.createCompletionQueue(
                64, CompletionQueueOptions.DEFAULT.withCompression(layout));
        RcQueuePair queuePair = domain.rcQueuePair(completions).sendQueue(64).create()) {
      queuePair.connect(queuePair.endpoint());
      RemoteMemory remote = memory.remote();
      LongSupplier trial =
          () -> {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 2000; i++) {
              for (int j = 0; j < 16; j++) {
                queuePair.write(remote).gather(memory, 0, 8).signaled(j);
              }
              queuePair.ringDoorbell();
              for (int done = 0; done < 16; ) {
                Completion completion = completions.poll();
                done += completion == null ? 0 : 1;
              }
            }
            return threads.getCurrentThreadAllocatedBytes() - before;
          };
      assertThat(Trials.leastBytes(trial)).isZero();
    }
  }
}
