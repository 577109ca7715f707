package dev.bluebell.verifier;

import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Proves that an image gives the same results on every device that obeys the rules of NIC programs,
 * or reports the WQE that prevents the proof.
 *
 * <p>The verifier executes the image once for each combination of outcomes of its conditions. Bytes
 * may be unknown: the messages of clients, and the regions that are named as data. In addition to
 * the bytes, it tracks which events certainly happen before which others. This relation must order
 * any two accesses to a byte of which one writes. Fetching a WQE from its ring is an access like
 * any other, which may happen as soon as the queue is enabled that far. If all such accesses are
 * ordered, any other order of the same events reads the same bytes and causes the same events, so
 * one execution represents all.
 *
 * <p>A loop is followed until its state recurs. If WAITs count completions, no state recurs,
 * because counts have 24 bits. In that case the proof is by induction over laps ({@link
 * LapStates}):
 *
 * <ol>
 *   <li>At rest after a call, and when a ring begins again in a loop, each counter (the position of
 *       a queue, the completions of a completion queue) becomes a symbolic number with unknown
 *       value. Each number in memory that is compared with it becomes the sum of this symbolic
 *       number and a constant. The state then represents itself any number of laps later.
 *   <li>After a lap, the increase of each counter is subtracted from the constants. If the result
 *       is an examined state, every later lap was examined.
 *   <li>Adding a constant to such a number keeps it symbolic, if it is a separate field and its
 *       carry is dropped; its bytes may be copied. Arithmetic is modulo the width, so the wrap of
 *       16-bit indices and 24-bit counts needs no special case. Any other operation makes the byte
 *       unknown, and an entry with an unknown index is refused.
 * </ol>
 *
 * <p>A {@link Scout} and further attempts ({@link Numbers}) find which bytes are numbers, and their
 * counters. A wrong guess may refuse a program, but never proves one.
 *
 * <p>A program that cannot be proved is refused.
 *
 * <p>An address from a client or from unknown data may be any address in the region whose key the
 * WQE names. The verifier assumes that it is one of them: the key rejects any other address, which
 * changes nothing and ends the queue. It also assumes that no other party writes tables during a
 * call, and that a client sends its next message after it has received its answer.
 */
public final class Verifier {
  private static final int MAX_REFUSALS = 16;

  /** Maximum number of attempts; each but the last finds a number with an unknown counter. */
  private static final int ATTEMPTS = 64;

  /** Maximum number of open paths, each with memory of its own. */
  private static final int MAX_OPEN = 1000;

  /** Maximum number of scouts that try to see all rings wrap. */
  private static final int SCOUTS = 16;

  /**
   * A proof to make.
   *
   * @param rules rules of the device
   * @param maxRequests maximum number of examined requests on all paths together
   * @param start creates the start of all paths
   */
  private record Task(ProgramImage image, Rules rules, int maxRequests, Supplier<Path> start) {}

  private final Task task;
  private final boolean generalises;

  /** Queues whose rings are known to wrap repeatedly in one call. */
  private final Set<Integer> rounds;

  private final @Nullable Scout scout;

  /** States by the key of all queues at a point of the laps, without memory. */
  private final Map<String, LapStates> lapStates = new HashMap<>();

  // States at the end of a ring's lap, and at rest: a path ends when it returns to one.
  private final Set<String> laps = new HashSet<>();
  private final Set<String> rests = new HashSet<>();
  private final Set<String> refusals = new LinkedHashSet<>();
  private final Set<String> uncertain = new LinkedHashSet<>();

  // Queue number and index, in the first lap, of executed requests.
  private final Set<Long> executed = new HashSet<>();
  private final Deque<Path> open = new ArrayDeque<>();
  private int paths;
  private int requests;

  /** True when something was not examined. */
  private boolean cut;

  private Verifier(Task task, boolean generalises, Set<Integer> rounds, @Nullable Scout scout) {
    this.task = task;
    this.generalises = generalises;
    this.rounds = rounds;
    this.scout = scout;
  }

  /**
   * Verifies an image with its initial memory.
   *
   * @param rules rules of the device
   */
  public static Verdict verify(ProgramImage image, Rules rules) {
    return verify(image, rules, Set.of(), 200_000);
  }

