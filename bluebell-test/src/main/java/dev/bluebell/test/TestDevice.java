package dev.bluebell.test;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.hca.text.Counted;
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
import java.net.InetAddress;
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
 * A software ConnectX under test, with its clock and with assertions. It records where objects are
 * created. Belongs to the test's thread; its {@link #device} has the usual thread rules.
 */
public final class TestDevice implements AutoCloseable {
  private static final Duration REAL_PATIENCE = Duration.ofSeconds(30);

  /** Longer than all retries under the usual options. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final long MOST_TICKS = 20_000;
  private static final Duration CALM = Duration.ofMillis(10);

  /** Prefixes of the classes that run tests. */
  private static final List<String> RUNNERS =
      List.of("org.junit.platform.", "org.junit.jupiter.engine.");

  private final SoftNic nic;
  private final ManualClock clock;
  private final Time time;
  private final Device device;

  /** How to repeat what is random: the sentences that a device begins with. */
  private final Set<String> opening;

  /** Objects that this class created, not the test. */
  private final Set<AutoCloseable> own = Collections.newSetFromMap(new IdentityHashMap<>());

  private TestDevice(SoftNicOptions options, Time time) {
    this.time = time;
    clock = new ManualClock();
    nic = SoftNic.open(options.withEngine(engine(time)).withClock(clock(options)));
    opening = Set.copyOf(nic.diagnosis().orElseThrow().explanations());
    device = Device.over(time == Time.REAL ? nic : new VirtualTime(nic, clock, time == Time.HELD));
    device.traceCreations();
  }

  private Clock clock(SoftNicOptions options) {
    return time == Time.REAL ? options.clock() : clock;
  }

  private static EngineMode engine(Time time) {
    return time == Time.REAL ? EngineMode.THREAD : EngineMode.STEPPED;
  }

  /** Opens a device without faults, in virtual time. */
  public static TestDevice open() {
    return with().open();
  }

  /** Returns a builder of a device. */
  public static Builder with() {
    return new Builder();
  }

  /** The device, as applications use it. */
  public Device device() {
    return device;
  }

  /**
   * The device's clock.
   *
   * @throws IllegalStateException when the device uses the machine's clock
   */
  public ManualClock clock() {
    requireStepped();
    return clock;
  }

  /** Runs the device for one step; returns 0 when it is idle until its clock moves. */
  public int step() {
    requireStepped();
    return nic.step();
  }

  /** Runs the device until it has nothing to do before its clock moves. */
  public void settle() {
    requireStepped();
    nic.settle();
  }

