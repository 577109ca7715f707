package dev.bluebell.program.plan;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Makes laps of a program: each call is one lap of the rings of worker and client. What restores
 * the entries is made of entries itself, so places and numbers are tried until they agree.
 */
public final class Recycler {
  private static final int MIN_SLOTS = 16;

  /** An enable reaches less than 2^15 WQEBBs ahead. */
  private static final int MAX_SLOTS = 1 << 13;

  private static final int PASSES = 64;

  private final List<Instruction> instructions;
  private final Model model;
  private final boolean indexed;
  private final List<Restored> restored;
  private final Area sink;

  private final Map<Lane, Integer> slots = new EnumMap<>(Lane.class);

  private Recycler(
      List<Instruction> instructions,
      Model model,
      boolean indexed,
      List<Restored> restored,
      Area sink) {
    this.instructions = instructions;
    this.model = model;
    this.indexed = indexed;
    this.restored = restored;
    this.sink = sink;
  }

  /**
   * A schedule that answers many calls.
   *
   * @param queues the entries of each queue; those of worker and client fill their rings
   * @param table memory that it needs beside that of the program
   */
  public record Laps(Map<Lane, List<Entry>> queues, Area table) {}

  /**
   * Puts instructions into queues, as {@link Scheduler#schedule} does, and what they need to be
   * executed again.
   *
   * @param indexed true when the device checks the index of each entry
   * @param restored what a call consumes
   * @param sink takes what nobody wants, 8 bytes or more
   * @throws IllegalArgumentException when a lap would be longer than there can be, or its places
   *     and numbers do not come to agree
   */
  public static Laps schedule(
      List<Instruction> instructions,
      Model model,
      boolean indexed,
      List<Restored> restored,
      Area sink) {
    return new Recycler(instructions, model, indexed, restored, sink).run();
  }

  private Laps run() {
    slots.put(Lane.WORKER, MIN_SLOTS);
    slots.put(Lane.CLIENT, MIN_SLOTS);
    Lap lap = new Lap(List.of(), List.of(), restored, sink);
    Map<Lane, Integer> pads = Map.of();
    for (int pass = 0; pass < PASSES; pass++) {
      Scheduler scheduler = new Scheduler(instructions, model, lap, pads);
      Map<Lane, List<Entry>> queues = scheduler.run();
      Map<Lane, Integer> nextPads = new EnumMap<>(Lane.class);
      for (Lane lane : slots.keySet()) {
        int entries = wqebbs(queues.getOrDefault(lane, List.of())) - pads.getOrDefault(lane, 0);
        grow(lane, entries);
        nextPads.put(lane, entries == 0 ? 0 : slotsOf(lane) - entries);
      }
      Lap next = next(queues, scheduler, lap);
      if (next.isSameAs(lap) && nextPads.equals(pads)) {
        return new Laps(queues, lap.table());
      }
      lap = next;
      pads = nextPads;
      if (pass == PASSES / 2) {
        // With less room, filling the ring and numbering what fills it would never agree.
        grow(Lane.WORKER, slotsOf(Lane.WORKER) + 1);
      }
    }
    throw new IllegalArgumentException(
        "places and numbers of a lap do not agree after %d attempts".formatted(PASSES));
  }

  private void grow(Lane lane, int entries) {
    slots.merge(lane, slots(entries), Math::max);
  }

  /** WQEBBs of a ring that goes round. */
  static int slots(int entries) {
    if (entries > MAX_SLOTS) {
      throw new IllegalArgumentException(
          "a lap would have %d WQEBBs, and one has at most %d".formatted(entries, MAX_SLOTS));
    }
    return Math.max(MIN_SLOTS, 1 << Placement.log2Ceil(entries));
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
    return new Lap(early, lastFirst, restored, sink);
  }

  private List<Count> counts(Entry entry, Scheduler scheduler) {
    return Count.of(entry, indexed, this::slotsOf, scheduler::completions);
  }

  private static int wqebbs(List<Entry> entries) {
    return entries.stream().mapToInt(Entry::wqebbs).sum();
  }
}
