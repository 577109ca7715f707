package dev.bluebell.softnic.engine;

import dev.bluebell.softnic.diagnosis.DeviceTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the device: looks at what must be polled, lets deadlines come, gives active work its turns.
 * Programs have equal shares of the time, however much work each of them has.
 *
 * <p>One thread at a time owns the engine and with it all state of the device; which thread that is
 * may change from step to step.
 */
public final class Engine implements Scheduler {
  /** Turns of one step at most, so that doorbells and timers are looked at again soon. */
  private static final int TURNS_PER_STEP = 16;

  private static final long BYTES_PER_TURN = 256 << 10;

  // While programs wait for each other, each hears of its doorbells soon.
  private static final long CONTENDED_BYTES_PER_TURN = 16 << 10;
  private static final long CONTENDED_STEP_NANOS = 4_000;
  private static final long STEP_NANOS = 50_000;

  /**
   * What programs that come back have missed at most, and have then before others: all of them
   * together. A program whose processor others use, too, is away for some ms again and again.
   */
  private static final long SAVED_NANOS = 4_000_000;

  /** How long the device remembers that programs waited for each other. */
  private static final long CONTENTION_NANOS = 1_000_000;

  // A turn takes some time also on a clock that stands still. The system may take the thread's
  // processor away for longer than a turn takes that causes so much, which is nobody's debt.
  private static final long MIN_TURN_NANOS = 100;
  private static final long MAX_TURN_NANOS = 5_000_000;
  private static final long MAX_NANOS_OF_EFFORT = 4;

  private final LongSupplier clock;
  private final DeviceTime time;
  private final @Nullable Adversary adversary;
  private final Ownership ownership = new Ownership(System::nanoTime);

  private final List<Polled> polled = new ArrayList<>();

  // What is nobody's, as a fabric.
  private final Program own = new Program();

  // Whoever waits for the engine and whom no page of a program holds up.
  private final Program nobody = new Program();

  // Those with active work or with deadlines that have come.
  private final List<Program> ready = new ArrayList<>();

  // Those with deadlines, and a time before which none of them has come.
  private final List<Program> timed = new ArrayList<>();
  private long nextTimer = Long.MAX_VALUE;

  private Program current = own;
  private int programs;

  // The most that whoever had the least has had. Who is ready anew has had little less at least:
  // time that was not used is saved up for a moment, and no longer.
  private long floor;

  // Whether programs waited for each other lately, and when they did last.
  private boolean contended;
  private long contendedAt;

  private final Effort effort = new Effort();
  private int turnsLeft;
  private int stepDone;

  // Whose turn it is, and whose of its work if programs may have to be kept apart.
  private @Nullable Program running;
  private @Nullable Work runningWork;

  private final ForeignCopies copies = new ForeignCopies(this);
  private final Map<Long, SleepingTurn> sleeping = new HashMap<>();
  private @Nullable Scratch scratch;
  private boolean ended;

  // Whether the last step did something.
  private boolean busy;

  /**
   * @param clock nanoseconds; never goes back
   * @param time the device's cached clock, which this engine sets
   */
  public Engine(LongSupplier clock, DeviceTime time) {
    this(clock, time, null);
  }

  /**
   * @param adversary draws who has the next turn; null when turns go round
   */
  public Engine(LongSupplier clock, DeviceTime time, @Nullable Adversary adversary) {
    this.clock = clock;
    this.time = time;
    this.adversary = adversary;
    time.follow(clock);
  }

  // ---- ownership

  /** Takes ownership for the data path if nobody has it and no command is to have it first. */
  public boolean tryEnter() {
    return ownership.tryEnter();
  }

  /** Waits for ownership, for what is nobody's. Not reentrant. */
  public void enter() {
    ownership.await(nobody);
    entered(own);
  }

  /** Waits for ownership, for a program. Not reentrant. */
  public void enter(Program program) {
    ownership.await(program);
    entered(program);
  }

  private void entered(Program program) {
    current = program;
    time.set(clock.getAsLong());
  }

  /** Gives ownership back. */
  public void exit() {
    if (ownership.isTimed()) {
      ownership.charge(current, clock.getAsLong() - time.now(), busy);
    }
    ownership.exit();
  }

