package dev.bluebell.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Clients can't flood the log. */
class LimitedLogTest {
  private final List<String> lines = new ArrayList<>();
  private final AtomicLong now = new AtomicLong();
  private boolean broken;

  private final Logger logger =
      new Logger() {
        @Override
        public String getName() {
          return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
          return level != Level.DEBUG;
        }

        @Override
        public void log(
            Level level,
            @Nullable ResourceBundle bundle,
            @Nullable String message,
            @Nullable Throwable thrown) {
          if (broken) {
            throw new OutOfMemoryError("for the test");
          }
          lines.add(String.valueOf(message));
        }

        @Override
        public void log(
            Level level,
            @Nullable ResourceBundle bundle,
            @Nullable String format,
            @Nullable Object... arguments) {
          lines.add(String.valueOf(format));
        }
      };

  private final LimitedLog log = new LimitedLog(logger, now::get);

  @Test
  void afterABurstOneMessageASecondIsWrittenWithTheNumberOfDroppedOnes() {
    for (int i = 0; i < 1000; i++) {
      log.log(Level.WARNING, "again");
      log.log(Level.DEBUG, "not of interest");
    }
    assertThat(lines).hasSize(20).containsOnly("again");
    now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    log.log(Level.WARNING, "later");
    log.log(Level.WARNING, "too soon");
    assertThat(lines)
        .hasSize(21)
        .last()
        .isEqualTo("later (980 messages before this one were left out)");
  }

  @Test
  void aFailingLogIsIgnored() {
    broken = true;
    log.log(Level.ERROR, "no memory", new OutOfMemoryError());
    assertThat(lines).isEmpty();
  }
}
