package dev.bluebell.softnic.option;

import org.jspecify.annotations.Nullable;

/**
 * How a device treats work queue entries where cards differ, or where it is not known.
 *
 * @param checksWqes false to execute send WQEs whatever index and QPN their control segments have,
 *     as cards do whose registers the scripts of RedN change
 * @param fencesEnables true when SEND_EN and RECV_EN wait for what their fence bits name
 * @param adversary seed of what the device draws of all that the order of requests leaves open;
 *     null to do always the same
 * @param strict true to do what public sources leave open in the way that catches more mistakes
 */
public record MachineOptions(
    boolean checksWqes, boolean fencesEnables, @Nullable Long adversary, boolean strict) {
  /** Checks WQEs, has no fence hold an enable, draws nothing, and is not strict. */
  public static final MachineOptions DEFAULT = new MachineOptions(true, false, null);

  /** One that is not strict. */
  public MachineOptions(boolean checksWqes, boolean fencesEnables, @Nullable Long adversary) {
    this(checksWqes, fencesEnables, adversary, false);
  }
}
