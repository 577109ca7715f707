package dev.bluebell.softnic.queue;

import dev.bluebell.hca.HcaObserver.Subject;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.softnic.engine.Adversary;
import dev.bluebell.softnic.engine.Work;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is compressed where the choice is the device's, and lets no completion be held back
 * longer than a time. Owned by the thread that runs the engine.
 */
public final class Compression extends Work {
  /** Completions of a session at most; capability cqe_compression_max_num. */
  public static final int MAX_NUM = 64;

  /** Time in µs that a completion is held back at most; capability cqe_compression_timeout. */
  public static final int TIMEOUT_MICROS = 2;

  private static final long TIMEOUT = TimeUnit.MICROSECONDS.toNanos(TIMEOUT_MICROS);

  /** With an adversary, one in so many completions is the last of its session. */
  private static final int EARLY_END = 16;

  private final Chip chip;
  private final int number;
  private final boolean tellsStrides;
  private @Nullable CompressingRing ring;
  private @Nullable Arming arming;

  /**
   * @param number of the queue
   * @param miniFormat mini_cqe_res_format
   */
  Compression(Chip chip, int number, int miniFormat) {
    this.chip = chip;
    tellsStrides = miniFormat == Cqc.MINI_CQE_CSUM_STRIDX;
    belongTo(chip.scheduler().client());
    this.number = number;
  }

  /** Tells whose completions these are, before the first of them. */
  void attach(CompressingRing compressing, Arming hears) {
    ring = compressing;
    arming = hears;
  }

  /** True when mini entries say which stride a packet is in. */
  boolean tellsStrides() {
    return tellsStrides;
  }

  /** True when a session is to end before it has to: never without an adversary, which draws it. */
  boolean isOver() {
    Adversary adversary = chip.adversary();
    return adversary != null && adversary.below(EARLY_END) == 0;
  }

  /**
   * True when readers are to meet now what this device otherwise spares them, because one of them
   * cannot read it or writes it differently: always with strict, and when an adversary draws it.
   */
  boolean isDaring() {
    Adversary adversary = chip.adversary();
    return adversary == null ? chip.machine().strict() : adversary.below(2) == 0;
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
