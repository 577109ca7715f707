package dev.bluebell.program.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Orders instructions and holds them back, with the fewest WAITs and enables that the rules allow.
 *
 * <p>Instructions fall into stages. One goes a stage behind those that write its bytes, because it
 * must be fetched when they are complete, and behind those of the other queue that it conflicts
 * with; other conflicts, and messages to the client, keep the order of the program within a stage.
 * So there are as many stages as the longest chain asks for, and between two stages there is one
 * barrier: a WAIT for what must be complete, and a SEND_EN for each queue that goes on. Within a
 * stage fences do, which cost nothing.
 */
public final class Scheduler {
  private final List<Instruction> instructions;
  private final Model model;
  private final int[] stages;
  private final QueueDraft launcher = new QueueDraft(Lane.LAUNCHER);
  private final QueueDraft worker = new QueueDraft(Lane.WORKER);
  private final QueueDraft client = new QueueDraft(Lane.CLIENT);

  // Positions among the worker's instructions before which all, or all READs and atomics, are
  // complete when the next entry begins; and the same of the client's queue.
  private final List<Instruction> worked = new ArrayList<>();
  private final List<Instruction> sent = new ArrayList<>();
  private int allDone;
  private int answersDone;
  private int sentDone;

  // The same when the latest enable of the worker's own queue began: what those behind write may
  // come after the device has fetched what was enabled.
  private int allDoneThen;
  private int answersDoneThen;

  // What makes the program ready for the next call, if it shall; and what fills the rings then.
  private final @Nullable Lap lap;
  private final Map<Lane, Integer> pads;
  private boolean earlyReadsDone;

  /**
   * A schedule.
   *
   * @param lap makes the program ready for its next call; null when there is none
   * @param pads WQEBBs that fill the rings then
   */
  Scheduler(
      List<Instruction> instructions, Model model, @Nullable Lap lap, Map<Lane, Integer> pads) {
    this.instructions = instructions;
    this.model = model;
    this.lap = lap;
    this.pads = pads;
    stages = stages(instructions);
  }

  /**
   * Puts instructions into queues.
   *
   * @param instructions in the order of the program
   * @param model what may be believed of the device
   * @return the entries of each queue
   */
  public static Map<Lane, List<Entry>> schedule(List<Instruction> instructions, Model model) {
    return new Scheduler(instructions, model, null, Map.of()).run();
  }

  /** Completions that are counted in a lap. */
  int completions(Counter counter) {
    return switch (counter) {
      case LAUNCHER -> launcher.signals();
      case WORKER -> worker.signals();
      case CLIENT -> client.signals();
      case CALLS -> 1;
    };
  }

  private static int[] stages(List<Instruction> instructions) {
    int[] stages = new int[instructions.size()];
    for (int j = 0; j < stages.length; j++) {
      Instruction second = instructions.get(j);
      for (int i = 0; i < j; i++) {
        Instruction first = instructions.get(i);
        boolean behind = Hazards.edits(first, second) || crosses(first, second);
        if (behind || isSent(first) && isSent(second) || Hazards.conflict(first, second)) {
          stages[j] = Math.max(stages[j], stages[i] + (behind ? 1 : 0));
        }
      }
    }
    return stages;
  }

  private static boolean crosses(Instruction first, Instruction second) {
    return first.lane() != second.lane() && Hazards.conflict(first, second);
  }

  /** The entries of each queue. */
  Map<Lane, List<Entry>> run() {
    launcher.add(new Entry.Wait(Counter.CALLS, 0), Fence.NONE);
    if (lap != null) {
      launcher.enable(Lane.WORKER, 0, Fence.NONE);
    }
    int last = Arrays.stream(stages).max().orElse(0);
    for (int stage = 0; stage <= last; stage++) {
      List<Instruction> next = ofStage(stage);
      barrier(stage, next);
      next.forEach(this::add);
      if (next.stream().anyMatch(Scheduler::isSent)) {
        client.endSegment();
      }
      if (lap != null && stage == 0) {
        lap.earlyReads().forEach(this::append);
      }
    }
    if (lap != null) {
      again(lap);
    }
    worker.endSegment();
    Map<Lane, List<Entry>> entries = new EnumMap<>(Lane.class);
    for (Lane lane : Lane.values()) {
      entries.put(lane, draft(lane).entries(this::draft));
    }
    return entries;
  }

  private QueueDraft draft(Lane lane) {
    return switch (lane) {
      case LAUNCHER -> launcher;
      case WORKER -> worker;
      case CLIENT -> client;
    };
  }

  private List<Instruction> ofStage(int stage) {
    return IntStream.range(0, stages.length)
        .filter(i -> stages[i] == stage)
        .mapToObj(instructions::get)
        .toList();
  }

  // ---- between stages

