package dev.bluebell.server;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A rate-limited log that clients can't flood: after a burst it logs one message per second, with
 * the number of suppressed ones. It never throws, because the message may be about a lack of memory
 * or descriptors. Thread-safe.
 */
public final class LimitedLog {
  private static final int PER_SECOND = 1;
  private static final int BURST = 20;

  private final Logger logger;
  private final Credit credit;
  private long leftOut;

  /**
   * A log for messages of a logger.
   *
   * @param name of the logger
   */
  public LimitedLog(String name) {
    this(System.getLogger(name), System::nanoTime);
  }

  LimitedLog(Logger logger, LongSupplier clock) {
    this.logger = logger;
    credit = new Credit(BURST, PER_SECOND, clock);
  }

  public void log(Level level, String message) {
    log(level, message, null);
  }

  /** Logs a message and an exception. */
  public void log(Level level, String message, @Nullable Throwable thrown) {
    try {
      if (!logger.isLoggable(level)) {
        return;
      }
      long omitted = admit();
      if (omitted >= 0) {
        String whole =
            omitted == 0
                ? message
                : "%s (%d messages before this one were left out)".formatted(message, omitted);
        logger.log(level, whole, thrown);
      }
    } catch (Throwable nowhereToSayIt) {
      // A failing log must not end the thread that writes to it.
    }
  }

  /** Number of messages suppressed before this one; -1 when this one is suppressed. */
  private synchronized long admit() {
    if (!credit.take()) {
      leftOut++;
      return -1;
    }
    long omitted = leftOut;
    leftOut = 0;
    return omitted;
  }
}
