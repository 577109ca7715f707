package dev.bluebell.softnic.rig;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Defects of the device itself, which it logs and survives, and which must fail a test. */
public final class Defects extends Handler {
  private static final Logger LOGGER = Logger.getLogger("dev.bluebell.softnic");
  private static final List<String> FOUND = new CopyOnWriteArrayList<>();

  static {
    LOGGER.addHandler(new Defects());
  }

  private Defects() {}

  /** The log since the last call. */
  static List<String> take() {
    List<String> found = List.copyOf(FOUND);
    FOUND.clear();
    return found;
  }

  /** Returns the log of an action that is meant to fail; it appears nowhere else. */
  public static List<String> during(Runnable failing) {
    LOGGER.setUseParentHandlers(false);
    try {
      failing.run();
      return take();
    } finally {
      LOGGER.setUseParentHandlers(true);
    }
  }

  @Override
  public void publish(LogRecord record) {
    FOUND.add("%s: %s".formatted(record.getMessage(), record.getThrown()));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
