package dev.bluebell.lab.litmus;

import dev.bluebell.lab.litmus.Action.Atomic;
import dev.bluebell.lab.litmus.Action.Await;
import dev.bluebell.lab.litmus.Action.Change;
import dev.bluebell.lab.litmus.Action.Get;
import dev.bluebell.lab.litmus.Action.Load;
import dev.bluebell.lab.litmus.Action.Locked;
import dev.bluebell.lab.litmus.Action.Poll;
import dev.bluebell.lab.litmus.Action.Put;
import dev.bluebell.lab.litmus.Action.RemoteFence;
import dev.bluebell.lab.litmus.Action.Request;
import dev.bluebell.lab.litmus.Action.Store;
import dev.bluebell.lab.litmus.Action.StoreFence;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The model of RDMA on TSO as an abstract machine, and the search for all results that a litmus
 * test can have on it. It is independent of the software ConnectX.
 *
 * <p>Each thread has a store buffer for stores and requests, which leave it in order: stores go to
 * memory, requests to the pipe of the thread's queue pair with the request's node. A queue pair
 * also has two buffers, each of which keeps its order: one for writes on their way to the memory of
 * the remote node, and one for writes and completions on their way to the thread's own node. A step
 * is one of these:
 *
 * <ul>
 *   <li>The oldest entry leaves a store buffer.
 *   <li>A put reads its source. Puts do so in order, and not while a write of the queue pair is on
 *       its way to the own node.
 *   <li>A put that has read its source writes: its write is on its way. Puts do so in order; they
 *       overtake gets and atomics.
 *   <li>A get or atomic reads at the remote node, after all earlier puts and when their writes are
 *       in memory. It may overtake other gets; atomics do not overtake each other. An atomic writes
 *       in a later step; until then no other atomic of that node begins.
 *   <li>The oldest request completes. This puts on the way to the own node: for a put, a
 *       completion; for a get or atomic, its result and then a completion.
 *   <li>A fence is removed when it is the oldest request. Later requests do nothing before that.
 *   <li>The oldest write of a buffer takes effect in memory.
 *   <li>A thread executes its next action. A poll takes the oldest completion when no write
 *       precedes it.
 * </ul>
 */
final class Model {
  /**
   * State of the machine between two steps; final states, without further steps, have the results.
   */
  private record State(
      Map<String, Integer> memory,
      List<Cpu> cpus,
      Map<Pair, Qp> qps,
      // Nodes at which an atomic has read and not written yet.
      Set<Integer> locks) {

    State with(String location, int value) {
      return new State(put(memory, location, value), cpus, qps, locks);
    }

    State with(int thread, Cpu cpu) {
      List<Cpu> other = new ArrayList<>(cpus);
      other.set(thread, cpu);
      return new State(memory, List.copyOf(other), qps, locks);
    }

    State with(Pair pair, Qp qp) {
      return new State(memory, cpus, put(qps, pair, qp), locks);
    }

    State locked(int node, boolean on) {
      Set<Integer> other = new HashSet<>(locks);
      boolean unused = on ? other.add(node) : other.remove(node);
      return new State(memory, cpus, qps, Set.copyOf(other));
    }

    int value(String location) {
      return memory.getOrDefault(location, 0);
    }

    Qp qp(Pair pair) {
      return qps.getOrDefault(pair, Qp.IDLE);
    }
  }

  private static <K, V> Map<K, V> put(Map<K, V> map, K key, V value) {
    Map<K, V> other = new HashMap<>(map);
    other.put(key, value);
    return Map.copyOf(other);
  }

  /** A thread and its remote node. */
  private record Pair(int thread, int node) {}

  private record Cpu(int next, List<Action> buffer, Map<String, Integer> registers) {
    Cpu past() {
      return new Cpu(next + 1, buffer, registers);
    }

    Cpu buffers(Action action) {
      return new Cpu(next + 1, plus(buffer, action), registers);
    }

    Cpu drained() {
      return new Cpu(next, buffer.subList(1, buffer.size()), registers);
    }

