package dev.bluebell.program.plan;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Schedules a loop into its ring: two laps, each of which rearms the other and enables it, unless a
 * break has closed its gate. The entries that rearm a lap are in the ring too, so the scheduler
 * repeats its attempt until positions and numbers agree.
 */
public final class LoopScheduler {
  private static final int PASSES = 64;

  private final Loop loop;
  private final Model model;
  private final boolean indexed;
  private final Area sink;
  private final int exit;
  private final @Nullable Slot enabler;
  private int slots = QueueDraft.MIN_SLOTS;

  /** The ring, and the entries of both laps. */
  private record Ring(QueueDraft queue, int firstEnd) {}

  private record Rounds(QueueDraft queue, List<Area> tables) {}

  /**
   * A schedule of a program with loops.
   *
   * @param queues the entries of each queue; those of a loop fill its ring
   * @param tables memory of the tables that restore laps
   */
  public record Schedule(Map<Lane, List<Entry>> queues, List<Area> tables) {
    /** Copies the list. */
    public Schedule {
      tables = List.copyOf(tables);
    }
  }

  private LoopScheduler(
      Loop loop, Model model, boolean indexed, Area sink, int exit, @Nullable Slot enabler) {
    this.loop = loop;
    this.model = model;
    this.indexed = indexed;
    this.sink = sink;
    this.exit = exit;
    this.enabler = enabler;
  }

  /**
   * Schedules a program with loops.
   *
   * @param sequence the instructions around the loops
   * @param loops the loops, in the order of the program
   * @param indexed true when the device checks the index of each entry
   * @param sink memory for discarded bytes, 8 bytes or more
   * @throws IllegalArgumentException when two laps are too long, or their positions and numbers
   *     never agree
   */
  public static Schedule schedule(
      Sequence sequence, List<Loop> loops, Model model, boolean indexed, Area sink) {
    return schedule(Scheduler.around(sequence, model), loops, model, indexed, sink, false);
  }

  /**
   * Schedules loops and the instructions around them.
   *
   * @param around schedule of the instructions around them
   * @param again true when the loops run again in later calls: each lap then also updates the limit
   *     of the worker's SEND_EN
   */
  static Schedule schedule(
      Scheduler around, List<Loop> loops, Model model, boolean indexed, Area sink, boolean again) {
    Map<Lane, QueueDraft> rings = new EnumMap<>(Lane.class);
    List<Area> tables = new ArrayList<>();
    for (int i = 0; i < loops.size(); i++) {
      Loop loop = loops.get(i);
      Slot enabler = again ? around.enabler(i) : null;
      Rounds rounds =
          new LoopScheduler(loop, model, indexed, sink, around.exit(i), enabler).run(around::draft);
      rings.put(loop.lane(), rounds.queue());
      tables.addAll(rounds.tables());
    }
    Function<Lane, QueueDraft> queues =
        lane -> lane.isLoop() ? Objects.requireNonNull(rings.get(lane)) : around.draft(lane);
    Map<Lane, List<Entry>> entries = new EnumMap<>(around.entries(queues));
    rings.forEach((lane, ring) -> entries.put(lane, ring.entries(queues)));
    return new Schedule(entries, tables);
  }

  private Rounds run(Function<Lane, QueueDraft> queues) {
    Turn first = new Turn(loop.lane(), List.of(), loop.first().restored(), sink);
    Turn second = new Turn(loop.lane(), List.of(), loop.second().restored(), sink);
    int pad = 0;
    int pads = 0;
    for (int pass = 0; pass < PASSES; pass++) {
      Ring ring = ring(first, second, pad, pads);
      QueueDraft queue = ring.queue();
      List<Entry> entries = queue.entries(lane -> lane == loop.lane() ? queue : queues.apply(lane));
      int taken = entries.stream().mapToInt(Entry::wqebbs).sum() - pad;
      slots =
          Math.max(
              slots,
              QueueDraft.slots(
                  taken + pads,
                  "two laps of its loop would have %d WQEBBs, and they have at most %d"));
      // The second lap is prepared for its first turn; the first lap is initially ready for its
      // own.
      Turn nextFirst = turn(entries, queue, 0, ring.firstEnd(), loop.first(), loop.second().next());
      Turn nextSecond =
          turn(entries, queue, ring.firstEnd(), queue.end(), loop.second(), loop.first().next());
      if (nextFirst.isSameAs(first) && nextSecond.isSameAs(second) && pad == slots - taken) {
        return new Rounds(queue, List.of(first.table(), second.table()));
      }
      first = nextFirst;
      second = nextSecond;
      pad = slots - taken;
      // The number of padding entries never shrinks: the numbers of fewer entries would need less
      // room, and so on.
      pads = Math.max(pads, QueueDraft.pads(pad));
    }
    throw new IllegalArgumentException(
        "places and numbers of its loop still do not agree after %d attempts".formatted(PASSES));
  }

  /** The next turn of the lap in a range of slots, which a gate leads to. */
  private Turn turn(
      List<Entry> entries, QueueDraft queue, int from, int to, Loop.Half half, Gate before) {
    List<Count> counts = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry.index() >= from && entry.index() < to) {
        for (Count count :
            Count.of(
                entry, indexed, lane -> lane == loop.lane() ? slots : 0, _ -> queue.signals())) {
          counts.add(from == 0 ? count.ofNextLap() : count);
        }
      }
      // In the next call, the worker enables the lap that the closed gate would have enabled.
      if (enabler != null
          && entry.action() instanceof Entry.Enable enable
          && enable.gate() == before) {
        counts.add(Count.ofLimit(enabler, enable.limit(), slots));
      }
    }
    return new Turn(loop.lane(), counts, half.restored(), sink);
  }

  private Ring ring(Turn first, Turn second, int pad, int pads) {
    QueueDraft queue = new QueueDraft(loop.lane());
    Fence fence = lap(queue, loop.first(), second, 0, 0);
    queue.enableThrough(loop.first().next(), loop.lane(), queue.segment() + 1, 0, fence);
    queue.enableThrough(loop.first().exit(), Lane.WORKER, exit, 0, fence);
    queue.endSegment();
    int firstEnd = queue.end();
    fence = lap(queue, loop.second(), first, pad, pads);
    queue.enableThrough(loop.second().next(), loop.lane(), 0, 1, fence);
    queue.enableThrough(loop.second().exit(), Lane.WORKER, exit, 0, fence);
    queue.endSegment();
    return new Ring(queue, firstEnd);
  }

  /** Adds a lap up to its gates; returns the fence that they need. */
  private Fence lap(QueueDraft queue, Loop.Half half, Turn other, int pad, int pads) {
    WorkDraft work = new WorkDraft(loop.lane(), queue, model);
    work.addInStages(half.body());
    queue.pad(pad, pads);
    other.reads().forEach(work::add);
    other.sums().forEach(work::add);
    // When these have responses, all earlier requests have had their effect.
    Fence fence =
        work.hold(
            each ->
                other.reads().contains(each) || other.sums().contains(each) || turns(each, half));
    if (!work.mayComeAfterFetch(each -> turns(each, half))) {
      return fence;
    }
    work.enableNext(fence);
    return Fence.NONE;
  }

  private static boolean turns(Instruction instruction, Loop.Half half) {
    return Hazards.turns(instruction, half.next()) || Hazards.turns(instruction, half.exit());
  }
}
