package dev.bluebell.softnic.diagnosis;

import dev.bluebell.hca.HcaObserver;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the flight record, which {@link FlightRecorder#copy} fills in pieces and whoever has it
 * turns into text without the engine. For one thread at a time.
 */
public final class FlightCopy {
  private final long[] words;
  private final @Nullable String[] attachments;
  private int from;
  private final int until;
  private int count;

  /**
   * @param older entries that come from elsewhere, before all others
   * @param from number of the first entry that is wanted
   * @param until number behind the last one
   */
  FlightCopy(int older, int from, int until) {
    this.from = from;
    this.until = until;
    words = new long[2 * (older + until - from)];
    attachments = new String[older + until - from];
  }

  /** Number of the next entry to be copied. */
  int next() {
    return from;
  }

  /** Entries that are still to be copied. */
  int left() {
    return until - from;
  }

  /** Gives up on entries that were written over meanwhile. */
  void skip(int entries) {
    from += Math.min(entries, left());
  }

  void add(long first, long second, @Nullable String attachment) {
    addOlder(first, second, attachment);
    from++;
  }

  /** Adds an entry that is not one of those from {@link #next} on. */
  void addOlder(long first, long second, @Nullable String attachment) {
    words[2 * count] = first;
    words[2 * count + 1] = second;
    attachments[count] = attachment;
    count++;
  }

  /** All entries as text, oldest first. */
  public List<String> lines() {
    return lines((kind, number, nanos, detail) -> true);
  }

  /** The entries that a filter takes, as text, oldest first; those of no object never are. */
  public List<String> lines(HcaObserver.Filter filter) {
    return lines(
        (kind, number, nanos, detail) -> {
          HcaObserver.Subject subject = Happening.subject(kind, detail);
          return subject != null && filter.takes(subject, number, nanos);
        });
  }

  private interface Choice {
    boolean takes(int kind, int number, long nanos, int detail);
  }

  private List<String> lines(Choice choice) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long a = words[2 * i];
      long b = words[2 * i + 1];
      int kind = (int) a & 0xff;
      int number = (int) (b >>> 40);
      int detail = (int) b & 0xffffff;
      if (choice.takes(kind, number, a >>> 8, detail)) {
        String what = Happening.describe(kind, number, (int) (b >>> 24) & 0xffff, detail);
        String line = "%,d ns  %s".formatted(a >>> 8, what);
        lines.add(attachments[i] == null ? line : line + "\n" + attachments[i]);
      }
    }
    return lines;
  }
}
