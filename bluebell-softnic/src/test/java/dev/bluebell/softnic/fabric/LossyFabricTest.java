package dev.bluebell.softnic.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import dev.bluebell.allocation.Trials;
import dev.bluebell.hca.Gid;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.Defects;
import dev.bluebell.softnic.rig.Recorded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lossy fabric alone, on a clock that the test sets. PSNs identify the packets. */
class LossyFabricTest {
  private static final long SEED = 7;
  private static final int MANY = 10_000;
  private static final Path PATH = Addresses.path(new Gid(1, 2));

  private final ManualClock clock = new ManualClock();
  private final DeviceTime time = new DeviceTime();
  private final Engine engine = new Engine(clock::nanos, time, null);
  private final FlightRecorder recorder = new FlightRecorder(time, 64);
  private final Explanations explanations = new Explanations();
  private final Inside inside = new Inside();
  private final Sender sender = new Sender();
  private final Packet packet = new Packet();
  private final List<Integer> arrived = new ArrayList<>();
  private final List<Integer> lost = new ArrayList<>();

  /** Accepts all packets, or refuses them when it has no room. */
  private final class Inside implements Fabric, Route, PacketSink {
    private @Nullable Work opener;
    private boolean hasRoom = true;
    private int failAt = -1;
    private String lostWhy = "";
    private boolean counting;
    private long effort;
    private long sum;
    private byte[] payload = {};

    @Override
    public @Nullable Client owner(Packet sent) {
      return null;
    }

    @Override
    public @Nullable Route open(Path path, Work work) {
      opener = work;
      return path.equals(PATH) ? this : null;
    }

    @Override
    public Station station() {
      return Addresses.PORT;
    }

    @Override
    public int burstBytes(int logMtu) {
      return 1 << 20;
    }

    @Override
    public boolean isDirect() {
      return true;
    }

    @Override
    public boolean send(Packet sent) {
      if (hasRoom) {
        arrive(sent);
      }
      return hasRoom;
    }

    @Override
    public void arrive(Packet came) {
      if (came.psn == failAt) {
        throw new IllegalStateException("a defect");
      }
      if (counting) {
        sum += came.psn;
        return;
      }
      arrived.add(came.psn);
      engine.effort().add(effort);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment copy = arena.allocate(came.payloadBytes + 1L);
        if (came.payloadBytes > 0) {
          came.payload.copyTo(copy.address(), came.payloadBytes);
        }
        payload = copy.asSlice(0, came.payloadBytes).toArray(ValueLayout.JAVA_BYTE);
      }
    }

