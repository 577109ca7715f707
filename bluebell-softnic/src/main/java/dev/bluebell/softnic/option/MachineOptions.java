package dev.bluebell.softnic.option;

import org.jspecify.annotations.Nullable;

/**
 * Options for the execution of work queue entries where cards differ, or their behaviour is not
 * known.
 *
 * @param checksWqes false to execute send WQEs with any index and QPN in their control segments,
 *     like cards whose registers the scripts of RedN have changed
 * @param fencesEnables true when SEND_EN and RECV_EN obey their fence bits
 * @param adversary seed to randomize every ordering that the specification leaves open; null for a
 *     fixed order
 * @param strict true to resolve what public sources leave open in the way that catches more
 *     mistakes
 */
public record MachineOptions(
    boolean checksWqes, boolean fencesEnables, @Nullable Long adversary, boolean strict) {
  /** Checks WQEs, ignores fences of enables, has no adversary, and is not strict. */
  public static final MachineOptions DEFAULT = new MachineOptions(true, false, null);

  /** Options that are not strict. */
  public MachineOptions(boolean checksWqes, boolean fencesEnables, @Nullable Long adversary) {
    this(checksWqes, fencesEnables, adversary, false);
  }
}
