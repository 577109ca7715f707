package dev.bluebell.softnic.diagnosis;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaObserver;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last things that the device did: a ring of 16-byte entries, two words each. Always on;
 * written by the thread that runs the engine, read under the same ownership.
 *
 * <p>Whatever is done takes entries, so a busy client soon writes over all that there is. The
 * latest failures and connections are kept beside the ring as well, of each client its share.
 *
 * <p>An entry is a {@link HcaHappening}. Word 0: nanoseconds (56 bits) and kind. Word 1: object
 * number (24 bits), index (16 bits), detail (24 bits).
 */
public final class FlightRecorder {
  /** Entries that are copied at a time. */
  private static final int PIECE = 1024;

  /** Failures that are kept, of all clients together. */
  private static final int FAILURES = 512;

  /** Slot of what is not in the ring. */
  private static final int NOWHERE = -1;

  /** Connections that are kept, of all clients together. */
  private static final int CONNECTIONS = 512;

  private final DeviceTime time;
  private final long[] ring;
  private final int mask;
  private final @Nullable String[] attachments;
  private int recorded;
  private final SharedShelf<Kept> failures = new SharedShelf<>(FAILURES);
  private final SharedShelf<Kept> connections = new SharedShelf<>(CONNECTIONS);
  private final BitSet traced = new BitSet();
  private boolean tracesAll;

  // True when any queue pair is traced.
  private boolean tracing;

  // True once any text was attached, so that the usual record() does not touch a second array.
  private boolean attached;

  /** An entry whose words may be in the ring no more. */
  private record Kept(int slot, long first, long second, @Nullable String text) {}

  /**
   * @param entries how much is remembered, a power of two
   */
  public FlightRecorder(DeviceTime time, int entries) {
    if (Integer.bitCount(entries) != 1) {
      throw new IllegalArgumentException(
          "the flight recorder holds a power of two of entries, not " + entries);
    }
    this.time = time;
    ring = new long[2 * entries];
    mask = entries - 1;
    attachments = new String[entries];
  }

  /** What entries take their time from. */
  public DeviceTime time() {
    return time;
  }

  /** Records one thing; see {@link HcaHappening} for the meaning of the numbers. */
  public void record(int kind, int number, int index, int detail) {
    long[] words = ring;
    int slot = recorded++;
    // The JIT drops the bounds check of exactly this form of index.
    int at = 2 * slot & words.length - 1;
    words[at] = time.now() << 8 | kind;
    words[at + 1] = (long) number << 40 | (long) (index & 0xffff) << 24 | detail & 0xffffff;
    if (attached) {
      attachments[slot & mask] = null;
    }
  }

  /** Records one thing with text, such as a whole WQE. */
  public void record(int kind, int number, int index, int detail, String text) {
    record(kind, number, index, detail);
    attached = true;
    attachments[recorded - 1 & mask] = text;
  }

  /**
   * Records one thing of a queue pair that is traced, at the time that it is, not at which the duty
   * cycle began.
   *
   * @param text null for none
   */
  public void recordTraced(int kind, int number, int index, int detail, @Nullable String text) {
    time.refresh();
    if (text == null) {
      record(kind, number, index, detail);
    } else {
      record(kind, number, index, detail, text);
    }
  }

  /**
   * Records a failure, which is kept for longer than the rest.
   *
   * @param client whose it is
   * @param text such as a whole WQE; null for none
   */
  public void recordFailure(
      Object client, int kind, int number, int index, int detail, @Nullable String text) {
    if (text == null) {
      record(kind, number, index, detail);
    } else {
      record(kind, number, index, detail, text);
    }
    int slot = recorded - 1 & mask;
    // What it displaces is kept no more.
    Kept unused = failures.add(client, new Kept(slot, ring[2 * slot], ring[2 * slot + 1], text));
  }

  /**
   * Keeps for long that a queue pair learned its peer. It takes no entry of the ring, in which
   * texts cost time.
   *
   * @param client whose it is
   * @param text see {@link HcaHappening#CONNECTED}
   */
  public void recordConnection(
      Object client, int number, boolean isHere, int remoteQpn, String text) {
    long first = time.now() << 8 | HcaHappening.CONNECTED;
    long second = (long) number << 40 | (isHere ? 1L : 0) << 24 | remoteQpn & 0xffffff;
    // What it displaces is kept no more.
    Kept unused = connections.add(client, new Kept(NOWHERE, first, second, text));
  }

  private boolean isInRing(Kept kept) {
    int at = 2 * kept.slot;
    return kept.slot != NOWHERE && ring[at] == kept.first && ring[at + 1] == kept.second;
  }

  /** True when units should attach whole WQEs and CQEs of a queue pair. */
  public boolean isTracing(int qpn) {
    return tracing && (tracesAll || traced.get(qpn));
  }

  /** Lets units attach whole WQEs and CQEs of all queue pairs, or of those alone that are named. */
  public void trace(boolean on) {
    tracesAll = on;
    tracing = tracesAll || !traced.isEmpty();
  }

  /** Lets units attach whole WQEs and CQEs of a queue pair. */
  public void trace(int qpn, boolean on) {
    traced.set(qpn, on);
    tracing = tracesAll || !traced.isEmpty();
  }

  /** Begins a copy of all that is remembered now; {@link #copy} fills it. */
  public FlightCopy begin() {
    int count = recorded < 0 ? mask + 1 : Math.min(recorded, mask + 1);
    List<Kept> older = new ArrayList<>();
    for (SharedShelf<Kept> shelf : List.of(failures, connections)) {
      shelf.forEach(
          kept -> {
            if (!isInRing(kept)) {
              older.add(kept);
            }
          });
    }
    older.sort(Comparator.comparingLong(Kept::first));
    FlightCopy copy = new FlightCopy(older.size(), recorded - count, recorded);
    older.forEach(kept -> copy.addOlder(kept.first, kept.second, kept.text));
    return copy;
  }

  /**
   * Copies some of what {@link #begin} found, oldest first; what was written over since is left
   * out. A copy of everything would hold the device up.
   *
   * @return true while more is left
   */
  public boolean copy(FlightCopy to) {
    to.skip(Math.max(0, recorded - mask - 1 - to.next()));
    for (int i = Math.min(PIECE, to.left()); i > 0; i--) {
      int slot = to.next() & mask;
      to.add(ring[2 * slot], ring[2 * slot + 1], attachments[slot]);
    }
    return to.left() > 0;
  }

  /** All entries, oldest first. */
  public List<HcaHappening> happenings() {
    return copy().happenings();
  }

  /** The entries that a filter takes, oldest first; those of no object never are. */
  public List<HcaHappening> happenings(HcaObserver.Filter filter) {
    return copy().happenings(filter);
  }

  private FlightCopy copy() {
    FlightCopy copy = begin();
    while (copy(copy)) {
      // Goes on.
    }
    return copy;
  }
}
