package dev.bluebell.program.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A queue under construction: an enable names a segment whose end is not known yet. */
final class QueueDraft {
  /** WQEBBs of the smallest ring that wraps. */
  static final int MIN_SLOTS = 16;

  /** A SEND_EN reaches less than 2^15 WQEBBs ahead. */
  private static final int MAX_SLOTS = 1 << 13;

  /** WQEBBs of the longest NOP. */
  private static final int MAX_PAD = 16;

  private final Lane lane;
  private final List<Draft> drafts = new ArrayList<>();
  private final List<Integer> segmentEnds = new ArrayList<>();
  private int index;
  private int signals;

  /**
   * An entry of a queue. For an enable, {@code segment} is the last segment that it enables, and
   * {@code laps} the number of laps until then.
   */
  private record Draft(Entry entry, int segment, int laps) {}

  QueueDraft(Lane lane) {
    this.lane = lane;
  }

  /**
   * Number of WQEBBs of a ring that wraps.
   *
   * @param wqebbs those of its entries
   * @param tooMany format of the message for too many entries, with their number and the maximum
   * @throws IllegalArgumentException when there are too many entries
   */
  static int slots(int wqebbs, String tooMany) {
    if (wqebbs > MAX_SLOTS) {
      throw new IllegalArgumentException(tooMany.formatted(wqebbs, MAX_SLOTS));
    }
    return Math.max(MIN_SLOTS, 1 << Placement.log2Ceil(wqebbs));
  }

  void add(Entry.Action action, Fence fence) {
    add(action, fence, 0, 0);
  }

  /** Enables a queue up to the end of one of its segments. */
  void enable(Lane target, int segment, Fence fence) {
    add(new Entry.Enable(target, 0), fence, segment, 0);
  }

  /** Enables a queue up to the end of one of its segments, some laps later. */
  void enable(Lane target, int segment, int laps, Fence fence) {
    add(new Entry.Enable(target, 0), fence, segment, laps);
  }

  /** Enables a queue, through a gate, up to the end of one of its segments, some laps later. */
  void enableThrough(Gate gate, Lane target, int segment, int laps, Fence fence) {
    add(new Entry.Enable(target, 0, gate), fence, segment, laps);
  }

  /** Index after the last entry. */
  int end() {
    return index;
  }

  /** Enables the first segment of the next lap. */
  void enableNextLap() {
    add(new Entry.Enable(lane, 0), Fence.NONE, 0, 1);
  }

  /** Minimum number of NOPs that fill some WQEBBs. */
  static int pads(int wqebbs) {
    return (wqebbs + MAX_PAD - 1) / MAX_PAD;
  }

  /** Fills WQEBBs with NOPs; they extend the last segment if all segments have ended. */
  void pad(int wqebbs) {
    pad(wqebbs, pads(wqebbs));
  }

  /**
   * As the other method, with a number of NOPs that suffices and leaves each at least one WQEBB.
   */
  void pad(int wqebbs, int entries) {
    boolean ended = !segmentEnds.isEmpty() && segmentEnds.getLast() == index;
    int left = wqebbs;
    for (int others = entries - 1; others >= 0; others--) {
      int filled = Math.min(left - others, MAX_PAD);
      add(new Entry.Pad(filled), Fence.NONE);
      left -= filled;
    }
    if (ended) {
      segmentEnds.removeLast();
      endSegment();
    }
  }

  private void add(Entry.Action action, Fence fence, int segment, int laps) {
    Entry entry = new Entry(lane, index, action, fence, false);
    drafts.add(new Draft(entry, segment, laps));
    index += entry.wqebbs();
  }

  /** Makes the last entry generate a completion; returns the number of the completion. */
  int signalLast() {
    Draft draft = drafts.removeLast();
    Entry last = draft.entry();
    drafts.add(
        new Draft(
            new Entry(lane, last.index(), last.action(), last.fence(), true),
            draft.segment(),
            draft.laps()));
    return signals++;
  }

  /** Number of completions that the queue generates. */
  int signals() {
    return signals;
  }

  /** Number of the segment of the next entry. */
  int segment() {
    return segmentEnds.size();
  }

  /** Ends a segment, whose entries are enabled together. */
  void endSegment() {
    segmentEnds.add(index);
  }

  /** The entries, with the limits of their enables resolved. */
  List<Entry> entries(Function<Lane, QueueDraft> queues) {
    return drafts.stream().map(draft -> resolved(draft, queues)).toList();
  }

  private static Entry resolved(Draft draft, Function<Lane, QueueDraft> queues) {
    Entry entry = draft.entry();
    if (!(entry.action() instanceof Entry.Enable enable)) {
      return entry;
    }
    QueueDraft target = queues.apply(enable.target());
    int limit = target.segmentEnds.get(draft.segment()) + draft.laps() * target.index;
    return new Entry(
        entry.lane(),
        entry.index(),
        new Entry.Enable(enable.target(), limit, enable.gate()),
        entry.fence(),
        entry.signalled());
  }
}