  private void barrier(int stage, List<Instruction> next) {
    Fence fence = stage == 0 ? Fence.NONE : hold(next);
    QueueDraft holder = stage == 0 && lap == null ? launcher : worker;
    if (next.stream().anyMatch(Scheduler::isSent)) {
      holder.enable(Lane.CLIENT, client.segment(), fence);
    }
    if (stage == 0) {
      if (lap == null && !instructions.stream().allMatch(Scheduler::isSent)) {
        holder.enable(Lane.WORKER, worker.segment(), fence);
      }
    } else if (next.stream().anyMatch(this::isEditedWhenFetched)) {
      holder.enable(Lane.WORKER, worker.segment() + 1, fence);
      worker.endSegment();
      allDoneThen = allDone;
      answersDoneThen = answersDone;
    }
  }

  private static boolean isSent(Instruction instruction) {
    return instruction.lane() == Lane.CLIENT;
  }

  private boolean isEditedWhenFetched(Instruction next) {
    return !isSent(next)
        && IntStream.range(0, worked.size())
            .anyMatch(i -> mayComeAfterFetch(i) && Hazards.edits(worked.get(i), next));
  }

  private boolean mayComeAfterFetch(int position) {
    boolean answered = worked.get(position).isAnswered();
    return position >= (answered ? answersDoneThen : allDoneThen);
  }

  /** Waits for what the next stage needs; what is left to a fence is the answer. */
  private Fence hold(List<Instruction> next) {
    if (next.stream().anyMatch(this::needsSent)) {
      wait(Lane.CLIENT);
      sentDone = sent.size();
    }
    Fence fence = Fence.NONE;
    for (int i = 0; i < worked.size(); i++) {
      Instruction before = worked.get(i);
      if (!isDone(i)
          && next.stream().anyMatch(n -> Hazards.edits(before, n) || crosses(before, n))) {
        fence = fence.and(before.isAnswered() ? Fence.ANSWERS : Fence.ALL);
      }
    }
    if (fence == Fence.NONE) {
      return fence;
    }
    if (model == Model.CONSERVATIVE) {
      wait(Lane.WORKER);
      earlyReadsDone = true;
      cover(Fence.ALL);
      return Fence.NONE;
    }
    cover(fence);
    return fence;
  }

  private boolean needsSent(Instruction next) {
    return sent.subList(sentDone, sent.size()).stream().anyMatch(before -> crosses(before, next));
  }

  private void wait(Lane lane) {
    int completion = draft(lane).signalLast();
    worker.add(new Entry.Wait(Counter.of(lane), completion), Fence.NONE);
  }

  // ---- between laps

  /**
   * The end of a lap is enabled by the client's queue, which executes nothing any more when it has
   * failed. Else the receives that are posted there would be flushed, each of which starts a lap,
   * without end.
   */
  private void again(Lap next) {
    Fence fence = Fence.NONE;
    if (worker.segment() == 0 && !earlyReadsDone) {
      fence = holdEarlyReads();
    }
    client.pad(pads.getOrDefault(Lane.CLIENT, 0));
    worker.enable(Lane.CLIENT, client.segment(), fence);
    client.enable(Lane.WORKER, worker.segment() + 1, Fence.NONE);
    client.endSegment();
    worker.endSegment();
    wait(Lane.CLIENT);
    worker.pad(pads.getOrDefault(Lane.WORKER, 0));
    next.sums().forEach(this::append);
    Fence sumsDone = Fence.ANSWERS;
    for (Instruction read : next.lateReads()) {
      worker.add(new Entry.Work(read), sumsDone);
      sumsDone = Fence.NONE;
    }
    if (model == Model.CONSERVATIVE) {
      wait(Lane.WORKER);
    }
    worker.add(new Entry.Work(next.post()), model == Model.ASSUMED ? Fence.ANSWERS : Fence.NONE);
    worker.add(new Entry.Wait(Counter.CALLS, 1), Fence.NONE);
    worker.enableNextLap();
  }

  private Fence holdEarlyReads() {
    if (model == Model.ASSUMED) {
      return Fence.ANSWERS;
    }
    wait(Lane.WORKER);
    return Fence.NONE;
  }

  private void append(Instruction instruction) {
    worker.add(new Entry.Work(instruction), Fence.NONE);
  }

  // ---- within a stage

  private void add(Instruction instruction) {
    if (isSent(instruction)) {
      sent.add(instruction);
      client.add(new Entry.Work(instruction), Fence.NONE);
      return;
    }
    Fence fence = Fence.NONE;
    for (int i = 0; i < worked.size(); i++) {
      if (!isDone(i) && Hazards.needsCompletion(worked.get(i), instruction)) {
        fence = fence.and(worked.get(i).isAnswered() ? Fence.ANSWERS : Fence.ALL);
      }
    }
    cover(fence);
    worked.add(instruction);
    worker.add(new Entry.Work(instruction), fence);
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
