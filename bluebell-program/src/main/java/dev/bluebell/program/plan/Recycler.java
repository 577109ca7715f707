package dev.bluebell.program.plan;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Schedules a program for many calls: each call is one lap of the rings of worker and client, and
 * any number of laps of its loops. The entries that restore a lap are in the rings too, so the
 * scheduler repeats its attempt until positions and numbers agree.
 */
public final class Recycler {
  private static final int PASSES = 64;

  private final Sequence sequence;
  private final List<Loop> loops;
  private final Model model;
  private final boolean indexed;
  private final List<Restored> restored;
  private final Area sink;

  private final Map<Lane, Integer> slots = new EnumMap<>(Lane.class);

  private Recycler(
      Sequence sequence,
      List<Loop> loops,
      Model model,
      boolean indexed,
      List<Restored> restored,
      Area sink) {
    this.sequence = sequence;
    this.loops = loops;
    this.model = model;
    this.indexed = indexed;
    this.restored = restored;
    this.sink = sink;
  }

  /**
   * Schedules a program as {@link LoopScheduler#schedule} does, with the entries that restore it
   * for the next call.
   *
   * @param sequence the instructions around the loops
   * @param loops the loops, in the order of the program
   * @param indexed true when the device checks the index of each entry
   * @param restored bytes that a call changes outside of the loops
   * @param sink memory for discarded bytes, 8 bytes or more
   * @return the entries fill the rings of all queues but the launcher
   * @throws IllegalArgumentException when a lap is too long, or its positions and numbers never
   *     agree
   */
  public static LoopScheduler.Schedule schedule(
      Sequence sequence,
      List<Loop> loops,
      Model model,
      boolean indexed,
      List<Restored> restored,
      Area sink) {
    return new Recycler(sequence, loops, model, indexed, restored, sink).run();
  }

  private LoopScheduler.Schedule run() {
    slots.put(Lane.WORKER, QueueDraft.MIN_SLOTS);
    slots.put(Lane.CLIENT, QueueDraft.MIN_SLOTS);
    Lap lap = new Lap(List.of(), List.of(), restored, sink);
    Map<Lane, Integer> pads = Map.of();
    for (int pass = 0; pass < PASSES; pass++) {
      Scheduler scheduler = Scheduler.ofLap(sequence, model, lap, pads);
      LoopScheduler.Schedule schedule =
          LoopScheduler.schedule(scheduler, loops, model, indexed, sink, true);
      Map<Lane, List<Entry>> queues = schedule.queues();
      Map<Lane, Integer> nextPads = new EnumMap<>(Lane.class);
      for (Lane lane : slots.keySet()) {
        int entries = wqebbs(queues.getOrDefault(lane, List.of())) - pads.getOrDefault(lane, 0);
        grow(lane, entries);
        nextPads.put(lane, entries == 0 ? 0 : slotsOf(lane) - entries);
      }
      Lap next = next(queues, scheduler, lap);
      if (next.isSameAs(lap) && nextPads.equals(pads)) {
        List<Area> tables = new ArrayList<>(List.of(lap.table()));
        tables.addAll(schedule.tables());
        return new LoopScheduler.Schedule(queues, tables);
      }
      lap = next;
      pads = nextPads;
      if (pass == PASSES / 2) {
        // With less room, the padding and the numbers of its entries would never agree.
        grow(Lane.WORKER, slotsOf(Lane.WORKER) + 1);
      }
    }
    throw new IllegalArgumentException(
        "places and numbers of a lap still do not agree after %d attempts".formatted(PASSES));
  }

  private void grow(Lane lane, int entries) {
    int needed = QueueDraft.slots(entries, "a lap would have %d WQEBBs, and one has at most %d");
    slots.merge(lane, needed, Math::max);
  }

  private int slotsOf(Lane lane) {
    return slots.getOrDefault(lane, 0);
  }

  private Lap next(Map<Lane, List<Entry>> queues, Scheduler scheduler, Lap lap) {
    Instruction last = lap.lateReads().isEmpty() ? lap.post() : lap.lateReads().getLast();
    List<Count> early = new ArrayList<>();
    List<Count> late = new ArrayList<>();
    boolean behind = false;
    for (Entry entry : queues.getOrDefault(Lane.WORKER, List.of())) {
      List<Count> counts = counts(entry, scheduler);
      (behind ? early : late).addAll(counts);
      behind |= entry.action() instanceof Entry.Work work && work.instruction() == last;
    }
    List<Count> lastFirst = new ArrayList<>(late.reversed());
    for (Entry entry : queues.getOrDefault(Lane.CLIENT, List.of())) {
      lastFirst.addAll(counts(entry, scheduler));
    }
    for (Loop loop : loops) {
      queues.getOrDefault(loop.lane(), List.of()).stream()
          .filter(Recycler::leadsOut)
          .forEach(exit -> lastFirst.addAll(Count.of(exit, false, this::slotsOf, _ -> 0)));
    }
    return new Lap(early, lastFirst, restored, sink);
  }

  private static boolean leadsOut(Entry entry) {
    return entry.action() instanceof Entry.Enable enable && enable.target() == Lane.WORKER;
  }

  private List<Count> counts(Entry entry, Scheduler scheduler) {
    return Count.of(
        entry,
        indexed,
        lane -> lane == Lane.SUBPROGRAM ? scheduler.calledSlots() : slotsOf(lane),
        scheduler::completions);
  }

  private static int wqebbs(List<Entry> entries) {
    return entries.stream().mapToInt(Entry::wqebbs).sum();
  }
}
