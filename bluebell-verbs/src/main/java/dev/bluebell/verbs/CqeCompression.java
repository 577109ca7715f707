package dev.bluebell.verbs;

import java.util.Locale;

/**
 * Whether and how a device writes several completions as one entry, which costs it less traffic. A
 * program sees the same completions in the same order; those of one entry have one timestamp, and a
 * device may hold a completion back for a moment to wait for more.
 */
public enum CqeCompression {
  /** Each completion has an entry. */
  NONE,

  /**
   * The layout that every device with compression has: an entry tells how many it stands for, and
   * what differs between them lies in the slots behind it.
   */
  BASIC,

  /**
   * The layout of newer devices: blocks of up to seven completions, which say less than entries.
   */
  ENHANCED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
