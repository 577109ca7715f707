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
 * Clients have equal shares of the time, however much work each of them has.
 *
 * <p>One thread at a time owns the engine and with it all state of the device; which thread that is
 * may change from step to step.
 */
public final class Engine implements Scheduler {
  /** Turns of one step at most, so that doorbells and timers are looked at again soon. */
  private static final int TURNS_PER_STEP = 16;

  private static final long BYTES_PER_TURN = 256 << 10;

  // While clients wait for each other, each hears of its doorbells soon.
  private static final long CONTENDED_BYTES_PER_TURN = 16 << 10;
  private static final long CONTENDED_STEP_NANOS = 4_000;
  private static final long STEP_NANOS = 50_000;

  /**
   * What clients that come back have missed at most, and have then before others: all of them
   * together. A client whose processor others use, too, is away for some ms again and again.
   */
  private static final long SAVED_NANOS = 4_000_000;

  /** How long the device remembers that clients waited for each other. */
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
  private final Client own = new Client();

  // Whoever waits for the engine and whom no page of a client holds up.
  private final Client nobody = new Client();

  // Those with active work or with deadlines that have come.
  private final List<Client> ready = new ArrayList<>();

  // Those with deadlines, and a time before which none of them has come.
  private final List<Client> timed = new ArrayList<>();
  private long nextTimer = Long.MAX_VALUE;

  private final Anticipation anticipation = new Anticipation();

  private Client current = own;
  private int clients;

  // The most that whoever had the least has had. Who is ready anew has had little less at least:
  // time that was not used is saved up for a moment, and no longer.
  private long floor;

  // Whether clients waited for each other lately, and when they did last.
  private boolean contended;
  private long contendedAt;

  private final Effort effort = new Effort();
  private int turnsLeft;
  private int stepDone;

  // Whose turn it is, and whose of its work if clients may have to be kept apart.
  private @Nullable Client running;
  private @Nullable Work runningWork;

  private final ForeignCopies copies = new ForeignCopies(this);
  private final Map<Long, SleepingTurn> sleeping = new HashMap<>();
  private @Nullable Scratch scratch;
  private boolean ended;

  // Whether the last step did something.
  private boolean busy;

  // Sends what steps and commands have only collected.
  private Runnable flush = () -> {};

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

  /** Waits for ownership, for a client. Not reentrant. */
  public void enter(Client client) {
    ownership.await(client);
    entered(client);
  }

  private void entered(Client client) {
    current = client;
    time.set(clock.getAsLong());
  }

  /** Gives ownership back, and runs what {@link #beforeExit} has set first. */
  public void exit() {
    try {
      flush.run();
    } finally {
      if (ownership.isTimed()) {
        ownership.charge(current, clock.getAsLong() - time.now(), busy);
      }
      ownership.exit();
    }
  }

