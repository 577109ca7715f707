package dev.bluebell.softnic.diagnosis;

import dev.bluebell.hca.HcaHappening;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The flight recorder: a ring of 16-byte entries, two words each, with the latest happenings of the
 * device. Always on; written by the thread that runs the engine, read under the same ownership.
 *
 * <p>A busy client soon overwrites the whole ring. So the latest failures and connections are kept
 * outside the ring as well, with a share for each client.
 *
 * <p>An entry is a {@link HcaHappening}. Word 0: nanoseconds (56 bits) and kind. Word 1: object
 * number (24 bits), index (16 bits), detail (24 bits).
 */
public final class FlightRecorder {
  /** Number of entries copied at a time. */
  private static final int PIECE = 1024;

  /** Failures that are kept, for all clients together. */
  private static final int FAILURES = 512;

  /** Slot of an entry that is not in the ring. */
  private static final int NOWHERE = -1;

  /** Connections that are kept, for all clients together. */
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

  // True once any text was attached; until then record() does not touch the second array.
  private boolean attached;

  /** An entry that the ring may no longer contain. */
  private record Kept(int slot, long first, long second, @Nullable String text) {}

  /**
   * @param entries size of the ring, a power of two
   */
  public FlightRecorder(DeviceTime time, int entries) {
    if (Integer.bitCount(entries) != 1) {
      throw new IllegalArgumentException(
          "the number of flight recorder entries must be a power of two, not " + entries);
    }
    this.time = time;
    ring = new long[2 * entries];
    mask = entries - 1;
    attachments = new String[entries];
  }

  /** The clock of the entries. */
  public DeviceTime time() {
    return time;
  }

  /** Records a happening; see {@link HcaHappening} for the meaning of the numbers. */
  public void record(int kind, int number, int index, int detail) {
    long[] words = ring;
    int slot = recorded++;
    // The JIT drops the bounds check only for this exact form of the index.
    int at = 2 * slot & words.length - 1;
    words[at] = time.now() << 8 | kind;
    words[at + 1] = (long) number << 40 | (long) (index & 0xffff) << 24 | detail & 0xffffff;
    if (attached) {
      attachments[slot & mask] = null;
    }
  }

  /**
   * Records a happening with text.
   *
   * @param text such as a whole WQE; null for none
   */
  public void record(int kind, int number, int index, int detail, @Nullable String text) {
    record(kind, number, index, detail);
    if (text != null) {
      attached = true;
      attachments[recorded - 1 & mask] = text;
    }
  }

  /**
   * Records a happening of a traced queue pair, with the current time instead of the duty cycle's.
   *
   * @param text null for none
   */
  public void recordTraced(int kind, int number, int index, int detail, @Nullable String text) {
    time.refresh();
    record(kind, number, index, detail, text);
  }

  /**
   * Records a failure, which is kept longer than other entries.
   *
   * @param client the client that the entry belongs to
   * @param text such as a whole WQE; null for none
   */
  public void recordFailure(
      Object client, int kind, int number, int index, int detail, @Nullable String text) {
    record(kind, number, index, detail, text);
    int slot = recorded - 1 & mask;
    // The displaced entry is dropped.
    Kept unused = failures.add(client, new Kept(slot, ring[2 * slot], ring[2 * slot + 1], text));
  }

  /**
   * Records that a queue pair learned its peer, and keeps it longer than other entries. It is not
   * in the ring, where texts cost time.
   *
   * @param client the client that the entry belongs to
   * @param text see {@link HcaHappening#CONNECTED}
   */
  public void recordConnection(
      Object client, int number, boolean isHere, int remoteQpn, String text) {
    long first = time.now() << 8 | HcaHappening.CONNECTED;
    long second = (long) number << 40 | (isHere ? 1L : 0) << 24 | remoteQpn & 0xffffff;
    // The displaced entry is dropped.
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

  /**
   * Lets units attach whole WQEs and CQEs of all queue pairs, or only of those chosen by number.
   */
  public void trace(boolean on) {
    tracesAll = on;
    tracing = tracesAll || !traced.isEmpty();
  }

  /** Lets units attach whole WQEs and CQEs of a queue pair. */
  public void trace(int qpn, boolean on) {
    traced.set(qpn, on);
    tracing = tracesAll || !traced.isEmpty();
  }

  /** Begins a copy of all current entries; {@link #copy} fills it. */
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
    FlightCopy copy = new FlightCopy(mask + 1, older.size(), recorded - count, recorded);
    older.forEach(kept -> copy.addOlder(kept.first, kept.second, kept.text));
    return copy;
  }

  /**
   * Copies some of the entries that {@link #begin} found, oldest first, without those overwritten
   * since. Copying all at once would hold the device up.
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
}
