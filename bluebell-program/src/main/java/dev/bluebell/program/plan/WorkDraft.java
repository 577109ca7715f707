package dev.bluebell.program.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A queue on the program's memory, under construction: it tracks which instructions are complete
 * when the next entry is executed, and delays entries that need more.
 */
final class WorkDraft {
  private final Lane lane;
  private final QueueDraft queue;
  private final Model model;
  private final List<Instruction> worked = new ArrayList<>();

  // Positions before which all instructions, or all READs and atomics, are complete when the next
  // entry is executed.
  private int allDone;
  private int answersDone;

  // The same at the latest enable of the queue itself: later instructions may write after the
  // device has fetched the enabled entries.
  private int allDoneThen;
  private int answersDoneThen;

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

  /** Appends instructions, each stage behind the requests that write its bytes. */
  void addInStages(List<Instruction> instructions) {
    Stages stages = new Stages(instructions);
    for (int stage = 0; stage < stages.count(); stage++) {
      List<Instruction> next = stages.get(stage);
      if (stage > 0) {
        enableNext(hold(each -> next.stream().anyMatch(n -> Hazards.edits(each, n))));
      }
      next.forEach(this::add);
    }
  }

  /** Waits for some of the instructions; returns the fence that does the rest. */
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
      cover(Fence.ALL);
      return Fence.NONE;
    }
    cover(fence);
    return fence;
  }

  /** Waits until all appended instructions are complete. */
  void waitForOwn() {
    int completion = queue.signalLast();
    queue.add(new Entry.Wait(Counter.of(lane), completion), Fence.NONE);
  }

  /**
   * True when one of some instructions may complete only after the enabled entries were fetched.
   */
  boolean mayComeAfterFetch(Predicate<Instruction> which) {
    return IntStream.range(0, worked.size())
        .anyMatch(i -> i >= then(worked.get(i)) && which.test(worked.get(i)));
  }

  private int then(Instruction instruction) {
    return instruction.isAnswered() ? answersDoneThen : allDoneThen;
  }

  /** Ends the segment and enables the next one. */
  void enableNext(Fence fence) {
    queue.enable(lane, queue.segment() + 1, fence);
    endSegment();
  }

  /** Ends the segment; another queue may enable the next one at any time. */
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