  /**
   * Advances the clock and runs the device, in steps of 50 µs, or longer ones when the time exceeds
   * a second.
   *
   * @param passed at least 0
   */
  public void advance(Duration passed) {
    requireStepped();
    long left = passed.toNanos();
    if (left < 0) {
      throw new IllegalArgumentException("the clock cannot go back by " + passed.negated());
    }
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

  /** Creates two queue pairs on this device that are connected to each other. */
  public RdmaPair pair() {
    return new RdmaPair(this, RdmaEnd.create(this), RdmaEnd.create(this)).connect();
  }

  /** Excludes an object from the leak check. */
  <T extends AutoCloseable> T own(T object) {
    own.add(object);
    return object;
  }

  /**
   * Polls until {@code count} completions have arrived, for at most 3 seconds of the device's time,
   * or 30 with {@link Time#REAL}.
   *
   * @throws AssertionError when they do not arrive; the message says why nothing completes
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
            "%swaited for %s, and got %s.\n%s"
                .formatted(
                    time == Time.HELD
                        ? "Time.HELD: the clock stands until advance(…) moves it.\n"
                        : "",
                    Counted.of(count, "completion"),
                    done,
                    lines(completions.diagnose())));
    return done;
  }

  /** A paragraph with each sentence on a line of its own. */
  private static String lines(String paragraph) {
    return paragraph.replace(". ", ".\n");
  }

  /** Polls until a completion has arrived, as {@link #await(CompletionQueue, int)}. */
  public Done await(CompletionQueue completions) {
    return await(completions, 1).getFirst();
  }

  /** Expects no completion for 10 ms of device time or, if the clock is held, until it is idle. */
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
   * Runs the device until a condition holds.
   *
   * @param failure message on timeout
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

  /**
   * The latest explanations of the device, oldest first. Those about its options, such as how to
   * repeat faults, are only in its report.
   */
  public List<String> explanations() {
    return nic.diagnosis().orElseThrow().explanations().stream()
        .filter(sentence -> !opening.contains(sentence))
        .toList();
  }

  /** Expects that one explanation of the device contains all these fragments. */
  public void expectExplained(String... fragments) {
    List<String> all = explanations();
    if (all.stream()
        .noneMatch(sentence -> List.of(fragments).stream().allMatch(sentence::contains))) {
      throw new AssertionError(
          "expected an explanation with %s, but the device explained %s"
              .formatted(List.of(fragments), all.isEmpty() ? "nothing" : String.join("\n", all)));
    }
  }

  /** Objects that the test created on the device and did not close. */
  public List<OpenObject> leaks() {
    return device.openObjects().stream().filter(open -> !own.contains(open.object())).toList();
  }

  /** Expects that the test has closed everything that it created. */
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

  /** An object with the stack frames of its creation, without those of the test runner. */
  private static String described(OpenObject leak) {
    List<StackTraceElement> own =
        leak.created().stream()
            .takeWhile(frame -> RUNNERS.stream().noneMatch(frame.getClassName()::startsWith))
            .toList();
    return new OpenObject(leak.object(), own).toString();
  }

  /**
   * Writes an HTML page: the flight record, each failed request with its WQE, the connections, the
   * counters, and a timeline. A failing test gets one automatically, of the devices of its {@link
   * Rdma} parameters.
   *
   * @param file file to write
   * @param title title of the page
   * @throws IOException when it cannot be written
   */
  public void writeReport(Path file, String title) throws IOException {
    Report report = new Report(title, new LinkedHashMap<>()).add(reported(device.name()));
    Path unused = Files.write(file, report.html());
  }

  /** The device's part of a report, under a name. */
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

  /** Closes the device and its open objects. Idempotent. */
  @Override
  public void close() {
    device.close();
  }

  /** The device's name and how time passes. */
  @Override
  public String toString() {
    return "%s under test (Time.%s)".formatted(device.name(), time);
  }

  /** Builder of a device under test. */
  public static final class Builder {
    private SoftNicOptions options = SoftNicOptions.DEFAULT;
    private final List<FaultRule> faults = new ArrayList<>();
    private Time time = Time.VIRTUAL;
    private @Nullable Long seed;

    private Builder() {}

    /**
     * Sets the options in the format of the device {@code soft:}; replaces all options set before.
     *
     * @param text for example {@code loss=5%,seed=7}; empty for none. Shares are in percent, with
     *     or without the sign: {@code loss=0.3} is 0.3 %. It may have a seed only with something
     *     that is random; for what other methods add, use {@link #seed}
     */
    public Builder options(String text) {
      if (text.contains("engine=") || text.contains("timing=")) {
        throw new IllegalArgumentException(
            "'%s': leave out engine and timing, which Time sets for a device under test"
                .formatted(text));
      }
      options = text.isEmpty() ? SoftNicOptions.DEFAULT : SoftNicOptions.parse(text);
      return this;
    }

    /** Sets how time passes. Default {@link Time#VIRTUAL}. */
    public Builder time(Time passes) {
      time = passes;
      return this;
    }

    /**
     * Makes the fabric lose packets.
     *
     * @param share share of all packets, 0 … 1: 0.3 is 30 %, and the same as the option {@code
     *     loss=30}
     */
    public Builder losing(double share) {
      return loss(loss().withLoss(share));
    }

    /**
     * Makes the fabric delay packets, so that later ones overtake them.
     *
     * @param share share of all packets, 0 … 1, not in percent
     */
    public Builder reordering(double share) {
      return loss(loss().withReorder(share));
    }

    /**
     * Makes the fabric duplicate packets.
     *
     * @param share share of all packets, 0 … 1, not in percent
     */
    public Builder duplicating(double share) {
      return loss(loss().withDuplicate(share));
    }

    /** Makes the fabric delay packets by random times, up to this one. */
    public Builder delaying(Duration most) {
      return loss(loss().withDelayNanos(most.toNanos()));
    }

    /** Adds a fault to those of the options. */
    public Builder failing(Fault fault) {
      faults.add(fault.rule());
      return this;
    }

    /**
     * Sets the seed of all random choices: of losses, of reordering, and of faults with a share.
     * Default: that of the options if they have such parts, or 1.
     */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    private LossOptions loss() {
      LossOptions lossy = options.loss();
      return lossy == null ? LossOptions.none(seedOfOptions()) : lossy;
    }

    /** The seed of the options, which is the same in all of their parts; 1 by default. */
    private long seedOfOptions() {
      if (options.faults() != null) {
        return options.faults().seed();
      }
      if (options.loss() != null) {
        return options.loss().seed();
      }
      return options.reorder() != null ? options.reorder().seed() : 1;
    }

    private Builder loss(LossOptions lossy) {
      options = options.withLoss(lossy);
      return this;
    }

    /** The faults of the options, and those that were added. */
    private @Nullable FaultOptions faults() {
      FaultOptions given = options.faults();
      if (given == null && faults.isEmpty()) {
        return null;
      }
      List<FaultRule> rules = new ArrayList<>(given == null ? List.of() : given.rules());
      rules.addAll(faults);
      return new FaultOptions(rules, seedOfOptions());
    }

    /**
     * Opens the device.
     *
     * @throws IllegalArgumentException when the options have {@code listen=} without {@code
     *     hairpin=on}, and time is not {@link Time#REAL}: nothing would run the peers' devices
     */
    public TestDevice open() {
      InetAddress address = options.link().listen();
      if (time != Time.REAL && address != null && !options.link().hairpin()) {
        throw new IllegalArgumentException(
            "listen=%s connects devices, but with Time.%s only the device that the test polls runs, so its peers never answer: use time = Time.REAL for all of them, or hairpin=on if this device is connected to itself only"
                .formatted(address.getHostAddress(), time));
      }
      FaultOptions failing = faults();
      SoftNicOptions all = failing == null ? options : options.withFaults(failing);
      return new TestDevice(seed == null ? all : all.withSeed(seed), time);
    }
  }
}