    @Override
    public void lost(Packet gone, String why) {
      if (!counting) {
        lost.add(gone.psn);
      }
      lostWhy = why;
    }
  }

  /** The sender; counts how often it was activated again. */
  private static final class Sender extends Work {
    private int turns;

    @Override
    protected int turn() {
      turns++;
      return 0;
    }

    @Override
    protected void abandon(String why) {
      throw new AssertionError(why);
    }
  }

  private LossyFabric fabric(LossOptions options) {
    return new LossyFabric(inside, inside, time, recorder, explanations, engine, options);
  }

  private Route route(LossOptions options) {
    Route route = fabric(options).open(PATH, sender);
    assertThat(route).isNotNull();
    return route;
  }

  private static LossOptions none() {
    return LossOptions.none(SEED);
  }

  private void send(Route route, int count) {
    for (int i = 0; i < count; i++) {
      packet.psn = i;
      assertThat(route.send(packet)).isTrue();
    }
  }

  /** Counts the packets that arrived between its turns. */
  private final class Between extends Work {
    private int last;
    private int most;

    @Override
    protected int turn() {
      most = Math.max(most, arrived.size() - last);
      last = arrived.size();
      return last < 5 ? 1 : 0;
    }

    @Override
    protected void abandon(String why) {
      throw new AssertionError(why);
    }
  }

  @Test
  void aTurnEndsAfterAPacketWhosePiecesCostMoreThanATurn() {
    Between between = new Between();
    inside.effort = 1 << 20;
    send(route(none().withDelayNanos(1_000_000)), 5);
    assertThat(arrived).as("SEED draws a delay for the first packet").isEmpty();
    engine.activate(between);
    pass(10_000_000);
    assertThat(arrived).containsExactly(0, 1, 2, 3, 4);
    assertThat(between.most).isEqualTo(1);
  }

  /** Sends packets a microsecond apart, then waits for the last. */
  private void sendInTime(Route route, int count) {
    for (int i = 0; i < count; i++) {
      packet.psn = i;
      assertThat(route.send(packet)).isTrue();
      pass(1_000);
    }
    pass(1_000_000_000);
  }

  private void pass(long nanos) {
    clock.advance(nanos);
    settle();
  }

  private void settle() {
    int steps = 0;
    while (engine.step() > 0) {
      assertThat(++steps).isLessThan(1_000);
    }
  }

  private static List<Integer> psns(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  // ---- properties

  @Test
  void routesCarrySinglePacketsAndNothingCutsThrough() {
    Route route = route(none());
    assertThat(route.burstBytes(12)).isEqualTo(4096);
    assertThat(route.isDirect()).isFalse();
  }

  @Test
  void aPacketIsLateFromItsDueTimeUntilItArrives() {
    Route route = route(none().withDelayNanos(1_000));
    packet.sourceQpn = 5;
    packet.destinationQpn = 6;
    send(route, 1);
    assertThat(arrived).as("SEED draws a delay for the first packet").isEmpty();
    clock.advance(10_000);
    assertThat(route.isLate(5, 10_000)).isTrue();
    assertThat(route.isLate(6, 10_000)).isTrue();
    assertThat(route.isLate(7, 10_000)).isFalse();
    assertThat(route.isLate(5, 0)).as("was not due by then").isFalse();
    settle();
    assertThat(route.isLate(5, 10_000)).isFalse();
  }

  @Test
  void theLossyFabricReachesWhatItsInnerFabricReaches() {
    LossyFabric fabric = fabric(none());
    assertThat(fabric.open(Addresses.path(new Gid(3, 4)), sender)).isNull();
    assertThat(fabric.station()).isSameAs(inside.station());
  }

  @Test
  void withoutFaultsEachPacketArrivesAtOnce() {
    send(route(none()), 3_000);
    assertThat(arrived).isEqualTo(psns(3_000));
    assertThat(lost).isEmpty();
  }

  // ---- each fate

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.001, 0.05, 0.5, 1})
  void theConfiguredShareIsLost(double share) {
    send(route(none().withLoss(share)), MANY);
    assertThat(lost.size() / (double) MANY).isCloseTo(share, within(spread(share)));
    assertThat(arrived).isEqualTo(psns(MANY).stream().filter(psn -> !lost.contains(psn)).toList());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.001, 0.05, 0.5, 1})
  void theConfiguredShareArrivesTwice(double share) {
    send(route(none().withDuplicate(share)), MANY);
    assertThat((arrived.size() - MANY) / (double) MANY).isCloseTo(share, within(spread(share)));
    assertThat(arrived).isSorted();
    assertThat(arrived.stream().distinct().toList()).isEqualTo(psns(MANY));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.001, 0.05, 0.5})
  void aboutTheConfiguredShareIsOvertaken(double share) {
    LossyFabric fabric = fabric(none().withReorder(share));
    sendInTime(fabric.open(PATH, sender), MANY);
    assertThat(arrived).containsExactlyInAnyOrderElementsOf(psns(MANY));
    int overtaken = 0;
    int newest = -1;
    for (int psn : arrived) {
      overtaken += psn < newest ? 1 : 0;
      newest = Math.max(newest, psn);
    }
    // A packet held back for less than it takes to send the next is not overtaken, and of two
    // packets held back, the later overtakes the earlier only half the time.
    assertThat(overtaken / (double) MANY)
        .isBetween(share * 0.7 - spread(share), share + spread(share));
  }

  /** Five standard deviations of a share of {@link #MANY}. */
  private static double spread(double share) {
    return 5 * Math.sqrt(share * (1 - share) / MANY);
  }

  @Test
  void anOvertakenPacketIsNotHeldBackForLong() {
    Route route = route(none().withReorder(1));
    send(route, 100);
    assertThat(arrived).isEmpty();
    pass(LossyFabric.HOLD_BACK_NANOS);
    assertThat(arrived).containsExactlyInAnyOrderElementsOf(psns(100)).isNotEqualTo(psns(100));
  }

  @Test
  void aPacketIsDelayedByHalfOfTheDelayOnAverage() {
    Route route = route(none().withDelayNanos(20_000));
    for (int i = 0; i < 200; i++) {
      packet.psn = i;
      route.send(packet);
      int sooner = 0;
      while (arrived.size() == i && sooner < 20) {
        pass(1_000);
        sooner++;
      }
      assertThat(arrived).hasSize(i + 1);
    }
    assertThat(clock.nanos()).isBetween(200 * 7_000L, 200 * 13_000L);
  }

  @Test
  void timeAloneDecidesWhenAPacketArrives() {
    Route route = route(none().withDelayNanos(1_000_000));
    send(route, 1);
    settle();
    assertThat(arrived).isEmpty();
    assertThat(engine.nanosToNextTimer()).isBetween(1L, 1_000_000L);
    clock.advance(engine.nanosToNextTimer() - 1);
    settle();
    assertThat(arrived).isEmpty();
    pass(1);
    assertThat(arrived).containsExactly(0);
    assertThat(engine.nanosToNextTimer()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void delaysKeepTheOrder() {
    Route route = route(none().withDelayNanos(50_000).withDuplicate(0.1));
    sendInTime(route, MANY);
    assertThat(arrived).isSorted().hasSizeGreaterThan(MANY + 800);
    assertThat(arrived.stream().distinct().toList()).isEqualTo(psns(MANY));
  }

  @Test
  void routesShareTheWireAndKeepTheOrderAmongThem() {
    LossyFabric fabric = fabric(none().withDelayNanos(50_000));
    Route one = fabric.open(PATH, sender);
    Route other = fabric.open(PATH, sender);
    for (int i = 0; i < 200; i++) {
      packet.psn = i;
      assertThat((i % 3 == 0 ? one : other).send(packet)).isTrue();
    }
    pass(50_000);
    assertThat(arrived).isEqualTo(psns(200));
  }

  @Test
  void aLossIsReportedRecordedAndCounted() {
    LossyFabric fabric = fabric(none().withLoss(1));
    packet.sourceQpn = 0x42;
    send(fabric.open(PATH, sender), 2);
    assertThat(lost).containsExactly(0, 1);
    assertThat(inside.lostWhy)
        .startsWith("the lossy fabric lost it (loss=100%,")
        .contains("seed=7");
    assertThat(Recorded.by(recorder).happenings().getLast().toString())
        .endsWith("QP 0x42 sent a packet that was lost, PSN 0x000001");
    assertThat(fabric.lines())
        .containsExactly(
            "fabric loss=100%,reorder=0%,duplicate=0%,delay=0,seed=7: 2 packets sent, 2 lost, 0"
                + " reordered, 0 duplicated, 0 delayed");
  }

  @Test
  void reorderedDuplicatedAndDelayedPacketsAreCounted() {
    LossyFabric fabric = fabric(none().withReorder(1).withDuplicate(1).withDelayNanos(10));
    send(fabric.open(PATH, sender), 3);
    assertThat(fabric.lines().getFirst())
        .endsWith("3 packets sent, 0 lost, 6 reordered, 3 duplicated, 0 delayed");
  }

  @Test
  void theSameSeedMeansTheSameFate() {
    LossOptions all = new LossOptions(0.1, 0.1, 0.1, 5_000, SEED);
    sendInTime(route(all), 1_000);
    List<Integer> first = List.copyOf(arrived);
    arrived.clear();
    sendInTime(route(all), 1_000);
    assertThat(arrived).isEqualTo(first);
    arrived.clear();
    sendInTime(route(all.withSeed(SEED + 1)), 1_000);
    assertThat(arrived).isNotEqualTo(first);
  }

  // ---- copies and room

  @Test
  void aPacketIsCopiedWholeBeforeItsMemoryChanges() {
    Route route = route(none().withDelayNanos(1_000_000));
    byte[] data = new byte[4096];
    for (int i = 0; i < data.length; i++) {
      data[i] = (byte) (i * 31 + 7);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(data.length);
      MemorySegment.copy(data, 0, memory, ValueLayout.JAVA_BYTE, 0, data.length);
      packet.psn = 9;
      packet.payload.add(memory.address(), 1_000);
      packet.payload.add(memory.address() + 1_000, 3_096);
      packet.payloadBytes = data.length;
      assertThat(route.send(packet)).isTrue();
      memory.fill((byte) 0);
      packet.psn = 10;
      packet.payload.clear();
      packet.payloadBytes = 0;
    }
    pass(1_000_000);
    assertThat(arrived).containsExactly(9);
    assertThat(inside.payload).isEqualTo(data);
  }

  @Test
  void aPacketBeyondTheLargestPathMtuIsRefused() {
    Route route = route(none().withReorder(1));
    packet.payloadBytes = 4097;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> route.send(packet))
        .withMessageContaining("4097 bytes");
  }

  @Test
  void aSenderIsRefusedWithoutRoomAndWokenWhenThereIsRoom() {
    Route route = route(none().withDelayNanos(1_000_000));
    int taken = 0;
    for (packet.psn = 0; route.send(packet); packet.psn++) {
      taken++;
    }
    // Room for a duplicate is kept.
    assertThat(taken).isEqualTo(HeldPackets.CAPACITY - 1);
    assertThat(route.send(packet)).isFalse();
    settle();
    assertThat(sender.turns).isZero();
    pass(1_000_000);
    assertThat(sender.turns).isEqualTo(1);
    assertThat(arrived).isEqualTo(psns(taken));
    assertThat(route.send(packet)).isTrue();
    pass(1_000_000);
    assertThat(sender.turns).isEqualTo(1);
  }

  @Test
  void aFabricInsideWithoutRoomGetsThePacketsLaterAndInOrder() {
    Route route = route(none());
    send(route, 3);
    inside.hasRoom = false;
    for (int i = 3; i < 10; i++) {
      packet.psn = i;
      assertThat(route.send(packet)).isTrue();
    }
    pass(1);
    assertThat(arrived).isEqualTo(psns(3));
    inside.hasRoom = true;
    packet.psn = 10;
    route.send(packet);
    assertThat(arrived).isEqualTo(psns(3));
    assertThat(inside.opener).isNotNull();
    engine.activate(inside.opener);
    settle();
    assertThat(arrived).isEqualTo(psns(11));
  }

  @Test
  void aDefectOfAReceiverCostsOnePacketAndIsExplained() {
    Route route = route(none().withDelayNanos(1_000));
    inside.failAt = 1;
    send(route, 5);
    assertThat(Defects.during(() -> pass(1_000))).singleElement().asString().contains("a defect");
    assertThat(arrived).containsExactly(0, 2, 3, 4);
    assertThat(explanations.all())
        .singleElement()
        .asString()
        .contains("PSN 0x000001,")
        .contains("a defect");
    inside.failAt = -1;
    for (int round = 0; round < HeldPackets.CAPACITY; round++) {
      assertThat(route.send(packet)).isTrue();
      pass(1_000);
    }
  }

  @Test
  void nothingIsAllocatedForAPacket() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Route route = route(new LossOptions(0.1, 0.2, 0.1, 5_000, SEED));
    inside.counting = true;
    LongSupplier trial =
        () -> {
          long before = threads.getCurrentThreadAllocatedBytes();
          for (int i = 0; i < 50_000; i++) {
            packet.psn = i;
            route.send(packet);
            clock.advance(300);
            engine.step();
          }
          return threads.getCurrentThreadAllocatedBytes() - before;
        };
    assertThat(Trials.leastBytes(trial)).isZero();
    assertThat(inside.sum).isPositive();
  }
}
