package dev.bluebell.program.verify;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Ring;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Proves that an image gives the same results on every device that keeps to the rules of NIC
 * programs, or says which WQE spoils that.
 *
 * <p>It executes the image once for each way that the conditions may go, on bytes that may be
 * unknown: what clients send, and the regions that are named as data. Beside the bytes it keeps
 * what has certainly happened before what. Two accesses to a byte, of which one writes, must be
 * ordered by that; the reading of a WQE from its ring is an access like any other, which may come
 * as soon as the queue is enabled so far. When all are, any other order of the same events reads
 * the same bytes and so makes the same events, which makes one execution speak for all.
 *
 * <p>A loop is followed until its state is one that was there before. What it can't show it
 * refuses.
 *
 * <p>An address that a client sends, or that unknown data holds, may be any in the region whose key
 * the WQE names, and is supposed to be one of them: what points elsewhere, the key refuses, which
 * changes nothing and ends the queue. Of tables it supposes nothing but that nobody else writes
 * them while a call is under way, and of a client that it sends its next message when it has its
 * answer.
 */
public final class Verifier {
  private static final int MAX_REFUSALS = 16;

  private final ProgramImage image;
  private final Rules rules;
  private final int maxRequests;

  // States at the end of a lap of some ring, and when all rests: a path must not meet its own.
  private final Set<String> laps = new HashSet<>();
  private final Set<String> rests = new HashSet<>();
  private final Set<String> refusals = new LinkedHashSet<>();

  // Queue number and index of the first lap.
  private final Set<Long> executed = new HashSet<>();
  private final Deque<Path> open = new ArrayDeque<>();
  private int paths;
  private int requests;

  private Verifier(ProgramImage image, Rules rules, int maxRequests) {
    this.image = image;
    this.rules = rules;
    this.maxRequests = maxRequests;
  }

  /**
   * Judges an image, with its memory as it is at the start.
   *
   * @param rules the device
   */
  public static Verdict verify(ProgramImage image, Rules rules) {
    return verify(image, rules, Set.of(), 200_000);
  }

  /**
   * Judges an image whose data may be anything.
   *
   * @param rules the device
   * @param data names of regions whose bytes are not known
   * @param maxRequests how many requests may be looked at on all paths together; a program that
   *     takes more is refused
   */
  public static Verdict verify(ProgramImage image, Rules rules, Set<String> data, int maxRequests) {
    return new Verifier(image, rules, maxRequests).run(data);
  }

  private Verdict run(Set<String> data) {
    Path start = new Path(image, new Layout(image), data);
    Execution.install(start);
    open.push(start);
    while (!open.isEmpty() && refusals.size() < MAX_REFUSALS) {
      Path path = open.pop();
      paths++;
      try {
        follow(path);
      } catch (Refused refused) {
        refusals.add(refused.sentence());
      } catch (Impossible unused) {
        paths--;
      }
      if (requests >= maxRequests) {
        refusals.add(
            "after %d requests on %d paths the program has not come to an end, nor to a state that"
                    .formatted(requests, paths)
                + " was there before: the rest is not proved");
        break;
      }
    }
    if (refusals.isEmpty()) {
      refuseWhatIsNeverExecuted();
    }
    return new Verdict(new ArrayList<>(refusals), paths, requests);
  }

  private void refuseWhatIsNeverExecuted() {
    for (Queue queue : image.queues()) {
      for (int index = 0; index < queue.send().posted(); ) {
        if (!executed.contains((long) queue.qpn() << 16 | index)) {
          refusals.add(
              "WQE %d of queue 0x%x (%s) is executed on no path"
                  .formatted(index, queue.qpn(), queue.name()));
          break;
        }
        index += Math.max(1, ControlSegment.wqebbs(Request.ds(queue.send().slot(index))));
      }
    }
  }

  private void follow(Path path) {
    Execution execution = new Execution(path, rules);
    if (path.decision != null && !step(path, execution, path.queues.get(path.turn))) {
      return;
    }
    while (requests < maxRequests) {
      boolean moved = false;
      for (int i = 0; i < path.queues.size(); i++) {
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
    if (execution.next(at) == Execution.Result.CONDITION) {
      Path other = path.copy();
      other.decision = true;
      other.turn = at.number;
      open.push(other);
      path.decision = false;
      path.turn = at.number;
      open.push(path);
      // Counted again when they are taken up.
      paths--;
      return false;
    }
    if (at.head == before) {
      return true;
    }
    requests++;
    executed.add((long) at.queue.qpn() << 16 | before & 0xffff);
    int slots = at.queue.send().slots();
    boolean lap = at.head >= slots && at.head % slots < before % slots;
    return !lap || laps.add(StateKey.of(path));
  }

  /** All rests: the next client sends its message. False when there is none. */
  private boolean ask(Path path, Execution execution) {
    List<String> stuck = stuck(path);
    boolean answered = path.client < 0 || path.clients.get(path.client).isAnswered();
    if (!stuck.isEmpty() && (path.client >= 0 || image.entryPoints().isEmpty()) && !answered) {
      throw new Refused("%s", stuck.getFirst());
    }
    if (path.client >= 0) {
      path.clients.get(path.client).proceed();
    } else if (image.entryPoints().isEmpty() && !stuck.isEmpty()) {
      throw new Refused("%s", stuck.getFirst());
    }
    if (!rests.add(StateKey.of(path))) {
      return false;
    }
    for (int i = 0; i < path.clients.size(); i++) {
      int next = (path.client + 1 + i) % path.clients.size();
      if (execution.receiveFromClient(path.clients.get(next))) {
        path.client = next;
        return true;
      }
    }
    refuseWhatIsArmedInVain(path);
    return false;
  }

  /** A NOP that a condition made a request, in a queue that is not enabled so far. */
  private static void refuseWhatIsArmedInVain(Path path) {
    for (ProofQueue at : path.queues) {
      Ring ring = at.queue.send();
      for (long index = at.limit(); at.queue.managed() && index < ring.posted(); index++) {
        int place = EntryReader.place(path, ring, index) + 3;
        int before = ring.slot((int) index)[3];
        int now = path.symbols.resolve(path.memory[place]);
        if (before == WqeOpcode.NOP && now != before) {
          throw new Refused("%s becomes a request and is not enabled then", at.entry(index));
        }
      }
    }
  }

  /** WAITs that nothing will end. */
  private List<String> stuck(Path path) {
    List<String> stuck = new ArrayList<>();
    for (ProofQueue at : path.queues) {
      if (at.head < at.limit()) {
        Request request = new EntryReader(path, at, rules).read();
        ProofCq cq = path.completions.get(request.object());
        boolean ofClient =
            path.clients.stream()
                .map(client -> path.queue(client.entry.qpn()))
                .anyMatch(queue -> queue != null && queue.queue.receiveCq() == request.object());
        if (request.isWait() && cq != null && !ofClient) {
          stuck.add(
              "%s waits for completion %d of completion queue %d, which has %d when all rests"
                  .formatted(
                      at.entry(at.head),
                      request.awaited() + 1,
                      request.object(),
                      cq.count & 0xffffff));
        }
      }
    }
    return stuck;
  }
}
