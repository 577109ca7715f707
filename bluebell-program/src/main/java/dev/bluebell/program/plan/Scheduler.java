package dev.bluebell.program.plan;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Schedules instructions, with the minimum number of WAITs and enables that the ordering rules
 * allow.
 *
 * <p>Instructions fall into {@link Stages}. The longest chain of dependencies determines the number
 * of stages. Between two stages there is one barrier: a WAIT for the requests that must be
 * complete, and a SEND_EN for each queue that continues. Within a stage, fences are enough, which
 * cost nothing.
 */
final class Scheduler {
  private final Sequence sequence;
  private final List<Stages> blocks;
  private final Model model;
  private final QueueDraft launcher = new QueueDraft(Lane.LAUNCHER);
  private final QueueDraft worker = new QueueDraft(Lane.WORKER);
  private final QueueDraft client = new QueueDraft(Lane.CLIENT);
  private final WorkDraft work;

  // Instructions of the client's queue, and the number of them that are complete when the worker's
  // next entry is executed.
  private final List<Instruction> sent = new ArrayList<>();
  private int sentDone;

  // Rearms the program for the next call, if it answers many; and the padding of the rings then.
  private final @Nullable Lap lap;
  private final Map<Lane, Integer> pads;

  // The worker's SEND_ENs of the loops, and the numbers of its segments after them.
  private final List<Slot> enablers = new ArrayList<>();
  private final List<Integer> exits = new ArrayList<>();

  private int calls;

  /**
   * @param lap rearms the program for its next call; null when there is none
   * @param pads WQEBBs that fill the rings then
   */
  private Scheduler(Sequence sequence, Model model, @Nullable Lap lap, Map<Lane, Integer> pads) {
    this.sequence = sequence;
    blocks = sequence.stages();
    this.model = model;
    this.lap = lap;
    this.pads = pads;
    work = new WorkDraft(Lane.WORKER, worker, model);
    draft();
  }

  /** The schedule of a program for many calls, without its loops. */
  static Scheduler ofLap(Sequence sequence, Model model, Lap lap, Map<Lane, Integer> pads) {
    return new Scheduler(sequence, model, lap, pads);
  }

  /** The schedule of the instructions around the loops. */
  static Scheduler around(Sequence sequence, Model model) {
    return new Scheduler(sequence, model, null, Map.of());
  }

  /** Number of completions per lap. */
  int completions(Counter counter) {
    return switch (counter) {
      case LAUNCHER -> launcher.signals();
      case WORKER -> worker.signals();
      case CLIENT -> client.signals();
      case CALLS -> 1;
      case SUBPROGRAM -> calls * Objects.requireNonNull(sequence.callee()).queue().signals();
      case LOOP, SECOND_LOOP -> 0;
    };
  }

  /** Number of WQEBBs of the subprogram that a lap executes. */
  int calledSlots() {
    return calls * Objects.requireNonNull(sequence.callee()).queue().end();
  }

  /** The entries, once all queues exist that their enables name. */
  Map<Lane, List<Entry>> entries(Function<Lane, QueueDraft> queues) {
    Map<Lane, List<Entry>> entries = new EnumMap<>(Lane.class);
    for (Lane lane : new Lane[] {Lane.LAUNCHER, Lane.WORKER, Lane.CLIENT}) {
      entries.put(lane, draft(lane).entries(queues));
    }
    if (sequence.callee() != null) {
      entries.put(Lane.SUBPROGRAM, draft(Lane.SUBPROGRAM).entries(queues));
    }
    return entries;
  }

  /** The worker's SEND_EN of a loop. */
  Slot enabler(int loop) {
    return enablers.get(loop);
  }

  /** Number of the worker's segment after a loop. */
  int exit(int loop) {
    return exits.get(loop);
  }

  QueueDraft draft(Lane lane) {
    return switch (lane) {
      case LAUNCHER -> launcher;
      case WORKER -> worker;
      case CLIENT -> client;
      case SUBPROGRAM -> Objects.requireNonNull(sequence.callee()).queue();
      case LOOP, SECOND_LOOP ->
          throw new IllegalArgumentException("a loop's queue is not drafted here");
    };
  }

  private void draft() {
    launcher.add(new Entry.Wait(Counter.CALLS, 0), Fence.NONE);
    if (isEnabledFirst()) {
      launcher.enable(Lane.WORKER, 0, Fence.NONE);
    }
    for (int block = 0; block < blocks.size(); block++) {
      if (block > 0) {
        switch (sequence.between().get(block - 1)) {
          case LOOP -> enterLoop();
          case CALL -> call();
        }
      }
      block(block == 0, blocks.get(block));
    }
    if (lap != null) {
      again(lap);
    }
    worker.endSegment();
  }

