package dev.bluebell.program.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A queue while its entries are put together: an enable names a segment that is yet to end. */
final class QueueDraft {
  private final Lane lane;
  private final List<Draft> drafts = new ArrayList<>();
  private final List<Integer> segmentEnds = new ArrayList<>();
  private int index;
  private int signals;

  /** An entry; {@code segment} is the one that it enables to the end of, if it is an enable. */
  private record Draft(Entry entry, int segment) {}

  QueueDraft(Lane lane) {
    this.lane = lane;
  }

  void add(Entry.Action action, Fence fence) {
    add(action, fence, 0);
  }

  /** Lets a queue go on to the end of one of its segments. */
  void enable(Lane target, int segment, Fence fence) {
    add(new Entry.Enable(target, 0), fence, segment);
  }

  private void add(Entry.Action action, Fence fence, int segment) {
    Entry entry = new Entry(lane, index, action, fence, false);
    drafts.add(new Draft(entry, segment));
    index += entry.wqebbs();
  }

  /** Has the completion of the last entry counted, and gives its number. */
  int signalLast() {
    Draft draft = drafts.removeLast();
    Entry last = draft.entry();
    drafts.add(
        new Draft(
            new Entry(lane, last.index(), last.action(), last.fence(), true), draft.segment()));
    return signals++;
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
    int limit = queues.apply(enable.target()).segmentEnds.get(draft.segment());
    return new Entry(
        entry.lane(),
        entry.index(),
        new Entry.Enable(enable.target(), limit),
        entry.fence(),
        entry.signalled());
  }
}