    Cpu loads(String register, int value) {
      return new Cpu(next + 1, buffer, put(registers, register, value));
    }
  }

  /** An entry of a pipe, by its progress. */
  private sealed interface Entry {
    /** The request has had no effect yet. */
    record Pending(Request request) implements Entry {}

    /** A put that has read, or an atomic that has. */
    record Writing(String to, int value) implements Entry {}

    /** An atomic that has read, and has not written yet. */
    record Changing(Atomic atomic, int read) implements Entry {}

    /** A put that has written. */
    record Written() implements Entry {}

    /** A get or atomic whose result is not on its way yet. */
    record Landing(String to, int value) implements Entry {}
  }

  /** An entry on its way to memory: a write, or a completion when there is no location. */
  private record Move(String to, int value) {
    static final Move COMPLETION = new Move("", 0);

    boolean isCompletion() {
      return to.isEmpty();
    }
  }

  private record Qp(List<Entry> pipe, List<Move> remote, List<Move> local) {
    static final Qp IDLE = new Qp(List.of(), List.of(), List.of());

    Qp with(int at, Entry entry) {
      List<Entry> other = new ArrayList<>(pipe);
      other.set(at, entry);
      return new Qp(List.copyOf(other), remote, local);
    }

    Qp takes(Request request) {
      return new Qp(plus(pipe, new Entry.Pending(request)), remote, local);
    }

    Qp retires(Move... moves) {
      List<Move> other = new ArrayList<>(local);
      other.addAll(List.of(moves));
      return new Qp(pipe.subList(1, pipe.size()), remote, List.copyOf(other));
    }

    boolean isIdle() {
      return pipe.isEmpty() && remote.isEmpty() && local.stream().allMatch(Move::isCompletion);
    }
  }

  private static <T> List<T> plus(List<T> list, T last) {
    List<T> other = new ArrayList<>(list);
    other.add(last);
    return List.copyOf(other);
  }

  private static <T> List<T> without(List<T> list, int at) {
    List<T> other = new ArrayList<>(list);
    other.remove(at);
    return List.copyOf(other);
  }

  private final Litmus litmus;
  private final Set<Strength> strengths;
  private final boolean relaxed;
  private final List<State> next = new ArrayList<>();

  private Model(Litmus litmus, Set<Strength> strengths, boolean relaxed) {
    this.litmus = litmus;
    this.strengths = strengths;
    this.relaxed = relaxed;
  }

  /**
   * All possible results of a test.
   *
   * @param strengths orders that the device keeps in addition to the model's
   * @param relaxed whether writes on their way to another node may overtake each other, as with
   *     relaxed-ordering keys
   */
  static SortedSet<String> results(Litmus litmus, Set<Strength> strengths, boolean relaxed) {
    return new Model(litmus, strengths, relaxed).search();
  }

  private SortedSet<String> search() {
    State start =
        new State(
            litmus.initial(),
            litmus.threads().stream().map(each -> new Cpu(0, List.of(), Map.of())).toList(),
            Map.of(),
            Set.of());
    SortedSet<String> results = new TreeSet<>();
    Set<State> known = new HashSet<>(Set.of(start));
    Deque<State> open = new ArrayDeque<>(List.of(start));
    while (!open.isEmpty()) {
      State state = open.pop();
      if (isOver(state)) {
        results.add(litmus.result(name -> value(state, name)));
      }
      next.clear();
      steps(state);
      for (State each : next) {
        if (known.add(each)) {
          open.push(each);
        }
      }
    }
    return results;
  }

  private boolean isOver(State state) {
    for (int i = 0; i < litmus.threads().size(); i++) {
      Cpu cpu = state.cpus().get(i);
      if (cpu.next() < litmus.threads().get(i).actions().size() || !cpu.buffer().isEmpty()) {
        return false;
      }
    }
    return state.qps().values().stream().allMatch(Qp::isIdle);
  }

  private static int value(State state, String name) {
    for (Cpu cpu : state.cpus()) {
      Integer value = cpu.registers().get(name);
      if (value != null) {
        return value;
      }
    }
    return state.value(name);
  }

