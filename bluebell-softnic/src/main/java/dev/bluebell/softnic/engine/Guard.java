package dev.bluebell.softnic.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Calls work so that a defect of the device takes neither the other work nor the thread with it:
 * the work that met it is abandoned.
 */
final class Guard {
  private static final Logger LOGGER = System.getLogger("dev.bluebell.softnic");

  private Guard() {}

  /** As {@link Work#turn}; 0 when it failed. */
  static int turn(Work work) {
    try {
      return work.turn();
    } catch (RuntimeException defect) {
      abandon(work, defect);
    } catch (InternalError fault) {
      abandon(work);
    }
    return 0;
  }

  /** As {@link Work#onTimer}; false when it failed, and hears of no deadline any more. */
  static boolean onTimer(Work work) {
    try {
      work.onTimer();
      return true;
    } catch (RuntimeException defect) {
      abandon(work, defect);
    } catch (InternalError fault) {
      abandon(work);
    }
    return false;
  }

  private static void abandon(Work work, RuntimeException defect) {
    LOGGER.log(Level.ERROR, "the software device failed at " + work, defect);
    work.abandon("the device itself failed at %s: %s; please report it".formatted(work, defect));
  }

  // An InternalError is what the JVM throws where others get SIGBUS.
  private static void abandon(Work work) {
    work.abandon(
        "memory that %s uses is gone, most likely because a file that was mapped there was truncated; it does nothing more"
            .formatted(work));
  }
}