  /**
   * Verifies an image with unknown data.
   *
   * @param rules rules of the device
   * @param data names of regions with unknown bytes
   * @param maxRequests maximum number of examined requests on all paths together; a program that
   *     needs more is refused, and so is one with more than 1,000 open paths at a time
   */
  public static Verdict verify(ProgramImage image, Rules rules, Set<String> data, int maxRequests) {
    return verify(image, rules, data, Reliance.ALL, maxRequests);
  }

  /**
   * Verifies a chain without clients.
   *
   * @param reliance results that the application uses
   */
  static Verdict verify(
      ProgramImage image, Rules rules, Set<String> data, Reliance reliance, int maxRequests) {
    Set<Integer> sums = new HashSet<>();
    int known;
    Verdict verdict;
    do {
      known = sums.size();
      verdict = judge(new Task(image, rules, maxRequests, start(image, data, reliance, sums)));
    } while (sums.size() > known);
    return verdict;
  }

  /**
   * Creates starts of paths.
   *
   * @param sums known places of integers that several requests add to without an order; paths add
   *     those that they find
   */
  private static Supplier<Path> start(
      ProgramImage image, Set<String> data, Reliance reliance, Set<Integer> sums) {
    Numbers numbers =
        new Numbers(new Counters(image.queues().size(), image.completionQueues().size()));
    return () -> new Path(image, data, reliance, sums, numbers);
  }

  private static Verdict judge(Task task) {
    Scout scout = scout(task);
    if (!scout.goesRound()) {
      return lapByLap(task).run(task.start.get());
    }
    Verdict ofAllLaps = judgeAllLaps(task, scout.rounds());
    if (ofAllLaps.isProved() || scout.countsOn() && !scout.stops()) {
      return ofAllLaps;
    }
    Verifier lapByLap = lapByLap(task);
    Verdict verdict = lapByLap.run(task.start.get());
    return lapByLap.cut ? verdict.and(ofAllLaps.refusals()) : verdict;
  }

  private static Verifier lapByLap(Task task) {
    return new Verifier(task, false, Set.of(), null);
  }

  /**
   * Results of scouts, which run until each ring that may wrap has wrapped, or up to a maximum
   * number of scouts.
   */
  private static Scout scout(Task task) {
    Set<Integer> unseen = new HashSet<>();
    for (int queue = 0; queue < task.image.queues().size(); queue++) {
      // A ring that is not full ends after its last entry.
      if (task.image.queues().get(queue).send().isFull()) {
        unseen.add(queue);
      }
    }
    Set<Set<Long>> known = new HashSet<>(Set.of(Set.of()));
    Deque<Set<Long>> ways = new ArrayDeque<>(known);
    Scout all = new Scout(Set.of());
    int scouts = 0;
    do {
      Scout scout = new Scout(ways.remove());
      Verdict unused = new Verifier(task, false, Set.of(), scout).run(task.start.get());
      scout.otherWays().stream().filter(known::add).forEach(ways::add);
      unseen.removeAll(scout.compared());
      all.join(scout);
      scouts++;
    } while (scouts < SCOUTS && !unseen.isEmpty() && !ways.isEmpty());
    return all;
  }

