package dev.bluebell.softnic.queue;

import dev.bluebell.hca.HcaObserver.Subject;
import dev.bluebell.softnic.engine.Work;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets no completion be held back for compression longer than a time. Owned by whoever runs the
 * engine.
 */
public final class Compression extends Work {
  /** Completions of a session at most; capability cqe_compression_max_num. */
  public static final int MAX_NUM = 64;

  /** Time in µs that a completion is held back at most; capability cqe_compression_timeout. */
  public static final int TIMEOUT_MICROS = 2;

  private static final long TIMEOUT = TimeUnit.MICROSECONDS.toNanos(TIMEOUT_MICROS);

  private final Chip chip;
  private final int number;
  private @Nullable CompressingRing ring;
  private @Nullable Arming arming;

  /**
   * @param number of the queue
   */
  Compression(Chip chip, int number) {
    this.chip = chip;
    belongTo(chip.scheduler().program());
    this.number = number;
  }

  /** Tells whose completions these are, before the first of them. */
  void attach(CompressingRing compressing, Arming hears) {
    ring = compressing;
    arming = hears;
  }

  /** Takes note that a completion is held back, and none was. */
  void begin() {
    chip.scheduler().schedule(this);
  }

  /** Takes note that the completions that were held back are written. */
  void written(boolean solicited) {
    if (arming != null) {
      arming.completed(solicited);
    }
  }

  @Override
  protected int turn() {
    return 0;
  }

  @Override
  protected long deadline() {
    return ring != null && ring.isHolding() ? ring.heldSince() + TIMEOUT : Long.MAX_VALUE;
  }

  @Override
  protected void onTimer() {
    if (ring != null) {
      ring.flush();
    }
  }

  @Override
  protected void abandon(String why) {
    chip.explanations().add(Subject.COMPLETION_QUEUE, number, why);
  }

  @Override
  public String toString() {
    return "the compression of CQ 0x%x".formatted(number);
  }
}