  // ---- scheduling (owner only)

  /** Looks at something in each step from now on. */
  public void poll(Polled looked) {
    polled.add(looked);
  }

  /** False when nobody can ring: there is no place to look at. A hint: any thread may ask. */
  boolean canBeRung() {
    for (int i = 0; i < polled.size(); i++) {
      if (!polled.get(i).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void activate(Work work) {
    if (!work.active) {
      Program program = programOf(work);
      program.add(work);
      if (!program.ready) {
        makeReady(program);
      }
    }
  }

  private Program programOf(Work work) {
    return work.program == null ? own : work.program;
  }

  private void makeReady(Program program) {
    program.used = Math.max(program.used, floor - SAVED_NANOS / Math.max(1, programs - 1));
    list(program);
  }

  private void list(Program program) {
    program.ready = true;
    if (!program.listed) {
      program.listed = true;
      ready.add(program);
    }
  }

  @Override
  public void schedule(Work work) {
    Program program = programOf(work);
    program.timers().schedule(work);
    if (work.timed && !program.timed) {
      program.timed = true;
      timed.add(program);
    }
    nextTimer = Math.min(nextTimer, program.timers().next());
  }

  /** Forgets work that is gone: it gets no turn any more and hears of no deadline. */
  public void remove(Work work) {
    programOf(work).remove(work);
  }

  // ---- programs (owner only)

  /** Whose all is that is no program's. */
  public Program own() {
    return own;
  }

  /** Gives another program turns of its own; what commands make from now on may belong to it. */
  public Program open() {
    programs++;
    Program program = new Program();
    program.used = floor;
    return program;
  }

  /** Takes note that a program is gone. Work that it left behind has turns as before. */
  public void close(Program program) {
    programs--;
    if (current == program) {
      current = own;
    }
  }

  /**
   * True when there are fewer processors than threads that spin: programs, of which there is one
   * where nobody opened any, and the device's. A hint: any thread may ask.
   */
  boolean isCrowded(int processors) {
    return Math.max(1, programs) + 1 > processors;
  }

  @Override
  public Program program() {
    return current;
  }

  @Override
  public long bytesPerTurn() {
    return contended ? CONTENDED_BYTES_PER_TURN : BYTES_PER_TURN;
  }

  @Override
  public Effort effort() {
    return effort;
  }

  // ---- turns that wait for a page of a program

  /** Copies from and to the memory of other processes. */
  public ForeignCopies copies() {
    return copies;
  }

  /** Says what turns share that one which waits in its midst has to keep. */
  public void scratch(Scratch shared) {
    scratch = shared;
  }

  /**
   * Goes on without the turn at hand, whose thread is in a copy and will {@link #resume}. The
   * caller has taken the engine from that thread and is its owner, until this returns.
   *
   * @param memory whose memory the copy waits for
   */
  void suspend(long copy, Program memory) {
    Program program = running;
    Work work = runningWork;
    long now = clock.getAsLong();
    memory.used += 2 * (now - time.now());
    sleeping.put(
        copy, new SleepingTurn(program, work, memory, scratch == null ? null : scratch.leave()));
    freeze(memory);
    if (program != null && program != memory) {
      if (work == null) {
        freeze(program);
      } else {
        // The others of its program go on.
        program.remove(work);
        work.active = true;
        putBack(program, now);
      }
      ownership.hold(program);
    }
    ownership.hold(memory);
    running = null;
    runningWork = null;
    ownership.exit();
  }

  /** Goes on with the turn of this thread, whose copy has ended, as soon as it may. */
  void resume(long copy) {
    enter();
    if (ended) {
      throw new EngineEnded();
    }
    SleepingTurn turn = Objects.requireNonNull(sleeping.remove(copy));
    Object left = turn.scratch();
    if (scratch != null && left != null) {
      scratch.takeBack(left);
    }
    Program program = turn.program();
    Program memory = turn.memory();
    Work work = turn.work();
    ownership.release(memory);
    thaw(memory);
    if (program != null && program != memory) {
      ownership.release(program);
      if (work == null) {
        thaw(program);
      } else {
        // What would have woken it meanwhile is not known.
        work.active = false;
        activate(work);
        schedule(work);
      }
    }
    running = program;
    runningWork = work;
  }

  private void freeze(Program program) {
    program.frozen++;
    program.ready = true;
    if (program.listed) {
      program.listed = false;
      ready.remove(program);
    }
  }

  private void thaw(Program program) {
    program.frozen--;
    putBack(program, time.now());
    for (Work caller : program.callers) {
      activate(caller);
    }
    program.callers.clear();
  }

  /**
   * True when a program takes nothing now, because it waits for a page. The work at hand is
   * activated when it does again.
   *
   * @param program null for the device itself
   */
  public boolean isHeldUp(@Nullable Program program) {
    if (program == null || program.frozen == 0) {
      return false;
    }
    if (runningWork != null) {
      program.callers.add(runningWork);
    }
    return true;
  }

  /** True while any turn waits for a page. */
  public boolean hasSleepingTurns() {
    return !sleeping.isEmpty();
  }

  /** Gives no turns any more; those that wait for a page end with it (owner only). */
  public void end() {
    ended = true;
  }

  // ---- duty cycles (owner only)

  /**
   * One duty cycle, which looks at the likely places.
   *
   * @return how much was done; 0 when there was nothing to do where it looked
   */
  public int step() {
    return step(false);
  }

  /**
   * One duty cycle that looks everywhere: what must come before a rest.
   *
   * @return how much was done; 0 when the device waits for doorbells or for time
   */
  public int stepThoroughly() {
    return step(true);
  }

  private int step(boolean thoroughly) {
    time.expire();
    int done = 0;
    for (int i = 0; i < polled.size(); i++) {
      Polled looked = polled.get(i);
      done += thoroughly ? looked.pollThoroughly() : looked.poll();
      time.renew();
    }
    time.renew();
    long now = time.now();
    if (nextTimer <= now) {
      findDue(now);
    }
    done += runReady(now);
    busy = done > 0;
    return done;
  }

  private void findDue(long now) {
    nextTimer = Long.MAX_VALUE;
    for (int i = timed.size() - 1; i >= 0; i--) {
      Program program = timed.get(i);
      long next = program.timers().next();
      if (next > now) {
        nextTimer = Math.min(nextTimer, next);
      } else if (!program.ready) {
        makeReady(program);
      }
      if (next == Long.MAX_VALUE) {
        program.timed = false;
        timed.remove(i);
      }
    }
  }

  /**
   * Time until {@link #step} must be called even if nothing is announced, in nanoseconds; {@link
   * Long#MAX_VALUE} for never.
   */
  public long nanosToNextTimer() {
    long next = Long.MAX_VALUE;
    for (int i = 0; i < timed.size(); i++) {
      Program program = timed.get(i);
      next = program.frozen > 0 ? next : Math.min(next, program.timers().next());
    }
    return untilThen(next);
  }

  /**
   * Time until the next deadline, of a device that does nothing before it, in nanoseconds; {@link
   * Long#MAX_VALUE} when there is none.
   */
  public long nanosToNextDeadline() {
    long next = Long.MAX_VALUE;
    for (int i = 0; i < timed.size(); i++) {
      Program program = timed.get(i);
      next = program.frozen > 0 ? next : Math.min(next, program.timers().nextDeadline());
    }
    return untilThen(next);
  }

  private long untilThen(long then) {
    return then == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, then - time.now());
  }

  // ---- turns

  private int runReady(long now) {
    turnsLeft = TURNS_PER_STEP;
    stepDone = 0;
    if (programs <= 1) {
      runUndisputed(now);
    } else {
      runDisputed(now);
    }
    running = null;
    // Turns in which nothing was done are no reason to rest while others wait for theirs.
    return ready.isEmpty() ? stepDone : stepDone + 1;
  }

  /** Turns of a device that has one program: nobody looks at a clock. */
  private void runUndisputed(long now) {
    while (turnsLeft > 0 && !ready.isEmpty()) {
      Program next = take(0);
      runTimers(next, now);
      do {
        turn(next);
      } while (turnsLeft > 0 && next.count() > 0 && ready.isEmpty());
      putBack(next, now);
    }
  }

  /** Turns of a device that programs share: who has had least time is next. */
  private void runDisputed(long start) {
    long now = start;
    long end = start + (contended ? CONTENDED_STEP_NANOS : STEP_NANOS);
    while (turnsLeft > 0 && now < end && !ready.isEmpty()) {
      Program next = takeLeastUsed();
      floor = Math.max(floor, next.used);
      noteContention(now);
      runTimers(next, now);
      sharedTurn(next);
      if (next.count() == 0 && ready.isEmpty()) {
        // Nobody waited for it, so what it cost is nobody's loss: one with little to do at a time
        // has its turns as if it were alone.
        next.used += MIN_TURN_NANOS;
        putBack(next, now);
        return;
      }
      long after = clock.getAsLong();
      next.used += Math.clamp(after - now, MIN_TURN_NANOS, longest());
      putBack(next, now);
      now = after;
    }
  }

  /** The longest that the turn at hand may have taken by itself. */
  private long longest() {
    return MAX_TURN_NANOS + effort.spent() * MAX_NANOS_OF_EFFORT;
  }

  private Program takeLeastUsed() {
    int least = 0;
    for (int i = 1; i < ready.size(); i++) {
      if (ready.get(i).used < ready.get(least).used) {
        least = i;
      }
    }
    return take(least);
  }

  private Program take(int index) {
    Program next = ready.remove(index);
    next.listed = false;
    running = next;
    return next;
  }

  private void noteContention(long now) {
    if (!ready.isEmpty()) {
      contendedAt = now;
      contended = true;
    } else if (contended && now - contendedAt > CONTENTION_NANOS) {
      contended = false;
    }
  }

  private void runTimers(Program program, long now) {
    if (program.timers().next() <= now) {
      stepDone += program.timers().run(now);
    }
  }

  private static boolean isDone(Program program, long now) {
    return program.count() == 0 && program.timers().next() > now;
  }

  /**
   * Takes note that a program, which was taken out of those that are ready, is ready again or not.
   */
  private void putBack(Program program, long now) {
    if (program.frozen > 0 || program.listed) {
      return;
    }
    if (isDone(program, now)) {
      program.ready = false;
      nextTimer = Math.min(nextTimer, program.timers().next());
    } else {
      list(program);
    }
  }

  /** Gives one turn to a program, which may have no active work. */
  private void turn(Program program) {
    turnsLeft--;
    if (program.count() == 0) {
      return;
    }
    if (adversary != null) {
      program.draw(adversary);
    }
    turn(program, program.take());
  }

  /** As {@link #turn}, of a program that must not wait for a page of another one. */
  private void sharedTurn(Program program) {
    turnsLeft--;
    if (program.count() == 0) {
      return;
    }
    if (adversary != null) {
      program.draw(adversary);
    }
    Work work = program.take();
    runningWork = work;
    turn(program, work);
    runningWork = null;
  }

  /**
   * Gives work its next turns at once, between those of all others: until it has nothing more to
   * do, or had so many.
   */
  public void settle(Work work, int most) {
    Program program = programOf(work);
    int done = 1;
    for (int i = 0; i < most && done > 0 && program.frozen == 0; i++) {
      running = program;
      runningWork = work;
      effort.begin();
      done = Guard.turn(work);
      running = null;
      runningWork = null;
    }
  }

  /** The same for all active work of a program, in its order. */
  public void settle(Program program, int most) {
    for (int i = 0; i < most && program.count() > 0 && program.frozen == 0; i++) {
      running = program;
      runningWork = program.take();
      turn(program, runningWork);
    }
    running = null;
    runningWork = null;
  }

  private void turn(Program program, Work work) {
    effort.begin();
    int turn = Guard.turn(work);
    if (turn > 0) {
      stepDone += turn;
      if (!work.active) {
        program.add(work);
      }
    }
  }

  @Override
  public String toString() {
    int active = 0;
    for (Program program : ready) {
      active += program.count();
    }
    return "engine: %d active".formatted(active);
  }
}
