package dev.bluebell.softnic.transport.connection;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.softnic.diagnosis.Repeats;
import dev.bluebell.softnic.queue.Chip;

/**
 * The messages that a queue pair or DC target dropped silently. Each is counted and recorded. The
 * first ones are explained, then only those whose count is a power of two, because a sender that
 * overruns a receiver can cause thousands of drops at once.
 */
public final class Drops {
  /** The drops of an unreliable queue pair that are all explained; see {@link Repeats}. */
  public static final int ALL_EXPLAINED = 16;

  /** The same for a DC target, to which an initiator sends a dropped request again and again. */
  public static final int RETRIES_EXPLAINED = 1;

  private final Chip chip;
  private final QpIdentity self;
  private final Repeats drops;

  /**
   * @param explained how many are all explained
   */
  public Drops(Chip chip, QpIdentity self, int explained) {
    this.chip = chip;
    this.self = self;
    drops = new Repeats(explained);
  }

  public int count() {
    return drops.count();
  }

  /** Counts a message, and explains it with a reason that is known already. */
  public void drop(int psn, String why) {
    if (add(psn)) {
      explain(why);
    }
  }

  /** Counts a message; true when it should be explained. */
  public boolean add(int psn) {
    chip.recorder().record(HcaHappening.DROPPED, self.number(), 0, psn);
    return drops.add();
  }

  /** Explains the message that was counted last. */
  public void explain(String why) {
    chip.explainQueuePair(
        self.number(),
        "%s, message %d was silently dropped: %s".formatted(self.name(), drops.count(), why));
  }
}