  /** Verifies a program whose counters may have any value, as after any number of laps. */
  private static Verdict judgeAllLaps(Task task, Set<Integer> rounds) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Path path = task.start.get();
      path.numbers.beginAttempt();
      Verdict verdict = new Verifier(task, true, rounds, null).run(path);
      if (!path.numbers.isChanged()) {
        return verdict;
      }
    }
    return new Verdict(
        List.of("the numbers that advance from lap to lap were not found: nothing is proved"),
        0,
        0,
        List.of());
  }

  private Verdict run(Path start) {
    Execution.install(start);
    open.push(start);
    while (!open.isEmpty()
        && refusals.size() < MAX_REFUSALS
        && (scout != null || !start.numbers.isChanged())) {
      Path path = open.pop();
      paths++;
      try {
        follow(path);
        // A path that ends in a known state came there with writes of its own.
        uncertain.addAll(path.uncertain());
      } catch (Refused refused) {
        refusals.add(refused.sentence());
      } catch (Impossible unused) {
        paths--;
      }
      cut = requests >= task.maxRequests || open.size() > MAX_OPEN;
      if (cut) {
        refusals.add(
            "after %d requests on %d paths the program has neither ended nor returned to a state"
                    .formatted(requests, paths + open.size())
                + " that was there before: the rest is not proved"
                + (requests >= task.maxRequests
                    ? "; the bound is %d requests (maxRequests of Analysis.of)"
                        .formatted(task.maxRequests)
                    : ""));
        break;
      }
    }
    if (refusals.isEmpty()) {
      refuseWhatIsNeverExecuted();
    }
    return new Verdict(new ArrayList<>(refusals), paths, requests, new ArrayList<>(uncertain));
  }

  private void refuseWhatIsNeverExecuted() {
    for (Queue queue : task.image.queues()) {
      for (int index : Request.starts(queue.send())) {
        if (!executed.contains((long) queue.qpn() << 16 | index)) {
          refusals.add("%s is not executed on any path".formatted(Actor.wqe(queue, index)));
          break;
        }
      }
    }
  }

  private void follow(Path path) {
    Execution execution = new Execution(path, task.rules);
    if (path.decision != null && !step(path, execution, path.queues.get(path.turn))) {
      return;
    }
    while (requests < task.maxRequests) {
      boolean moved = false;
      int queues = path.queues.size();
      for (int i = 0; i < 2 * queues; i++) {
        execution.letWaitsEnd(i >= queues);
        ProofQueue at = path.queues.get((path.turn + 1 + i) % path.queues.size());
        long before = at.head;
        if (!step(path, execution, at)) {
          return;
        }
        if (at.head != before) {
          path.turn = at.number;
          moved = true;
          break;
        }
      }
      if (!moved && !ask(path, execution)) {
        return;
      }
    }
  }

  /** Executes a queue's next request, if it can. False when the path ends here. */
  private boolean step(Path path, Execution execution, ProofQueue at) {
    long before = at.head;
    Execution.Result result = execution.next(at);
    if (result == Execution.Result.CONDITION && (scout != null || path.numbers.isChanged())) {
      oneWay(path, execution, at);
    } else if (result == Execution.Result.CONDITION) {
      Path other = path.copy();
      other.decision = true;
      other.turn = at.number;
      open.push(other);
      path.decision = false;
      path.turn = at.number;
      open.push(path);
      // Both are counted when they are resumed.
      paths--;
      return false;
    }
    if (at.head == before) {
      return true;
    }
    requests++;
    int slots = at.queue.send().slots();
    executed.add((long) at.queue.qpn() << 16 | before % slots);
    boolean lap = at.head >= slots && at.head % slots < before % slots;
    return !lap || goesOn(path, at);
  }

  /** Chooses one outcome of a condition, when nothing is to be proved. */
  private void oneWay(Path path, Execution execution, ProofQueue at) {
    boolean way = scout != null && scout.way(at);
    try {
      path.decision = way;
      execution.next(at);
    } catch (Impossible unused) {
      path.decision = !way;
      execution.next(at);
    }
  }

  private boolean goesOn(Path path, ProofQueue at) {
    at.laps++;
    if (scout != null) {
      return scout.lap(path, at);
    }
    if (!generalises) {
      return laps.add(StateKey.of(path));
    }
    return at.laps == 1 && !rounds.contains(at.number) || isNew(path, "lap of " + at.number);
  }

  /**
   * Whether no path was in this state before. A program has fewer states at rest than at the start
   * of a ring's lap, so the latter are examined only for rings that wrap without a rest.
   */
  private boolean isNew(Path path, String where) {
    path.rebase();
    String place = where + StateKey.ofAllButMemory(path);
    return lapStates.computeIfAbsent(place, unused -> new LapStates()).add(path);
  }

  /** Lets the next client send its message, at rest. False when there is none. */
  private boolean ask(Path path, Execution execution) {
    new Rest(task.image, path, task.rules).check();
    path.queues.forEach(each -> each.laps = 0);
    if (path.client >= 0) {
      path.clients.get(path.client).proceed();
    }
    boolean isLap = generalises && path.client >= 0;
    if (isLap ? !isNew(path, "rest") : !rests.add(StateKey.of(path))) {
      return false;
    }
    for (int i = 0; i < path.clients.size(); i++) {
      int next = (path.client + 1 + i) % path.clients.size();
      if (execution.receiveFromClient(path.clients.get(next))) {
        path.client = next;
        return true;
      }
    }
    Rest.refuseWhatIsArmedInVain(path);
    return false;
  }
}
