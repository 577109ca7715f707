package dev.bluebell.softnic.queue;

import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.softnic.engine.Adversary;
import dev.bluebell.softnic.engine.Work;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The compression policy of a completion queue: decides where the device has a choice, and bounds
 * how long a completion is held back. Owned by the thread that runs the engine.
 */
public final class Compression extends Work {
  /** The most completions of a session, as on a ConnectX-7; capability cqe_compression_max_num. */
  public static final int MAX_NUM = 64;

  /** Maximum time in µs that a completion is held back; capability cqe_compression_timeout. */
  public static final int TIMEOUT_MICROS = 2;

  private static final long TIMEOUT = TimeUnit.MICROSECONDS.toNanos(TIMEOUT_MICROS);

  /** With an adversary, one completion in this many is the last of its session. */
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

  /** Sets the ring and the arming of the queue, before its first completion. */
  void attach(CompressingRing compressing, Arming hears) {
    ring = compressing;
    arming = hears;
  }

  /** True when mini entries contain the packet's stride. */
  boolean tellsStrides() {
    return tellsStrides;
  }

  /** True when a session is to end early; drawn by the adversary, without one never. */
  boolean isOver() {
    Adversary adversary = chip.adversary();
    return adversary != null && adversary.below(EARLY_END) == 0;
  }

  /**
   * True when the device is to write a layout that it otherwise avoids, because some reader cannot
   * read it or expects another: always with strict, and when the adversary draws it.
   */
  boolean isDaring() {
    Adversary adversary = chip.adversary();
    return adversary == null ? chip.machine().strict() : adversary.below(2) == 0;
  }

  /** Starts the timeout: a first completion is held back. */
  void begin() {
    chip.scheduler().schedule(this);
  }

  /** Reports that the completions that were held back are written. */
  void written(boolean solicited) {
    if (arming != null) {
      arming.completed(solicited);
    }
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
    chip.explainCompletionQueue(number, why);
  }

  @Override
  public String toString() {
    return "the compression of CQ 0x%x".formatted(number);
  }
}
