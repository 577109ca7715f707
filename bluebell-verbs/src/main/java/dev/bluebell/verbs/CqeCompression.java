package dev.bluebell.verbs;

import java.util.Locale;

/**
 * Whether and how a device writes several completions as one entry, which reduces its traffic.
 * Applications see the same completions in the same order, but those of one entry share a
 * timestamp, and a device may briefly delay a completion to wait for more.
 */
public enum CqeCompression {
  /** Each completion has its own entry. */
  NONE,

  /**
   * The layout that every device with compression supports: an entry says how many completions it
   * represents, and the slots after it hold their differences.
   */
  BASIC,

  /**
   * The layout of newer devices: blocks of up to seven completions, with less detail than full
   * entries.
   */
  ENHANCED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
