package dev.bluebell.test;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.report.Report;
import dev.bluebell.report.ReportedDevice;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.Clock;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.FaultOptions;
import dev.bluebell.softnic.option.FaultRule;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.OpenObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A software ConnectX under test, with its clock and with assertions. It remembers where what is
 * created on it was created. Belongs to the test's thread; its {@link #device} is as any other.
 */
public final class TestDevice implements AutoCloseable {
  private static final Duration REAL_PATIENCE = Duration.ofSeconds(30);

  /** Longer than any retries with usual options. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final long MOST_TICKS = 20_000;
  private static final Duration CALM = Duration.ofMillis(10);

  /** What the classes that run tests begin with. */
  private static final List<String> RUNNERS =
      List.of("org.junit.platform.", "org.junit.jupiter.engine.");

  private final SoftNic nic;
  private final ManualClock clock;
  private final Time time;
  private final Device device;

  /** What the test did not create itself. */
  private final Set<AutoCloseable> own = Collections.newSetFromMap(new IdentityHashMap<>());

  private TestDevice(SoftNicOptions options, Time time) {
    this.time = time;
    clock = new ManualClock();
    nic = SoftNic.open(options.withEngine(engine(time)).withClock(clock(options)));
    device = Device.over(time == Time.REAL ? nic : new VirtualTime(nic, clock, time == Time.HELD));
    device.traceCreations();
  }

  private Clock clock(SoftNicOptions options) {
    return time == Time.REAL ? options.clock() : clock;
  }

  private static EngineMode engine(Time time) {
    return time == Time.REAL ? EngineMode.THREAD : EngineMode.STEPPED;
  }

  /** Opens a device in virtual time that does nothing wrong. */
  public static TestDevice open() {
    return with().open();
  }

  /** Starts to describe a device. */
  public static Builder with() {
    return new Builder();
  }

  /** The device, as programs have it. */
  public Device device() {
    return device;
  }

  /**
   * The device's clock.
   *
   * @throws IllegalStateException when the device has the machine's
   */
  public ManualClock clock() {
    requireStepped();
    return clock;
  }

  /** Lets the device do one thing; 0 when it has nothing to do before its clock moves. */
  public int step() {
    requireStepped();
    return nic.step();
  }

  /** Lets the device do all that it can do before its clock moves. */
  public void settle() {
    requireStepped();
    nic.settle();
  }

  /**
   * Lets time pass, and the device do what it does meanwhile: in steps of 50 µs, and of more when
   * it is longer than a second.
   */
  public void advance(Duration passed) {
    requireStepped();
    long left = passed.toNanos();
    long tick = Math.max(VirtualTime.TICK_NANOS, left / MOST_TICKS);
    nic.settle();
    while (left > 0) {
      long step = Math.min(tick, left);
      clock.advance(step);
      nic.settle();
      left -= step;
    }
  }

  private void requireStepped() {
    if (time == Time.REAL) {
      throw new IllegalStateException("a device with Time.REAL runs by itself");
    }
  }

  /** Makes two queue pairs on this device that are connected to each other. */
  public RdmaPair pair() {
    return new RdmaPair(this, RdmaEnd.create(this), RdmaEnd.create(this)).connect();
  }

  /** Counts an object as none of the test's. */
  <T extends AutoCloseable> T own(T object) {
    own.add(object);
    return object;
  }

  /**
   * Polls until so many completions came.
   *
   * @throws AssertionError when they don't; it says why nothing completes
   */
  public List<Done> await(CompletionQueue completions, int count) {
    List<Done> done = new ArrayList<>();
    until(
        () -> {
          completions.poll(completion -> done.add(Done.of(completion)), count - done.size());
          return done.size() >= count;
        },
        time == Time.REAL ? REAL_PATIENCE : PATIENCE,
        () ->
            "waited for %d completions, and got %s. %s"
                .formatted(count, done, completions.diagnose()));
    return done;
  }

  /** Polls until a completion came, as {@link #await(CompletionQueue, int)}. */
  public Done await(CompletionQueue completions) {
    return await(completions, 1).getFirst();
  }

  /**
   * Expects that nothing completes: for 10 ms of the device's time, or as long as it does
   * something.
   */
  public void expectNothing(CompletionQueue completions) {
    List<Done> done = new ArrayList<>();
    boolean unused =
        poll(
            () -> {
              completions.poll(completion -> done.add(Done.of(completion)));
              return !done.isEmpty();
            },
            CALM);
    if (!done.isEmpty()) {
      throw new AssertionError("expected no completion, but got %s".formatted(done));
    }
  }

  /**
   * Lets the device work until a condition holds.
   *
   * @param failure says what was waited for in vain
   */
  public void until(BooleanSupplier condition, Duration patience, Supplier<String> failure) {
    if (!poll(condition, patience)) {
      throw new AssertionError(failure.get());
    }
  }

  private boolean poll(BooleanSupplier condition, Duration patience) {
    long start = nanos();
    while (true) {
      if (condition.getAsBoolean()) {
        return true;
      }
      int done = device.progress();
      boolean over = nanos() - start >= patience.toNanos();
      if (over || time == Time.HELD && done == 0) {
        return condition.getAsBoolean();
      }
      Thread.onSpinWait();
    }
  }

