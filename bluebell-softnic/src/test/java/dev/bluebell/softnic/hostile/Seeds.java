package dev.bluebell.softnic.hostile;

import java.util.stream.LongStream;

/**
 * Seeds of random attacks: the same few in every build; the system property {@code
 * bluebell.hostile.seeds} sets a larger number for longer searches.
 */
final class Seeds {
  private static final int BY_DEFAULT = 2;

  private Seeds() {}

  static LongStream all() {
    return LongStream.rangeClosed(1, Integer.getInteger("bluebell.hostile.seeds", BY_DEFAULT));
  }
}
