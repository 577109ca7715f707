package dev.bluebell.softnic;

import dev.bluebell.softnic.engine.EngineThread;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * How a software ConnectX is set up.
 *
 * @param engine who runs the device
 * @param clock where the device reads time
 * @param recorderEntries entries of the flight recorder, a power of two; 16 bytes each
 * @param spinNanos how long the idle thread of the device spins before it sleeps
 * @param maxSleepNanos how long the idle thread of the device sleeps at most, which bounds how late
 *     it sees a doorbell that nobody announces
 */
public record SoftNicOptions(
    EngineMode engine, Clock clock, int recorderEntries, long spinNanos, long maxSleepNanos) {
  private static final int DEFAULT_RECORDER_ENTRIES = 4096;

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
          EngineThread.MAX_SLEEP_NANOS);

  public SoftNicOptions withEngine(EngineMode mode) {
    return new SoftNicOptions(mode, clock, recorderEntries, spinNanos, maxSleepNanos);
  }

  public SoftNicOptions withClock(Clock newClock) {
    return new SoftNicOptions(engine, newClock, recorderEntries, spinNanos, maxSleepNanos);
  }

  public SoftNicOptions withRecorderEntries(int entries) {
    return new SoftNicOptions(engine, clock, entries, spinNanos, maxSleepNanos);
  }

  public SoftNicOptions withSpinNanos(long nanos) {
    return new SoftNicOptions(engine, clock, recorderEntries, nanos, maxSleepNanos);
  }

  public SoftNicOptions withMaxSleepNanos(long nanos) {
    return new SoftNicOptions(engine, clock, recorderEntries, spinNanos, nanos);
  }

  /**
   * From text such as {@code engine=poll,recorder=65536}.
   *
   * @throws IllegalArgumentException when an option is unknown or its value is wrong
   */
  static SoftNicOptions parse(String text) {
    SoftNicOptions options = DEFAULT;
    for (String option : text.split(",")) {
      String[] pair = option.split("=", 2);
      String value = pair.length == 2 ? pair[1] : "";
      options =
          switch (pair[0]) {
            case "engine" -> options.withEngine(mode(value));
            case "recorder" -> options.withRecorderEntries(entries(value));
            case "spin" -> options.withSpinNanos(nanos("spin", value, 0));
            case "sleep" -> options.withMaxSleepNanos(nanos("sleep", value, 1));
            default ->
                throw new IllegalArgumentException(
                    "option '%s' of device soft is unknown; it has engine=thread|poll, recorder=ENTRIES, spin=MICROSECONDS and sleep=MICROSECONDS"
                        .formatted(option));
          };
    }
    return options;
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
