package dev.bluebell.softnic.rig;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.engine.Adversary;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.engine.Deadlines;
import dev.bluebell.softnic.engine.Effort;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.option.MachineOptions;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionBatch;
import dev.bluebell.softnic.queue.CrossChannel;
import dev.bluebell.softnic.queue.Staging;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.Umem;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A chip without a device around it, to test one unit alone. The test sets the clock; the chip
 * records turns and events.
 */
public final class LoneChip {
  /** The default protection domain of a test's objects. */
  public static final int PD = 7;

  private static final int KEYS = 1 << 16;
  private static final int RECORDER_ENTRIES = 256;

  private final DeviceTime time = new DeviceTime();
  private final FlightRecorder recorder = new FlightRecorder(time, RECORDER_ENTRIES);
  private final Explanations explanations = new Explanations();
  private final Engine engine = new Engine(() -> 0, time, null);
  private final KeyTable keys =
      new KeyTable(KEYS, explanations, (one, other) -> true, engine.effort(), null);
  private final List<String> events = new ArrayList<>();
  private final Turns turns = new Turns();
  private final Chip chip;
  private int umems;

  public LoneChip() {
    this(MachineOptions.DEFAULT);
  }

  public LoneChip(MachineOptions machine) {
    Long seed = machine.adversary();
    chip =
        new Chip(
            time,
            keys,
            recorder,
            explanations,
            this::take,
            turns,
            new Staging(),
            new CompletionBatch(),
            machine,
            new CrossChannel(),
            seed == null ? null : new Adversary(seed),
            new Counters(),
            null,
            null);
  }

  private void take(int type, int number, int syndrome) {
    String detail = syndrome == 0 ? "" : " syndrome %d".formatted(syndrome);
    events.add("%s of 0x%x%s".formatted(HcaEvent.typeName(type), number, detail));
  }

  public Chip chip() {
    return chip;
  }

  public KeyTable keys() {
    return keys;
  }

  /** Sets the device's time, in nanoseconds. */
  public void at(long nanos) {
    time.set(nanos);
  }

  public long now() {
    return time.now();
  }

  /** Memory of the device's own process, all zero, and its umem. */
  public LoneMemory memory(int bytes) {
    return new LoneMemory(new Umem(++umems, Arena.ofAuto().allocate(bytes, 4096)));
  }

  /** Memory with a key that grants rights to queue pairs of {@link #PD}. */
  public LoneMemory memory(int bytes, int rights) {
    LoneMemory memory = memory(bytes);
    memory.register(keys, new LoneKey().rights(rights));
    return memory;
  }

  /** The events since the last call, as text. */
  public List<String> takeEvents() {
    List<String> taken = List.copyOf(events);
    events.clear();
    return taken;
  }

  /** All explanations. */
  public List<String> explained() {
    return explanations.all();
  }

  /** The flight record since the chip was made, without its times. */
  public List<String> recorded() {
    return Recorded.by(recorder).happenings().stream()
        .map(happening -> happening.toString().replaceFirst("^\\S+ ns  ", ""))
        .toList();
  }

  public FlightRecorder recorder() {
    return recorder;
  }

  /** Turns that were requested since the last call. */
  public int takeTurns() {
    int taken = turns.activated;
    turns.activated = 0;
    return taken;
  }

  /** How often a deadline was scheduled since the last call. */
  public int takeSchedules() {
    int taken = turns.scheduled;
    turns.scheduled = 0;
    return taken;
  }

  /** Lifts the limit on the bytes of a turn. */
  public void allowLongTurns() {
    turns.leastBytes = Long.MAX_VALUE;
  }

  /**
   * Fires the deadlines that were scheduled since the last call, even if they are in the future.
   */
  public void expire() {
    List<Work> timed = List.copyOf(turns.timed);
    turns.timed.clear();
    timed.forEach(Deadlines::expire);
  }

  /**
   * Gives one turn to each work that was activated and still has something to do; returns the
   * clients to which they were charged, if it did something.
   */
  public List<Client> giveTurns() {
    List<Client> charged = new ArrayList<>();
    for (Work work : List.copyOf(turns.active)) {
      if (Deadlines.turn(work) > 0) {
        charged.add(work.owner());
      } else {
        turns.active.remove(work);
      }
    }
    return charged;
  }

  private final class Turns implements Scheduler {
    private int activated;
    private final Set<Work> active = new LinkedHashSet<>();
    private int scheduled;
    private long leastBytes;
    private final Set<Work> timed = new LinkedHashSet<>();

    @Override
    public void activate(Work work) {
      activated++;
      active.add(work);
    }

    @Override
    public void schedule(Work work) {
      scheduled++;
      timed.add(work);
    }

    @Override
    public Client client() {
      return engine.own();
    }

    @Override
    public long bytesPerTurn() {
      return Math.max(leastBytes, engine.bytesPerTurn());
    }

    @Override
    public Effort effort() {
      return engine.effort();
    }
  }
}