  private void steps(State state) {
    for (int i = 0; i < state.cpus().size(); i++) {
      Cpu cpu = state.cpus().get(i);
      drain(state, i, cpu);
      List<Action> actions = litmus.threads().get(i).actions();
      if (cpu.next() < actions.size()) {
        act(state, i, cpu, actions.get(cpu.next()));
      }
    }
    state.qps().forEach((pair, qp) -> serve(state, pair, qp));
  }

  // ---- processors

  private void drain(State state, int thread, Cpu cpu) {
    if (cpu.buffer().isEmpty()) {
      return;
    }
    State drained = state.with(thread, cpu.drained());
    switch (cpu.buffer().getFirst()) {
      case Store store -> next.add(drained.with(store.to(), store.value()));
      case Request request -> {
        Pair pair = new Pair(thread, request.node());
        next.add(drained.with(pair, state.qp(pair).takes(request)));
      }
      default -> throw new IllegalStateException("nothing else is buffered");
    }
  }

  private void act(State state, int thread, Cpu cpu, Action action) {
    switch (action) {
      case Store store -> next.add(state.with(thread, cpu.buffers(store)));
      case Request request -> next.add(state.with(thread, cpu.buffers(request)));
      case Load load ->
          next.add(state.with(thread, cpu.loads(load.register(), load(state, cpu, load.from()))));
      case Await await -> {
        if (load(state, cpu, await.from()) == await.value()) {
          next.add(state.with(thread, cpu.past()));
        }
      }
      case StoreFence _ -> {
        if (cpu.buffer().isEmpty()) {
          next.add(state.with(thread, cpu.past()));
        }
      }
      case Locked locked -> {
        if (cpu.buffer().isEmpty()) {
          Change change = locked.change();
          int before = state.value(change.at());
          next.add(
              state
                  .with(thread, cpu.loads(locked.register(), before))
                  .with(change.at(), change.of(before)));
        }
      }
      case Poll poll -> {
        Pair pair = new Pair(thread, poll.node());
        Qp qp = state.qp(pair);
        if (!qp.local().isEmpty() && qp.local().getFirst().isCompletion()) {
          next.add(
              state
                  .with(thread, cpu.past())
                  .with(pair, new Qp(qp.pipe(), qp.remote(), without(qp.local(), 0))));
        }
      }
    }
  }

  private static int load(State state, Cpu cpu, String from) {
    return cpu.buffer().reversed().stream()
        .filter(Store.class::isInstance)
        .map(Store.class::cast)
        .filter(store -> store.to().equals(from))
        .findFirst()
        .map(Store::value)
        .orElse(state.value(from));
  }

  // ---- queue pairs

  private void serve(State state, Pair pair, Qp qp) {
    for (int i = 0; i < qp.pipe().size(); i++) {
      List<Entry> before = qp.pipe().subList(0, i);
      if (before.stream().anyMatch(Model::isFence)) {
        break;
      }
      proceed(state, pair, qp, i, before);
    }
    complete(state, pair, qp);
    for (int i = 0; i < qp.remote().size(); i++) {
      if (i == 0 || relaxed) {
        Move move = qp.remote().get(i);
        next.add(
            state
                .with(pair, new Qp(qp.pipe(), without(qp.remote(), i), qp.local()))
                .with(move.to(), move.value()));
      }
    }
    for (int i = 0; i < qp.local().size(); i++) {
      Move move = qp.local().get(i);
      if (!move.isCompletion()) {
        next.add(
            state
                .with(pair, new Qp(qp.pipe(), qp.remote(), without(qp.local(), i)))
                .with(move.to(), move.value()));
        break;
      }
    }
  }

  private static boolean isFence(Entry entry) {
    return entry instanceof Entry.Pending(RemoteFence _);
  }

  private static boolean isUnwrittenPut(Entry entry) {
    return entry instanceof Entry.Pending(Put _) || entry instanceof Entry.Writing;
  }

  private static boolean isUnreadAtomic(Entry entry) {
    return entry instanceof Entry.Pending(Atomic _) || entry instanceof Entry.Changing;
  }