  private long nanos() {
    return time == Time.REAL ? System.nanoTime() : clock.nanos();
  }

  /** What the device explained, oldest first. */
  public List<String> explanations() {
    return nic.diagnosis().orElseThrow().explanations();
  }

  /** Expects that one explanation of the device names all of these. */
  public void expectExplained(String... fragments) {
    List<String> all = explanations();
    if (all.stream()
        .noneMatch(sentence -> List.of(fragments).stream().allMatch(sentence::contains))) {
      throw new AssertionError(
          "expected an explanation with %s, but the device explained %s"
              .formatted(List.of(fragments), all.isEmpty() ? "nothing" : String.join("\n", all)));
    }
  }

  /** What the test created on the device and did not close. */
  public List<OpenObject> leaks() {
    return device.openObjects().stream().filter(open -> !own.contains(open.object())).toList();
  }

  /** Expects that everything that the test created is closed. */
  public void expectNoLeaks() {
    List<OpenObject> leaks = leaks();
    if (!leaks.isEmpty()) {
      throw new AssertionError(
          "%d not closed:\n%s"
              .formatted(
                  leaks.size(),
                  leaks.stream().map(TestDevice::described).collect(Collectors.joining("\n"))));
    }
  }

  /** An object with the frames of the test that created it, without those that run the test. */
  private static String described(OpenObject leak) {
    List<StackTraceElement> own =
        leak.created().stream()
            .takeWhile(frame -> RUNNERS.stream().noneMatch(frame.getClassName()::startsWith))
            .toList();
    return new OpenObject(leak.object(), own).toString();
  }

  /**
   * Writes a page for a browser: what the device recorded, each failed request with its WQE, the
   * connections, the counters, and a timeline. Tests that fail get one anyway, see {@link Rdma}.
   *
   * @param file that is written
   * @param title of the page
   * @throws IOException when it can't be written
   */
  public void writeReport(Path file, String title) throws IOException {
    Report report = new Report(title, new LinkedHashMap<>()).add(reported(device.name()));
    Path unused = Files.write(file, report.html());
  }

  /** What a report says of the device, under a name. */
  ReportedDevice reported(String name) {
    HcaDiagnosis diagnosis = nic.diagnosis().orElseThrow();
    return new ReportedDevice(
        name, diagnosis.happenings(), diagnosis.explanations(), Map.of(), counters());
  }

  /** Empty for a device that was closed or is dead. */
  private Map<PortCounter, Long> counters() {
    try {
      return device.counters();
    } catch (ClosedException | HcaException gone) {
      return Map.of();
    }
  }

  /** Closes the device and what is left on it. Idempotent. */
  @Override
  public void close() {
    device.close();
  }

  /** Describes a device to be opened. */
  public static final class Builder {
    private SoftNicOptions options = SoftNicOptions.DEFAULT;
    private final List<FaultRule> faults = new ArrayList<>();
    private Time time = Time.VIRTUAL;
    private @Nullable Long seed;

    private Builder() {}

    /**
     * Takes options as the device {@code soft:} takes them, in place of all that was said before.
     *
     * @param text such as {@code loss=5%,seed=7}; empty for none
     */
    public Builder options(String text) {
      if (text.contains("engine=") || text.contains("timing=")) {
        throw new IllegalArgumentException(
            "'%s': who runs a device under test, and its time, is said by Time".formatted(text));
      }
      options = text.isEmpty() ? SoftNicOptions.DEFAULT : SoftNicOptions.parse(text);
      return this;
    }

    /** Says how time passes. Default {@link Time#VIRTUAL}. */
    public Builder time(Time passes) {
      time = passes;
      return this;
    }

    /**
     * Lets the fabric lose packets.
     *
     * @param share of all packets, 0 … 1
     */
    public Builder losing(double share) {
      return loss(loss().withLoss(share));
    }

    /**
     * Lets the fabric hold packets back, so that later ones overtake them.
     *
     * @param share of all packets, 0 … 1
     */
    public Builder reordering(double share) {
      return loss(loss().withReorder(share));
    }

    /**
     * Lets packets arrive twice.
     *
     * @param share of all packets, 0 … 1
     */
    public Builder duplicating(double share) {
      return loss(loss().withDuplicate(share));
    }

    /** Lets packets take some time, up to this one. */
    public Builder delaying(Duration most) {
      return loss(loss().withDelayNanos(most.toNanos()));
    }

    /** Adds a fault. */
    public Builder failing(Fault fault) {
      faults.add(fault.rule());
      return this;
    }

    /**
     * Sets the seed of all that is drawn: of losses and of faults that happen to a share. Default
     * 1.
     */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    private LossOptions loss() {
      LossOptions lossy = options.loss();
      return lossy == null ? LossOptions.none(1) : lossy;
    }

    private Builder loss(LossOptions lossy) {
      options = options.withLoss(lossy);
      return this;
    }

    /** Opens the device. */
    public TestDevice open() {
      SoftNicOptions all = options;
      LossOptions lossy = all.loss();
      if (seed != null && lossy != null) {
        all = all.withLoss(lossy.withSeed(seed));
      }
      if (!faults.isEmpty()) {
        all = all.withFaults(new FaultOptions(faults, seed == null ? 1 : seed));
      }
      return new TestDevice(all, time);
    }
  }
}
