package dev.bluebell.softnic.diagnosis;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaObserver;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the flight record, which {@link FlightRecorder#copy} fills in pieces, and which is then
 * read without owning the engine. For one thread at a time.
 */
public final class FlightCopy {
  private final long[] words;
  private final @Nullable String[] attachments;
  private final int room;
  private final int older;
  private int from;
  private final int until;
  private int count;

  /**
   * @param room number of entries that the ring has room for
   * @param older number of entries from outside the ring
   * @param from number of the first entry to copy, counted since the device was opened
   * @param until number after the last entry to copy
   */
  FlightCopy(int room, int older, int from, int until) {
    this.room = room;
    this.older = older;
    this.from = from;
    this.until = until;
    words = new long[2 * (older + until - from)];
    attachments = new String[older + until - from];
  }

  /** Number of the next entry to be copied. */
  int next() {
    return from;
  }

  /** Number of entries that are still to be copied. */
  int left() {
    return until - from;
  }

  /** Skips entries that were overwritten meanwhile. */
  void skip(int entries) {
    from += Math.min(entries, left());
  }

  void add(long first, long second, @Nullable String attachment) {
    addOlder(first, second, attachment);
    from++;
  }

  /** Adds an entry from outside the ring, which is not one of those from {@link #next} on. */
  void addOlder(long first, long second, @Nullable String attachment) {
    words[2 * count] = first;
    words[2 * count + 1] = second;
    attachments[count] = attachment;
    count++;
  }

  /** All entries, oldest first; of those of the same time, connections and failures come first. */
  public List<HcaHappening> happenings() {
    List<HcaHappening> happenings = new ArrayList<>();
    int lost = until - (count - older);
    for (int i = 0; i < count; i++) {
      long a = words[2 * i];
      long b = words[2 * i + 1];
      if (i == older && lost != 0) {
        happenings.add(new HcaHappening(a >>> 8, HcaHappening.OVERWRITTEN, room, 0, 0, null));
      }
      happenings.add(
          new HcaHappening(
              a >>> 8,
              (int) a & 0xff,
              (int) (b >>> 40),
              (int) (b >>> 24) & 0xffff,
              (int) b & 0xffffff,
              attachments[i]));
    }
    happenings.sort(Comparator.comparingLong(HcaHappening::nanos));
    return happenings;
  }

  /**
   * The entries that a filter accepts, oldest first. Of the entries of no object, only {@link
   * HcaHappening#OVERWRITTEN} is among them.
   */
  public List<HcaHappening> happenings(HcaObserver.Filter filter) {
    return happenings().stream()
        .filter(
            happening -> {
              HcaObserver.Subject subject = happening.subject();
              return subject == null
                  ? happening.kind() == HcaHappening.OVERWRITTEN
                  : filter.takes(subject, happening.number(), happening.nanos());
            })
        .toList();
  }
}
