package dev.bluebell.program.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A queue while its entries are put together: an enable names a segment that is yet to end. */
final class QueueDraft {
  /** WQEBBs of the longest NOP. */
  private static final int MAX_PAD = 16;

  private final Lane lane;
  private final List<Draft> drafts = new ArrayList<>();
  private final List<Integer> segmentEnds = new ArrayList<>();
  private int index;
  private int signals;

  /**
   * An entry; {@code segment} is the one that it enables to the end of, if it is an enable, so many
   * laps later.
   */
  private record Draft(Entry entry, int segment, int laps) {}

  QueueDraft(Lane lane) {
    this.lane = lane;
  }

  void add(Entry.Action action, Fence fence) {
    add(action, fence, 0, 0);
  }

  /** Lets a queue go on to the end of one of its segments. */
  void enable(Lane target, int segment, Fence fence) {
    add(new Entry.Enable(target, 0), fence, segment, 0);
  }

  /** Lets a queue go on to the end of one of its segments of so many laps later. */
  void enable(Lane target, int segment, int laps, Fence fence) {
    add(new Entry.Enable(target, 0), fence, segment, laps);
  }

  /** Lets a queue go on, through a gate, to the end of a segment of so many laps later. */
  void enableThrough(Gate gate, Lane target, int segment, int laps, Fence fence) {
    add(new Entry.Enable(target, 0, gate), fence, segment, laps);
  }

  /** Index behind the last entry. */
  int end() {
    return index;
  }

  /** Goes on with the first segment of the next lap. */
  void enableNextLap() {
    add(new Entry.Enable(lane, 0), Fence.NONE, 0, 1);
  }

  /** Entries that it takes at least to fill so many WQEBBs. */
  static int pads(int wqebbs) {
    return (wqebbs + MAX_PAD - 1) / MAX_PAD;
  }

  /** Fills so many WQEBBs, of the last segment if all segments have ended. */
  void pad(int wqebbs) {
    pad(wqebbs, pads(wqebbs));
  }

  /** The same by so many entries, of which there are enough and each has one WQEBB or more. */
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

  /** Has the completion of the last entry counted, and gives its number. */
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

  /** How many completions are counted. */
  int signals() {
    return signals;
  }

  /** Number of the segment that the next entry is in. */
  int segment() {
    return segmentEnds.size();
  }

  /** What was added up to here is enabled at once. */
  void endSegment() {
    segmentEnds.add(index);
  }

  /** The entries, with the indices that their enables name. */
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
