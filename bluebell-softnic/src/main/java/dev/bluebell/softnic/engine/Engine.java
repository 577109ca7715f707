package dev.bluebell.softnic.engine;

import dev.bluebell.softnic.diagnosis.DeviceTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The device's scheduler: polls what must be polled, fires deadlines, and gives active work its
 * turns. Clients have equal shares of the time, however much work each of them has.
 *
 * <p>One thread at a time owns the engine and with it all state of the device; which thread that is
 * may change from step to step.
 */
public final class Engine implements Scheduler {
  /** The most turns in one step, so that the engine soon looks at doorbells and timers again. */
  private static final int TURNS_PER_STEP = 16;

  /** The longest rest while {@link #isLooking}: a share of the processor remains for others. */
  private static final long NANOS_BETWEEN_LOOKS = 100_000;

  private final LongSupplier clock;
  private final DeviceTime time;
  private final @Nullable Adversary adversary;
  private final Ownership ownership = new Ownership(System::nanoTime);

  private final List<Polled> polled = new ArrayList<>();

  // Owns work that belongs to no client, such as a fabric.
  private final Client own = new Client();

  // Waits for the engine in the device's own name; no page of a client holds it up.
  private final Client nobody = new Client();

  // Clients with active work or expired deadlines.
  private final List<Client> ready = new ArrayList<>();

  private final TimedClients timed = new TimedClients();
  private final Shares shares = new Shares();

  private Client current = own;

  private final Effort effort = new Effort();
  private int turnsLeft;
  private int stepDone;

  // The client whose turn it is, and which of its work.
  private @Nullable Client running;
  private @Nullable Work runningWork;

  private final ForeignCopies copies = new ForeignCopies(this);
  private final Map<Long, SleepingTurn> sleeping = new HashMap<>();
  private final List<Scratch> scratches = new ArrayList<>();
  private boolean ended;

  // Whether the last step did something.
  private boolean busy;

  // Sends the packets that steps and commands have collected.
  private Runnable flush = () -> {};

  /**
   * @param clock nanoseconds; never goes back
   * @param time the device's cached clock, which this engine sets
   * @param adversary draws which work has the next turn; null for round robin
   */
  public Engine(LongSupplier clock, DeviceTime time, @Nullable Adversary adversary) {
    this.clock = clock;
    this.time = time;
    this.adversary = adversary;
    time.follow(clock);
  }

  // ---- ownership

  /** Takes ownership for the data path if it is free and no command comes first. */
  public boolean tryEnter() {
    return ownership.tryEnter();
  }

  /** Waits for ownership on behalf of the device itself. Not reentrant. */
  public void enter() {
    ownership.await(nobody);
    entered(own);
  }

  /** Waits for ownership on behalf of a client. Not reentrant. */
  public void enter(Client client) {
    ownership.await(client);
    entered(client);
  }

  private void entered(Client client) {
    current = client;
    time.set(clock.getAsLong());
  }

  /** Runs the action that {@link #beforeExit} has set, then gives ownership back. */
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
   * Sets the action that each owner runs before it gives ownership back, between turns: a fabric
   * sends the packets that it has collected at the end of a step or of a command.
   */
  public void beforeExit(Runnable action) {
    flush = action;
  }

  // ---- scheduling (owner only)

  /** Polls this in each step from now on. */
  public void poll(Polled looked) {
    polled.add(looked);
  }

