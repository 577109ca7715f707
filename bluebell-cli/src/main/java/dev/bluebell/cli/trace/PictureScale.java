package dev.bluebell.cli.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The time axis of a picture, from left to right. A very long time without events, as at the end of
 * an application, takes a small fixed width, so that it does not squeeze the rest. All of them
 * together take at most half of the axis: of more, only the longest do.
 */
final class PictureScale {
  /** Width of such a pause. */
  static final double PAUSE = 34;

  /** A pause is this many times longer than the median gap between two moments. */
  private static final int UNUSUAL = 20;

  /** A pause is longer than this fraction (1/n) of the busy time. */
  private static final int SHARE = 12;

  private final double left;
  private final double perNano;
  private final long start;
  private final List<Pause> pauses = new ArrayList<>();

  /** A time without events, between two moments. */
  record Pause(long from, long to) {
    long nanos() {
      return to - from;
    }
  }

  /**
   * @param moments times of events
   * @param left position of the first
   * @param width from there to the last
   */
  PictureScale(long[] moments, double left, double width) {
    this.left = left;
    long[] times = Arrays.stream(moments).sorted().distinct().toArray();
    start = times.length == 0 ? 0 : times[0];
    long busy = times.length == 0 ? 0 : times[times.length - 1] - start;
    long usual = usual(times);
    boolean found = true;
    while (found) {
      found = false;
      for (int i = 1; i < times.length; i++) {
        Pause pause = new Pause(times[i - 1], times[i]);
        boolean isLong = pause.nanos() > UNUSUAL * usual && pause.nanos() > busy / SHARE;
        if (isLong && !pauses.contains(pause)) {
          pauses.add(pause);
          busy -= pause.nanos();
          found = true;
        }
      }
    }
    pauses.sort(Comparator.comparingLong(Pause::nanos));
    while (pauses.size() * PAUSE > width / 2) {
      busy += pauses.removeFirst().nanos();
    }
    pauses.sort(Comparator.comparingLong(Pause::from));
    perNano = (width - pauses.size() * PAUSE) / Math.max(1, busy);
  }

  /** The median gap between two moments. */
  private static long usual(long[] times) {
    long[] between = new long[Math.max(0, times.length - 1)];
    for (int i = 0; i < between.length; i++) {
      between[i] = times[i + 1] - times[i];
    }
    Arrays.sort(between);
    return between.length == 0 ? 0 : between[between.length / 2];
  }

  /** The pauses, in order of time. */
  List<Pause> pauses() {
    return pauses;
  }

  /** Nanoseconds that a width shows, outside pauses. */
  double nanosOf(double width) {
    return width / perNano;
  }

  double x(long nanos) {
    double x = left;
    long from = start;
    for (Pause pause : pauses) {
      if (nanos <= pause.from) {
        break;
      }
      x += (pause.from - from) * perNano;
      double passed = Math.min(1, (nanos - pause.from) / (double) pause.nanos());
      x += passed * PAUSE;
      from = Math.min(nanos, pause.to);
    }
    return x + (nanos - from) * perNano;
  }

  /** True for a time within a pause, which is not drawn to scale. */
  boolean isPause(long nanos) {
    return pauses.stream().anyMatch(pause -> nanos > pause.from && nanos < pause.to);
  }
}