  /**
   * Sets what each owner runs before it gives ownership back, between turns: the end of a step or
   * of a command is where a fabric sends the packets that it has collected.
   */
  public void beforeExit(Runnable action) {
    flush = action;
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
      Client client = clientOf(work);
      client.add(work);
      if (!client.ready) {
        makeReady(client);
      }
    }
  }

  private Client clientOf(Work work) {
    return work.client == null ? own : work.client;
  }

  private void makeReady(Client client) {
    client.used = Math.max(client.used, floor - SAVED_NANOS / Math.max(1, clients - 1));
    anticipation.returned(client);
    list(client);
  }

  private void list(Client client) {
    client.ready = true;
    if (!client.listed) {
      client.listed = true;
      ready.add(client);
    }
  }

  @Override
  public void schedule(Work work) {
    Client client = clientOf(work);
    client.timers().schedule(work);
    if (work.timed && !client.timed) {
      client.timed = true;
      timed.add(client);
    }
    nextTimer = Math.min(nextTimer, client.timers().next());
  }

  /** Forgets work that is gone: it gets no turn any more and hears of no deadline. */
  public void remove(Work work) {
    clientOf(work).remove(work);
  }

  // ---- clients (owner only)

  /** Whose all is that is no client's. */
  public Client own() {
    return own;
  }

  /** Gives another client turns of its own; what commands make from now on may belong to it. */
  public Client open() {
    clients++;
    Client client = new Client();
    client.used = floor;
    return client;
  }

  /** Takes note that a client is gone. Work that it left behind has turns as before. */
  public void close(Client client) {
    clients--;
    anticipation.forget(client);
    if (current == client) {
      current = own;
    }
  }

  /**
   * True when there are fewer processors than threads that spin: clients, of which there is one
   * where nobody opened any, and the device's. A hint: any thread may ask.
   */
  boolean isCrowded(int processors) {
    return Math.max(1, clients) + 1 > processors;
  }

  @Override
  public Client client() {
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

  // ---- turns that wait for a page of a client

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
  void suspend(long copy, Client memory) {
    Client client = running;
    Work work = runningWork;
    long now = clock.getAsLong();
    memory.used += 2 * (now - time.now());
    sleeping.put(
        copy, new SleepingTurn(client, work, memory, scratch == null ? null : scratch.leave()));
    freeze(memory);
    if (client != null && client != memory) {
      if (work == null) {
        freeze(client);
      } else {
        // The others of its client go on.
        client.remove(work);
        work.active = true;
        putBack(client, now);
      }
      ownership.hold(client);
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
    Client client = turn.client();
    Client memory = turn.memory();
    Work work = turn.work();
    ownership.release(memory);
    thaw(memory);
    if (client != null && client != memory) {
      ownership.release(client);
      if (work == null) {
        thaw(client);
      } else {
        // What would have woken it meanwhile is not known.
        work.active = false;
        activate(work);
        schedule(work);
      }
    }
    running = client;
    runningWork = work;
  }

  private void freeze(Client client) {
    client.frozen++;
    client.ready = true;
    if (client.listed) {
      client.listed = false;
      ready.remove(client);
    }
  }

  private void thaw(Client client) {
    client.frozen--;
    putBack(client, time.now());
    for (Work caller : client.callers) {
      activate(caller);
    }
    client.callers.clear();
  }

  /**
   * True when a client takes nothing now, because it waits for a page. The work at hand is
   * activated when it does again.
   *
   * @param client null for the device itself
   */
  public boolean isHeldUp(@Nullable Client client) {
    if (client == null || client.frozen == 0) {
      return false;
    }
    if (runningWork != null) {
      client.callers.add(runningWork);
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
      Client client = timed.get(i);
      long next = client.timers().next();
      if (next > now) {
        nextTimer = Math.min(nextTimer, next);
      } else if (!client.ready) {
        makeReady(client);
      }
      if (next == Long.MAX_VALUE) {
        client.timed = false;
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
      Client client = timed.get(i);
      next = client.frozen > 0 ? next : Math.min(next, client.timers().next());
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
      Client client = timed.get(i);
      next = client.frozen > 0 ? next : Math.min(next, client.timers().nextDeadline());
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
    if (clients <= 1) {
      runUndisputed(now);
    } else {
      runDisputed(now);
    }
    running = null;
    // Turns in which nothing was done are no reason to rest while others wait for theirs.
    return ready.isEmpty() ? stepDone : stepDone + 1;
  }

  /** Turns of a device that has one client: nobody looks at a clock. */
  private void runUndisputed(long now) {
    while (turnsLeft > 0 && !ready.isEmpty()) {
      Client next = take(0);
      runTimers(next, now);
      do {
        turn(next);
      } while (turnsLeft > 0 && next.count() > 0 && ready.isEmpty());
      putBack(next, now);
    }
  }

  /** Turns of a device that clients share: who has had least time is next. */
  private void runDisputed(long start) {
    long now = start;
    long end = start + (contended ? CONTENDED_STEP_NANOS : STEP_NANOS);
    while (turnsLeft > 0 && now < end && !ready.isEmpty()) {
      int least = leastUsed();
      if (anticipation.delays(ready.get(least), now)) {
        return;
      }
      Client next = take(least);
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
      next.charge(Math.clamp(after - now, MIN_TURN_NANOS, longest()));
      putBack(next, now);
      if (!next.ready) {
        anticipation.left(next, after);
      }
      now = after;
    }
  }

  /** The longest that the turn at hand may have taken by itself. */
  private long longest() {
    return MAX_TURN_NANOS + effort.spent() * MAX_NANOS_OF_EFFORT;
  }

  private int leastUsed() {
    int least = 0;
    for (int i = 1; i < ready.size(); i++) {
      if (ready.get(i).used < ready.get(least).used) {
        least = i;
      }
    }
    return least;
  }

  private Client take(int index) {
    Client next = ready.remove(index);
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

  private void runTimers(Client client, long now) {
    if (client.timers().next() <= now) {
      stepDone += client.timers().run(now);
    }
  }

  private static boolean isDone(Client client, long now) {
    return client.count() == 0 && client.timers().next() > now;
  }

  /**
   * Takes note that a client, which was taken out of those that are ready, is ready again or not.
   */
  private void putBack(Client client, long now) {
    if (client.frozen > 0 || client.listed) {
      return;
    }
    if (isDone(client, now)) {
      client.ready = false;
      nextTimer = Math.min(nextTimer, client.timers().next());
    } else {
      list(client);
    }
  }

  /** Gives one turn to a client, which may have no active work. */
  private void turn(Client client) {
    turnsLeft--;
    if (client.count() == 0) {
      return;
    }
    if (adversary != null) {
      client.draw(adversary);
    }
    turn(client, client.take());
  }

  /** As {@link #turn}, of a client that must not wait for a page of another one. */
  private void sharedTurn(Client client) {
    turnsLeft--;
    if (client.count() == 0) {
      return;
    }
    if (adversary != null) {
      client.draw(adversary);
    }
    Work work = client.take();
    runningWork = work;
    turn(client, work);
    runningWork = null;
  }

  /**
   * Gives work its next turns at once, between those of all others: until it has nothing more to
   * do, or had so many.
   */
  public void settle(Work work, int most) {
    Client client = clientOf(work);
    int done = 1;
    for (int i = 0; i < most && done > 0 && client.frozen == 0; i++) {
      running = client;
      runningWork = work;
      effort.begin();
      done = Guard.turn(work);
      running = null;
      runningWork = null;
    }
  }

  /** The same for all active work of a client, in its order. */
  public void settle(Client client, int most) {
    for (int i = 0; i < most && client.count() > 0 && client.frozen == 0; i++) {
      running = client;
      runningWork = client.take();
      turn(client, runningWork);
    }
    running = null;
    runningWork = null;
  }

  private void turn(Client client, Work work) {
    effort.begin();
    int turn = Guard.turn(work);
    if (turn > 0) {
      stepDone += turn;
      if (!work.active) {
        client.add(work);
      }
    }
  }

  @Override
  public String toString() {
    int active = 0;
    for (Client client : ready) {
      active += client.count();
    }
    return "engine: %d active".formatted(active);
  }
}