  /**
   * False when no client can ring because there is no place to poll. A hint: any thread may ask.
   */
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
    shares.returned(client);
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
    timed.schedule(clientOf(work), work);
  }

  /** Forgets work that is gone: it gets no more turns, and its deadlines do not fire. */
  public void remove(Work work) {
    clientOf(work).remove(work);
    // It may wait for the clients of these turns, and a page of theirs may never arrive.
    for (SleepingTurn turn : sleeping.values()) {
      turn.memory().callers.remove(work);
      if (turn.client() != null) {
        turn.client().callers.remove(work);
      }
    }
  }

  // ---- clients (owner only)

  /** The owner of all work that belongs to no client. */
  public Client own() {
    return own;
  }

  /** Adds a client with turns of its own; commands may create objects for it from now on. */
  public Client open() {
    Client client = new Client();
    shares.open(client);
    return client;
  }

  /** Removes a client. Work that it left behind still gets turns. */
  public void close(Client client) {
    shares.close(client);
    if (current == client) {
      current = own;
    }
  }

  /**
   * True when there are fewer processors than spinning threads: one for each client, or one if no
   * client was opened, and the device's. A hint: any thread may ask.
   */
  boolean isCrowded(int processors) {
    return Math.max(1, shares.clients()) + 1 > processors;
  }

  @Override
  public Client client() {
    return current;
  }

  @Override
  public long bytesPerTurn() {
    return shares.bytesPerTurn();
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

  /** Adds memory that turns share, which a turn has to keep while it waits for a page. */
  public void scratch(Scratch shared) {
    scratches.add(shared);
  }

  /**
   * Suspends the current turn, whose thread is in a copy and will {@link #resume}. The caller has
   * taken the engine from that thread and owns it until this returns.
   *
   * @param memory the client whose memory the copy waits for
   */
  void suspend(long copy, Client memory) {
    Client client = running;
    Work work = runningWork;
    long now = clock.getAsLong();
    memory.used += 2 * (now - time.now());
    if (client != null && client != memory && work != null && work.leave()) {
      activate(work);
      putBack(client, now);
      client = null;
    }
    sleeping.put(
        copy,
        new SleepingTurn(client, work, memory, scratches.stream().map(Scratch::leave).toList()));
    freeze(memory);
    if (client != null && client != memory) {
      if (work == null) {
        freeze(client);
      } else {
        // Its client's other work continues.
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

  /** Resumes the turn of this thread, whose copy has ended, as soon as the engine is free. */
  void resume(long copy) {
    enter();
    if (ended) {
      throw new EngineEnded();
    }
    SleepingTurn turn = Objects.requireNonNull(sleeping.remove(copy));
    for (int i = 0; i < scratches.size(); i++) {
      scratches.get(i).takeBack(turn.scratch().get(i));
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
        // It may have missed a wake-up meanwhile, so it is activated.
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
   * True when a client accepts nothing now because a page of its memory is awaited.
   *
   * @param client null for the device itself
   */
  public boolean isHeldUp(@Nullable Client client) {
    return client != null && client.frozen > 0;
  }

  /** Activates work once a client that {@link #isHeldUp} accepts something again. */
  public void activateLater(Work work, Client client) {
    client.callers.add(work);
  }

  /** True while any turn waits for a page. */
  public boolean hasSleepingTurns() {
    return !sleeping.isEmpty();
  }

  /**
   * Ends the engine: there are no more turns, and turns that wait for a page end, too (owner only).
   */
  public void end() {
    ended = true;
  }

  // ---- duty cycles (owner only)

  /**
   * Runs one duty cycle, which polls the likely places.
   *
   * @return how much was done; 0 when it found nothing to do there
   */
  public int step() {
    return step(false);
  }

  /**
   * Runs one duty cycle that polls everywhere, as is required before a rest.
   *
   * @return how much was done; 0 when the device waits for doorbells or for time, unless it {@link
   *     #isLooking}
   */
  public int stepThoroughly() {
    return step(true);
  }

  /** True when {@link #stepThoroughly} could not poll everywhere in one go. */
  public boolean isLooking() {
    for (int i = 0; i < polled.size(); i++) {
      if (polled.get(i).isLooking()) {
        return true;
      }
    }
    return false;
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
    if (timed.mayBeDue(now)) {
      activateDue(now);
    }
    done += runReady(now);
    busy = done > 0;
    return done;
  }

  private void activateDue(long now) {
    List<Client> due = timed.findDue(now);
    for (int i = 0; i < due.size(); i++) {
      if (!due.get(i).ready) {
        makeReady(due.get(i));
      }
    }
  }

  /**
   * Time until {@link #step} must be called even if no doorbell or command comes, in nanoseconds;
   * {@link Long#MAX_VALUE} for never.
   */
  public long nanosToNextTimer() {
    long nanos = untilFirst(TimerQueue::next);
    return isLooking() ? Math.min(nanos, NANOS_BETWEEN_LOOKS) : nanos;
  }

  /**
   * Time until the next deadline of a device that is idle until then, in nanoseconds; {@link
   * Long#MAX_VALUE} when there is none.
   */
  public long nanosToNextDeadline() {
    return untilFirst(TimerQueue::nextDeadline);
  }

  private long untilFirst(ToLongFunction<TimerQueue> of) {
    long first = timed.first(of);
    return first == Long.MAX_VALUE ? first : Math.max(0, first - time.now());
  }

  // ---- turns

  private int runReady(long now) {
    turnsLeft = TURNS_PER_STEP;
    stepDone = 0;
    if (shares.clients() <= 1) {
      runUndisputed(now);
    } else {
      runDisputed(now);
    }
    running = null;
    // Idle turns are no reason to rest while other clients wait for theirs.
    return ready.isEmpty() ? stepDone : stepDone + 1;
  }

  /** Runs the turns of a device that has one client, without reading the clock. */
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

  /**
   * Runs the turns of a device that clients share: the client that has had the least time is next.
   */
  private void runDisputed(long start) {
    long now = start;
    long end = start + shares.nanosPerStep();
    while (turnsLeft > 0 && now < end && !ready.isEmpty()) {
      int least = Shares.least(ready);
      if (shares.delays(ready.get(least), now)) {
        return;
      }
      Client next = take(least);
      shares.begin(next, !ready.isEmpty(), now);
      runTimers(next, now);
      turn(next);
      if (next.count() == 0 && ready.isEmpty()) {
        // No other client waited, so its time cost them nothing: a client that has little to do at
        // a time gets its turns as if it were alone.
        shares.chargeLeast(next);
        putBack(next, now);
        return;
      }
      long after = clock.getAsLong();
      shares.charge(next, after - now, effort.spent());
      putBack(next, now);
      if (!next.ready) {
        shares.left(next, after);
      }
      now = after;
    }
  }

  private Client take(int index) {
    Client next = ready.remove(index);
    next.listed = false;
    running = next;
    return next;
  }

  private void runTimers(Client client, long now) {
    if (client.timers().next() <= now) {
      stepDone += client.timers().run(now);
    }
  }

  private static boolean isDone(Client client, long now) {
    return client.count() == 0 && client.timers().next() > now;
  }

  /** Decides whether a client that was taken from the ready list goes back to it. */
  private void putBack(Client client, long now) {
    if (client.frozen > 0 || client.listed) {
      return;
    }
    if (isDone(client, now)) {
      client.ready = false;
      timed.note(client);
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
    Work work = client.take();
    runningWork = work;
    turn(client, work);
    runningWork = null;
  }

  /**
   * Gives work its next turns now, ahead of all other work: until it has nothing more to do, or at
   * most this many; fewer if they cost more {@linkplain Effort effort} than turns usually do. For a
   * command of the client that owns the work: turns that wait for a page have ended afterwards, and
   * other commands may have run.
   */
  public void settle(Work work, int most) {
    Client client = clientOf(work);
    int done = 1;
    long spent = 0;
    for (int i = 0; done > 0 && isToSettle(client, i, most, spent); i++) {
      running = client;
      runningWork = work;
      effort.begin();
      done = Guard.turn(work);
      spent += effort.spent();
      running = null;
      runningWork = null;
    }
    awaitPages(client);
  }

  /** Does the same for all active work of a client, in order. */
  public void settle(Client client, int most) {
    long spent = 0;
    for (int i = 0; client.count() > 0 && isToSettle(client, i, most, spent); i++) {
      running = client;
      runningWork = client.take();
      turn(client, runningWork);
      spent += effort.spent();
    }
    running = null;
    runningWork = null;
    awaitPages(client);
  }

  /**
   * Waits for turns that began while a turn of the command waited for a page of another client, and
   * that wait for a page themselves: the command may end what they use.
   */
  private void awaitPages(Client client) {
    if (ownership.isHeld(client)) {
      exit();
      enter(client);
      if (ended) {
        throw new EngineEnded();
      }
    }
  }

  private static boolean isToSettle(Client client, int turns, int most, long spent) {
    return turns < most && spent < most * Shares.BYTES_PER_TURN && client.frozen == 0;
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