  private static boolean isUnread(Entry entry) {
    return entry instanceof Entry.Pending(Get _) || isUnreadAtomic(entry);
  }

  private static boolean none(List<Entry> entries, Predicate<Entry> what) {
    return entries.stream().noneMatch(what);
  }

  private void proceed(State state, Pair pair, Qp qp, int at, List<Entry> before) {
    switch (qp.pipe().get(at)) {
      case Entry.Pending(Put put) -> {
        if (none(before, entry -> entry instanceof Entry.Pending(Put _))
            && qp.local().stream().allMatch(Move::isCompletion)
            && isSeen(state, put.from())) {
          next.add(
              state.with(pair, qp.with(at, new Entry.Writing(put.to(), state.value(put.from())))));
        }
      }
      case Entry.Writing writing -> {
        if (none(before, Model::isUnwrittenPut)) {
          Qp written = qp.with(at, new Entry.Written());
          next.add(
              state.with(
                  pair,
                  new Qp(
                      written.pipe(),
                      plus(qp.remote(), new Move(writing.to(), writing.value())),
                      qp.local())));
        }
      }
      case Entry.Pending(Get get) -> {
        if (mayRead(state, qp, before, get.from())) {
          next.add(
              state.with(pair, qp.with(at, new Entry.Landing(get.to(), state.value(get.from())))));
        }
      }
      case Entry.Pending(Atomic atomic) -> {
        if (mayRead(state, qp, before, atomic.change().at())
            && none(before, Model::isUnreadAtomic)
            && !state.locks().contains(pair.node())) {
          int read = state.value(atomic.change().at());
          State reading =
              state
                  .with(pair, qp.with(at, new Entry.Changing(atomic, read)))
                  .locked(pair.node(), true);
          next.add(
              strengths.contains(Strength.ATOMICS_WHOLE)
                  ? changed(reading, pair, reading.qp(pair), at, atomic, read)
                  : reading);
        }
      }
      case Entry.Changing(Atomic atomic, int read) ->
          next.add(changed(state, pair, qp, at, atomic, read));
      case Entry.Pending(RemoteFence _), Entry.Written _, Entry.Landing _ -> {}
    }
  }

  private static State changed(State state, Pair pair, Qp qp, int at, Atomic atomic, int read) {
    Change change = atomic.change();
    int after = change.of(read);
    State landing =
        state
            .with(pair, qp.with(at, new Entry.Landing(atomic.to(), read)))
            .locked(pair.node(), false);
    return after == read ? landing : landing.with(change.at(), after);
  }

  private boolean mayRead(State state, Qp qp, List<Entry> before, String from) {
    boolean behindReads = strengths.contains(Strength.READS_IN_ORDER);
    return qp.remote().isEmpty()
        && none(before, entry -> isUnwrittenPut(entry) || behindReads && isUnread(entry))
        && isSeen(state, from);
  }

  /**
   * True when the NIC may read a location: not while a write that it must see is still on its way.
   */
  private boolean isSeen(State state, String from) {
    return !strengths.contains(Strength.READS_SEE_WRITES)
        || state.qps().values().stream()
            .flatMap(qp -> qp.remote().stream())
            .noneMatch(move -> move.to().equals(from));
  }

  private void complete(State state, Pair pair, Qp qp) {
    if (qp.pipe().isEmpty()) {
      return;
    }
    switch (qp.pipe().getFirst()) {
      case Entry.Written _ -> {
        if (!strengths.contains(Strength.PUT_COMPLETES_VISIBLE) || qp.remote().isEmpty()) {
          next.add(state.with(pair, qp.retires(Move.COMPLETION)));
        }
      }
      case Entry.Landing(String to, int value) ->
          next.add(state.with(pair, qp.retires(new Move(to, value), Move.COMPLETION)));
      case Entry.Pending(RemoteFence _) -> next.add(state.with(pair, qp.retires()));
      case Entry.Pending _, Entry.Writing _, Entry.Changing _ -> {}
    }
  }
}
