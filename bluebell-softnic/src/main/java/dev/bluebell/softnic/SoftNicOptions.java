package dev.bluebell.softnic;

import dev.bluebell.softnic.engine.EngineThread;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a software ConnectX is set up.
 *
 * @param engine who runs the device
 * @param clock where the device reads time
 * @param recorderEntries entries of the flight recorder, a power of two; 16 bytes each
 * @param spinNanos how long the idle thread of the device spins before it sleeps
 * @param maxSleepNanos how long the idle thread of the device sleeps at most, which bounds how late
 *     it sees a doorbell that nobody announces
 * @param loss what the fabric between its queue pairs does to packets; null when it loses nothing,
 *     and requests may cut through
 * @param reorder how payload becomes visible where order is relaxed; null when it keeps its order
 * @param strictDoorbells true to start only what was rung, and to lose what a card may lose of
 *     doorbells
 * @param machine how work queue entries are treated
 * @param timing what work costs in virtual time; null when it takes the time that it takes
 */
public record SoftNicOptions(
    EngineMode engine,
    Clock clock,
    int recorderEntries,
    long spinNanos,
    long maxSleepNanos,
    @Nullable LossOptions loss,
    @Nullable ReorderOptions reorder,
    boolean strictDoorbells,
    MachineOptions machine,
    @Nullable Timing timing) {
  private static final int DEFAULT_RECORDER_ENTRIES = 4096;
  private static final Pattern PERCENT = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,9})?%?");
  private static final BigDecimal ALL = BigDecimal.valueOf(100);

  /**
   * A device with a thread of its own that sleeps 20 ms at most, the machine's clock, and a flight
   * recorder of 4096 entries.
   */
  public static final SoftNicOptions DEFAULT =
      new SoftNicOptions(
          EngineMode.THREAD,
          Clock.system(),
          DEFAULT_RECORDER_ENTRIES,
          EngineThread.SPIN_NANOS,
          EngineThread.MAX_SLEEP_NANOS,
          null,
          null,
          false,
          MachineOptions.DEFAULT,
          null);

  /**
   * Checks that virtual time has a clock that jumps, and nothing that it has no cost for.
   *
   * @throws IllegalArgumentException when it has not
   */
  public SoftNicOptions {
    if (timing != null
        && (engine == EngineMode.THREAD
            || !(clock instanceof ManualClock)
            || loss != null
            || reorder != null
            || machine.adversary() != null)) {
      throw new IllegalArgumentException(
          "timing=%s of device soft has a virtual clock, which engine=thread has not, and goes with no lossy fabric, no memory that is reordered and no adversary"
              .formatted(timing.name()));
    }
  }

  public SoftNicOptions withEngine(EngineMode mode) {
    return new SoftNicOptions(
        mode,
        clock,
        recorderEntries,
        spinNanos,
        maxSleepNanos,
        loss,
        reorder,
        strictDoorbells,
        machine,
        timing);
  }

  public SoftNicOptions withClock(Clock newClock) {
    return new SoftNicOptions(
        engine,
        newClock,
        recorderEntries,
        spinNanos,
        maxSleepNanos,
        loss,
        reorder,
        strictDoorbells,
        machine,
        timing);
  }

  public SoftNicOptions withRecorderEntries(int entries) {
    return new SoftNicOptions(
        engine,
        clock,
        entries,
        spinNanos,
        maxSleepNanos,
        loss,
        reorder,
        strictDoorbells,
        machine,
        timing);
  }

  public SoftNicOptions withSpinNanos(long nanos) {
    return new SoftNicOptions(
        engine,
        clock,
        recorderEntries,
        nanos,
        maxSleepNanos,
        loss,
        reorder,
        strictDoorbells,
        machine,
        timing);
  }

  public SoftNicOptions withMaxSleepNanos(long nanos) {
    return new SoftNicOptions(
        engine,
        clock,
        recorderEntries,
        spinNanos,
        nanos,
        loss,
        reorder,
        strictDoorbells,
        machine,
        timing);
  }

  public SoftNicOptions withLoss(LossOptions newLoss) {
    return new SoftNicOptions(
        engine,
        clock,
        recorderEntries,
        spinNanos,
        maxSleepNanos,
        newLoss,
        reorder,
        strictDoorbells,
        machine,
        timing);
  }

  public SoftNicOptions withReorder(ReorderOptions newReorder) {
    return new SoftNicOptions(
        engine,
        clock,
        recorderEntries,
        spinNanos,
        maxSleepNanos,
        loss,
        newReorder,
        strictDoorbells,
        machine,
        timing);
  }

  public SoftNicOptions withStrictDoorbells(boolean strict) {
    return new SoftNicOptions(
        engine,
        clock,
        recorderEntries,
        spinNanos,
        maxSleepNanos,
        loss,
        reorder,
        strict,
        machine,
        timing);
  }

  /** Leaves index and QPN of send WQEs unchecked, or checks them. */
  public SoftNicOptions withWqeChecks(boolean checked) {
    return withMachine(new MachineOptions(checked, machine.fencesEnables(), machine.adversary()));
  }

  /** Lets SEND_EN and RECV_EN wait for what their fence bits name, or not. */
  public SoftNicOptions withFencedEnables(boolean fenced) {
    return withMachine(new MachineOptions(machine.checksWqes(), fenced, machine.adversary()));
  }

  /** Draws all that the order of requests leaves open. */
  public SoftNicOptions withAdversary(long seed) {
    return withMachine(new MachineOptions(machine.checksWqes(), machine.fencesEnables(), seed));
  }

  private SoftNicOptions withMachine(MachineOptions newMachine) {
    return new SoftNicOptions(
        engine,
        clock,
        recorderEntries,
        spinNanos,
        maxSleepNanos,
        loss,
        reorder,
        strictDoorbells,
        newMachine,
        timing);
  }

  /**
   * Predicts what a program would take on a card, in virtual time: the clock stands while the
   * device works and jumps to the next event when nothing is left to do. Without a clock that can
   * jump, or with a thread, the device gets a clock of its own and is run by whoever polls.
   */
  public SoftNicOptions withTiming(Timing newTiming) {
    return new SoftNicOptions(
        engine == EngineMode.THREAD ? EngineMode.POLL : engine,
        clock instanceof ManualClock ? clock : new ManualClock(),
        recorderEntries,
        spinNanos,
        maxSleepNanos,
        loss,
        reorder,
        strictDoorbells,
        machine,
        newTiming);
  }

  /** The clock of virtual time; null without. */
  @Nullable ManualClock virtualClock() {
    return timing != null && clock instanceof ManualClock manual ? manual : null;
  }

  /** What the fabric does to packets; nothing, with a seed of its own, when that was left open. */
  private LossOptions lossOrNone() {
    return loss == null
        ? LossOptions.none(ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE))
        : loss;
  }

  /** Gives a seed to what draws: to the fabric, if nothing else does. */
  private SoftNicOptions withSeed(long seed) {
    SoftNicOptions seeded = reorder == null ? this : withReorder(reorder.withSeed(seed));
    return loss == null && reorder != null ? seeded : seeded.withLoss(lossOrNone().withSeed(seed));
  }

  /**
   * From text such as {@code engine=poll,recorder=65536} or {@code loss=5%,delay=20}. What draws
   * and is given no seed gets a random one.
   *
   * @throws IllegalArgumentException when an option is unknown or its value is wrong
   */
  static SoftNicOptions parse(String text) {
    SoftNicOptions options = DEFAULT;
    Long seed = null;
    Timing timing = null;
    boolean threaded = false;
    for (String option : text.split(",")) {
      String[] pair = option.split("=", 2);
      String value = pair.length == 2 ? pair[1] : "";
      options =
          switch (pair[0]) {
            case "engine" -> {
              threaded = mode(value) == EngineMode.THREAD;
              yield options.withEngine(mode(value));
            }
            case "timing" -> {
              timing = Timing.named(value);
              yield options;
            }
            case "recorder" -> options.withRecorderEntries(entries(value));
            case "spin" -> options.withSpinNanos(nanos("spin", value, 0));
            case "sleep" -> options.withMaxSleepNanos(nanos("sleep", value, 1));
            case "loss" -> options.withLoss(options.lossOrNone().withLoss(share("loss", value)));
            case "reorder" ->
                options.withLoss(options.lossOrNone().withReorder(share("reorder", value)));
            case "duplicate" ->
                options.withLoss(options.lossOrNone().withDuplicate(share("duplicate", value)));
            case "delay" ->
                options.withLoss(options.lossOrNone().withDelayNanos(nanos("delay", value, 0)));
            case "reorder-memory" ->
                options.withReorder(
                    new ReorderOptions(
                        nanos("reorder-memory", value, 1),
                        ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE)));
            case "doorbells" -> options.withStrictDoorbells(isStrict(value));
            case "wqe-checks" -> options.withWqeChecks(isOn("wqe-checks", value));
            case "fenced-enables" -> options.withFencedEnables(isOn("fenced-enables", value));
            case "adversary" -> options.withAdversary(seed("adversary", value));
            case "seed" -> {
              seed = seed("seed", value);
              yield options;
            }
            default ->
                throw new IllegalArgumentException(
                    "option '%s' of device soft is unknown; it has engine=thread|poll, recorder=ENTRIES, spin=MICROSECONDS, sleep=MICROSECONDS, doorbells=shared|strict and timing=connectx5, and for a lossy fabric loss=PERCENT, reorder=PERCENT, duplicate=PERCENT, delay=MICROSECONDS and seed=NUMBER, and for payload that becomes visible out of order reorder-memory=MICROSECONDS and seed=NUMBER, and for programs that run on the NIC adversary=NUMBER, wqe-checks=on|off and fenced-enables=on|off"
                        .formatted(option));
          };
    }
    SoftNicOptions seeded = seed == null ? options : options.withSeed(seed);
    if (timing == null) {
      return seeded;
    }
    SoftNicOptions timed = seeded.withTiming(timing);
    return threaded ? timed.withEngine(EngineMode.THREAD) : timed;
  }

  private static EngineMode mode(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "thread" -> EngineMode.THREAD;
      case "poll" -> EngineMode.POLL;
      default ->
          throw new IllegalArgumentException(
              "engine=%s of device soft is unknown; it is thread or poll".formatted(value));
    };
  }

  private static boolean isStrict(String value) {
    return switch (value) {
      case "strict" -> true;
      case "shared" -> false;
      default ->
          throw new IllegalArgumentException(
              "doorbells=%s of device soft is unknown; it is shared or strict".formatted(value));
    };
  }

  private static double share(String option, String value) {
    BigDecimal percent =
        PERCENT.matcher(value).matches()
            ? new BigDecimal(value.replace("%", ""))
            : BigDecimal.valueOf(-1);
    if (percent.signum() < 0 || percent.compareTo(ALL) > 0) {
      throw new IllegalArgumentException(
          "%s=%s of device soft: it is a percentage of all packets, from 0 to 100, such as 5%% or 0.1%%"
              .formatted(option, value));
    }
    return percent.movePointLeft(2).doubleValue();
  }

  private static boolean isOn(String option, String value) {
    return switch (value) {
      case "on" -> true;
      case "off" -> false;
      default ->
          throw new IllegalArgumentException(
              "%s=%s of device soft is unknown; it is on or off".formatted(option, value));
    };
  }

  private static long seed(String option, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s=%s of device soft: it is a whole number of 64 bits%s"
              .formatted(
                  option,
                  value,
                  option.equals("seed") ? "; without it the device takes a random one" : ""),
          e);
    }
  }

  private static long nanos(String option, String value, long least) {
    long micros = value.matches("[0-9]{1,7}") ? Long.parseLong(value) : -1;
    if (micros < least) {
      throw new IllegalArgumentException(
          "%s=%s of device soft: it is a number of microseconds, from %d"
              .formatted(option, value, least));
    }
    return TimeUnit.MICROSECONDS.toNanos(micros);
  }

  private static int entries(String value) {
    int entries = value.matches("[0-9]{1,7}") ? Integer.parseInt(value) : 0;
    if (entries < 2 || Integer.bitCount(entries) != 1) {
      throw new IllegalArgumentException(
          "recorder=%s of device soft: the flight recorder holds a power of two of entries, from 2"
              .formatted(value));
    }
    return entries;
  }
}
