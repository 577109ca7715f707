package dev.bluebell.softnic.engine;

import dev.bluebell.hca.memory.Memory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Calls work, and contains defects of the device: work that throws is abandoned; other work and the
 * thread go on.
 */
final class Guard {
  private static final Logger LOGGER = System.getLogger("dev.bluebell.softnic");

  private Guard() {}

  /** Calls {@link Work#turn}; returns 0 when it failed. */
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

  /** Calls {@link Work#onTimer}; returns false when it failed and its deadlines no longer fire. */
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

  /** Calls {@link Work#touch}, and abandons work whose memory is gone. */
  static void examine(Work work) {
    Memory.dropFault();
    try {
      work.touch();
      Memory.raiseFault();
    } catch (InternalError fault) {
      abandon(work);
    }
  }

  private static void abandon(Work work, RuntimeException defect) {
    LOGGER.log(Level.ERROR, "the software device failed at " + work, defect);
    work.abandon("the device itself failed at %s: %s; please report it".formatted(work, defect));
  }

  // The JVM throws an InternalError where a native process gets SIGBUS.
  private static void abandon(Work work) {
    work.abandon(
        "memory that %s uses is gone, most likely because a mapped file was truncated; it no longer does anything"
            .formatted(work));
  }
}
