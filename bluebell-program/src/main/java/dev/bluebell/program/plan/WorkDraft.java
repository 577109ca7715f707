package dev.bluebell.program.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A queue that works on memory while its entries are put together: it knows which instructions are
 * complete when the next entry begins, and holds back what needs more.
 */
final class WorkDraft {
  private final Lane lane;
  private final QueueDraft queue;
  private final Model model;
  private final List<Instruction> worked = new ArrayList<>();

  // Positions before which all, or all READs and atomics, are complete when the next entry begins.
  private int allDone;
  private int answersDone;

  // The same when the latest enable of the queue itself began: what those behind write may come
  // after the device has fetched what was enabled.
  private int allDoneThen;
  private int answersDoneThen;

  private boolean waited;

  WorkDraft(Lane lane, QueueDraft queue, Model model) {
    this.lane = lane;
    this.queue = queue;
    this.model = model;
  }

  /** Appends an instruction, with the fence that it needs within its stage. */
  void add(Instruction instruction) {
    Fence fence = Fence.NONE;
    for (int i = 0; i < worked.size(); i++) {
      Fence wider = fence.and(fenceFor(worked.get(i)));
      if (wider != fence && !isDone(i) && Hazards.needsCompletion(worked.get(i), instruction)) {
        fence = wider;
      }
    }
    cover(fence);
    worked.add(instruction);
    queue.add(new Entry.Work(instruction), fence);
  }

  /** Waits for some of the instructions; what is left to a fence is the answer. */
  Fence hold(Predicate<Instruction> which) {
    Fence fence = Fence.NONE;
    for (int i = 0; i < worked.size(); i++) {
      if (!isDone(i) && which.test(worked.get(i))) {
        fence = fence.and(fenceFor(worked.get(i)));
      }
    }
    if (fence == Fence.NONE) {
      return fence;
    }
    if (model == Model.CONSERVATIVE) {
      waitForOwn();
      waited = true;
      cover(Fence.ALL);
      return Fence.NONE;
    }
    cover(fence);
    return fence;
  }

  /** Waits until all that was appended is complete. */
  void waitForOwn() {
    int completion = queue.signalLast();
    queue.add(new Entry.Wait(Counter.of(lane), completion), Fence.NONE);
  }

  /** True when {@link #hold} has waited. */
  boolean hasWaited() {
    return waited;
  }

  /** True when one of some instructions may be complete only after what is enabled was fetched. */
  boolean mayComeAfterFetch(Predicate<Instruction> which) {
    return IntStream.range(0, worked.size())
        .anyMatch(i -> i >= then(worked.get(i)) && which.test(worked.get(i)));
  }

  private int then(Instruction instruction) {
    return instruction.isAnswered() ? answersDoneThen : allDoneThen;
  }

  /** Lets the device fetch what is appended from here on. */
  void enableNext(Fence fence) {
    queue.enable(lane, queue.segment() + 1, fence);
    endSegment();
  }

  /** Somebody else enables what is appended from here on, when he likes. */
  void endSegment() {
    queue.endSegment();
    allDoneThen = allDone;
    answersDoneThen = answersDone;
  }

  private static Fence fenceFor(Instruction before) {
    return before.isAnswered() ? Fence.ANSWERS : Fence.ALL;
  }

  private boolean isDone(int position) {
    return position < (worked.get(position).isAnswered() ? answersDone : allDone);
  }

  private void cover(Fence fence) {
    if (fence == Fence.ALL) {
      allDone = worked.size();
    }
    if (fence != Fence.NONE) {
      answersDone = worked.size();
    }
  }
}