  private void block(boolean first, Stages stages) {
    for (int stage = 0; stage < stages.count(); stage++) {
      stage(first && stage == 0, stages.get(stage));
      if (lap != null && first && stage == 0) {
        lap.earlyReads().forEach(work::add);
      }
    }
  }

  /** True when the worker's entries include more than the instructions. */
  private boolean isEnabledFirst() {
    return lap != null || blocks.size() > 1;
  }

  // ---- stages

  private void stage(boolean first, List<Instruction> next) {
    barrier(first, next);
    next.forEach(this::add);
    if (next.stream().anyMatch(Instruction::isSent)) {
      client.endSegment();
    }
  }

  private void barrier(boolean first, List<Instruction> next) {
    Fence fence = first ? Fence.NONE : hold(next);
    QueueDraft holder = first && !isEnabledFirst() ? launcher : worker;
    if (next.stream().anyMatch(Instruction::isSent)) {
      holder.enable(Lane.CLIENT, client.segment(), fence);
    }
    if (first) {
      if (!isEnabledFirst() && !blocks.getFirst().areAllSent()) {
        holder.enable(Lane.WORKER, worker.segment(), fence);
      }
    } else if (next.stream().anyMatch(this::isEditedWhenFetched)) {
      work.enableNext(fence);
    }
  }

  private boolean isEditedWhenFetched(Instruction next) {
    return !next.isSent() && work.mayComeAfterFetch(each -> Hazards.edits(each, next));
  }

  /** Waits for the requests that the next stage needs; returns the fence that does the rest. */
  private Fence hold(List<Instruction> next) {
    if (next.stream().anyMatch(this::needsSent)) {
      waitForClient();
    }
    return work.hold(
        each -> next.stream().anyMatch(n -> Hazards.edits(each, n) || Hazards.crosses(each, n)));
  }

  private boolean needsSent(Instruction next) {
    return sent.subList(sentDone, sent.size()).stream()
        .anyMatch(each -> Hazards.crosses(each, next));
  }

  private void waitForClient() {
    int completion = client.signalLast();
    worker.add(new Entry.Wait(Counter.CLIENT, completion), Fence.NONE);
    sentDone = sent.size();
  }

  private void add(Instruction instruction) {
    if (instruction.isSent()) {
      sent.add(instruction);
      client.add(new Entry.Work(instruction), Fence.NONE);
    } else {
      work.add(instruction);
    }
  }

  // ---- a loop

  /**
   * Waits for all requests before the loop; when the loop is left, its gate enables the entries
   * after it.
   */
  private void enterLoop() {
    if (sentDone < sent.size()) {
      waitForClient();
    }
    Lane loop = exits.isEmpty() ? Lane.LOOP : Lane.SECOND_LOOP;
    Fence fence = work.hold(_ -> true);
    enablers.add(new Slot(Lane.WORKER, worker.end()));
    worker.enable(loop, 0, fence);
    work.endSegment();
    exits.add(worker.segment());
  }

  // ---- a subprogram

  /** Waits for the requests that the subprogram needs, enables it, and waits for its end. */
  private void call() {
    Callee callee = Objects.requireNonNull(sequence.callee());
    if (callee.body().stream().anyMatch(this::needsSent)) {
      waitForClient();
    }
    worker.enable(Lane.SUBPROGRAM, 0, calls, work.hold(callee::concerns));
    calls++;
    int last = calls * callee.queue().signals() - 1;
    worker.add(new Entry.Wait(Counter.SUBPROGRAM, last), Fence.NONE);
  }

  // ---- between laps

  /**
   * Ends a lap. The client's queue enables this part, because it executes nothing after an error.
   * Otherwise, the receives that are posted here would be flushed, and each of them would start a
   * lap, without end.
   */
  private void again(Lap next) {
    Fence fence = work.hold(next.earlyReads()::contains);
    client.pad(pads.getOrDefault(Lane.CLIENT, 0));
    worker.enable(Lane.CLIENT, client.segment(), fence);
    client.enable(Lane.WORKER, worker.segment() + 1, Fence.NONE);
    client.endSegment();
    worker.endSegment();
    waitForClient();
    worker.pad(pads.getOrDefault(Lane.WORKER, 0));
    next.sums().forEach(this::append);
    Fence sumsDone = Fence.ANSWERS;
    for (Instruction read : next.lateReads()) {
      worker.add(new Entry.Work(read), sumsDone);
      sumsDone = Fence.NONE;
    }
    if (model == Model.CONSERVATIVE) {
      work.waitForOwn();
    }
    worker.add(new Entry.Work(next.post()), model == Model.ASSUMED ? Fence.ANSWERS : Fence.NONE);
    worker.add(new Entry.Wait(Counter.CALLS, 1), Fence.NONE);
    worker.enableNextLap();
  }

  private void append(Instruction instruction) {
    worker.add(new Entry.Work(instruction), Fence.NONE);
  }
}
