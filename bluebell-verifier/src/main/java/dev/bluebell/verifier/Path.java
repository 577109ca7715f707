package dev.bluebell.verifier;

import dev.bluebell.program.image.EntryPoint;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Ring;
import dev.bluebell.verifier.Symbols.Digit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A path of a proof: one choice of outcomes for the conditions of a program, up to some moment. */
final class Path {
  final Layout layout;
  final Keys keys;
  final int[] memory;
  Symbols symbols;
  final AccessLog log;
  final List<ProofQueue> queues = new ArrayList<>();
  final Map<Integer, ProofCq> completions = new TreeMap<>();
  final List<ProofClient> clients = new ArrayList<>();

  /** The clock at which no event has happened. */
  final Clock start;

  final Counters counters;
  final Numbers numbers;

  /** Changes that WAITs for values may have seen. */
  final ValueWaits waits;

  /** Places of integers that several requests add to without an order; kept from proof to proof. */
  private final Set<Integer> sums;

  /** Results that the application relies on. */
  private final Reliance reliance;

  /** All writes, if the application polls flags, since the log forgets accesses that are over. */
  private final List<Access> flagged = new ArrayList<>();

  /** True when counters may have any value, and all numbers are relative to them. */
  boolean isGeneral;

  /** Value that was subtracted from each counter so far, on the path that was actually executed. */
  final long[] bases;

  /** Outcome of the next condition; null when it is not chosen. */
  @Nullable Boolean decision;

  /** Position of the client whose message is processed; −1 before the first. */
  int client = -1;

  /** Position of the queue that had the last turn. */
  int turn;

  /** Creates the start of all paths. */
  Path(
      ProgramImage image,
      Set<String> unknown,
      Reliance reliance,
      Set<Integer> sums,
      Numbers numbers) {
    this.reliance = reliance;
    this.sums = sums;
    layout = new Layout(image);
    keys = new Keys(image, layout);
    this.numbers = numbers;
    counters = numbers.counters;
    bases = new long[counters.size()];
    symbols = new Symbols();
    log = new AccessLog(layout.clientsFrom(), sums);
    start = Clock.start(image.queues().size() * Chain.values().length);
    memory = Symbols.codes(layout.content());
    for (Region region : image.regions()) {
      if (region.owner() == Region.Owner.CLIENT || unknown.contains(region.name())) {
        for (int i = 0; i < region.length(); i++) {
          memory[layout.place(region) + i] = symbols.fresh();
        }
      }
    }
    waits = new ValueWaits(image, layout, memory);
    for (Queue queue : image.queues()) {
      queues.add(new ProofQueue(queue, queues.size(), start));
    }
    image.completionQueues().forEach(cqn -> completions.put(cqn, new ProofCq(completions.size())));
    for (EntryPoint entry : image.entryPoints()) {
      clients.add(new ProofClient(entry, start));
    }
  }

  private Path(Path other) {
    layout = other.layout;
    keys = other.keys;
    memory = other.memory.clone();
    waits = other.waits.copy();
    symbols = other.symbols.copy();
    log = other.log.copy();
    other.queues.forEach(queue -> queues.add(queue.copy()));
    other.completions.forEach((cqn, cq) -> completions.put(cqn, cq.copy()));
    other.clients.forEach(each -> clients.add(each.copy()));
    start = other.start;
    counters = other.counters;
    numbers = other.numbers;
    reliance = other.reliance;
    sums = other.sums;
    flagged.addAll(other.flagged);
    isGeneral = other.isGeneral;
    bases = other.bases.clone();
    decision = other.decision;
    client = other.client;
    turn = other.turn;
  }

  Path copy() {
    return new Path(this);
  }

  /** True when a counter may have any value. */
  boolean isAny(int counter) {
    return isGeneral
        && queues.stream()
            .noneMatch(each -> !each.queue.managed() && counters.sent(each) == counter);
  }

  /**
   * Forgets how many laps the program has executed: subtracts the values of the counters, and makes
   * numbers in memory relative to them. From the index of a ring, subtracts whole laps, so that
   * indices keep their slots. Also forgets which unknown bytes are equal.
   */
  void rebase() {
    long[] taken = new long[bases.length];
    for (ProofQueue each : queues) {
      if (each.queue.managed()) {
        int lap = each.queue.send().slots();
        taken[counters.sent(each)] = each.head / lap * lap;
        each.rebase(taken[counters.sent(each)]);
      }
      Ring ring = each.queue.receive();
      if (ring != null) {
        taken[counters.taken(each)] = each.taken / ring.slots() * ring.slots();
        each.rebaseReceives(taken[counters.taken(each)]);
      }
    }
    for (ProofCq cq : completions.values()) {
      taken[counters.completions(cq)] = cq.count;
      cq.count = 0;
    }
    Symbols fresh = new Symbols();
    for (int i = 0; i < memory.length; i++) {
      Digit digit = symbols.digit(memory[i]);
      int code = symbols.resolve(memory[i]);
      if (digit != null) {
        long less = counters.isUnnamed(digit.counter()) ? 0 : taken[digit.counter()];
        memory[i] = fresh.code(new Digit(digit.counter(), digit.position(), digit.offset() - less));
      } else {
        memory[i] = Symbols.isKnown(code) ? code : fresh.fresh();
      }
    }
    symbols = fresh;
    for (int i = 0; i < bases.length; i++) {
      bases[i] += taken[i];
    }
    if (!isGeneral) {
      isGeneral = true;
      numbers.generalise(this);
    }
  }

  /** The codes of a range. */
  int[] codes(int place, int length) {
    int[] codes = new int[length];
    for (int i = 0; i < length; i++) {
      codes[i] = symbols.resolve(memory[place + i]);
    }
    return codes;
  }

  /** True when several requests add to the integer at a place without an order. */
  boolean isSum(int place) {
    return sums.contains(place);
  }

  /** True for a place in a ring. */
  boolean isInRing(int place) {
    return queues.stream()
        .flatMap(ProofQueue::rings)
        .anyMatch(ring -> layout.touches(ring, place, place + 1));
  }

  @Nullable ProofQueue queue(int qpn) {
    for (ProofQueue each : queues) {
      if (each.queue.qpn() == qpn) {
        return each;
      }
    }
    return null;
  }

  /** Adds an access; refuses it when it is not ordered after an earlier one that conflicts. */
  void access(Access access) {
    if (access.writes() && !reliance.flags().isEmpty()) {
      flagged.add(access);
    }
    Access old = log.add(access);
    if (access.reads()) {
      refuseUnsettled(access.who().toString(), access.from(), access.to());
    }
    if (old == null) {
      return;
    }
    int place = Math.max(old.from(), access.from());
    if (old.addsWith(access)) {
      sums.add(place);
    }
    if (access.isFetch() || old.isFetch()) {
      Access fetch = access.isFetch() ? access : old;
      Access write = access.isFetch() ? old : access;
      throw new Refused(
          access.isFetch()
              ? "%s may be fetched before %s has rewritten it (byte %d): no WAIT, fence or enable"
                  + " orders them"
              : "%s may not have been fetched yet when %s rewrites it (byte %d): no WAIT, fence or"
                  + " enable orders them",
          fetch.who().entry(),
          write.who(),
          place - fetch.from());
    }
    boolean isKey = layout.isKey(place);
    if (!isKey && old.isOfRequest(access)) {
      throw new Refused(
          "%s reads and writes %s: the proof does not cover which of the two is first within a"
              + " request; copy through other memory",
          access.who(), layout.name(place));
    }
    throw new Refused(
        "%s %s %s and %s %s it: no WAIT, fence or enable orders them",
        old.who(), verb(old, isKey), layout.name(place), access.who(), verb(access, isKey));
  }

  private static String verb(Access access, boolean isKey) {
    if (isKey) {
      return access.writes() ? "changes" : "uses";
    }
    return access.writes() ? "writes" : "reads";
  }

  /**
   * Sentences for requests that wrote bytes concurrently with another one, and for requests that
   * may write a flag before its data.
   */
  List<String> uncertain() {
    return Stream.concat(
            unsettled().stream(), reliance.flags().stream().flatMap(each -> early(each).stream()))
        .distinct()
        .toList();
  }

  /** The polled flags that were written. */
  List<String> writtenFlags() {
    return reliance.flags().stream()
        .map(Reliance.Flag::flag)
        .distinct()
        .filter(each -> !writes(each).isEmpty())
        .toList();
  }

  private List<String> early(Reliance.Flag rule) {
    List<Access> flags = writes(rule.flag());
    return writes(rule.data()).stream()
        .flatMap(
            data ->
                flags.stream()
                    .filter(flag -> !data.isBefore(flag))
                    .map(
                        flag ->
                            ("%s may write %s before %s has written %s: a reader that sees the flag"
                                    + " may not find the data")
                                .formatted(
                                    flag.who(),
                                    layout.name(flag.from()),
                                    data.who(),
                                    layout.name(data.from()))))
        .toList();
  }

  private List<Access> writes(String region) {
    return flagged.stream()
        .filter(access -> layout.touches(region, access.from(), access.to()))
        .toList();
  }

  private List<String> unsettled() {
    Map<String, Integer> places = new TreeMap<>();
    for (int place : log.unsettled()) {
      if (!layout.isUsed(reliance, place)) {
        continue;
      }
      Access writer = Objects.requireNonNull(log.unsettled(place, place + 1));
      places.putIfAbsent(writer.who().toString(), place);
    }
    return places.entrySet().stream()
        .map(
            each ->
                (log.isSum(each.getValue())
                        ? "%s writes to %s the previous value of a sum, and nothing orders it among"
                            + " the requests that add to the sum"
                        : "%s writes %s and another request writes it too: nothing orders them")
                    .formatted(each.getKey(), layout.name(each.getValue())))
        .toList();
  }

  /** Refuses to read bytes with several unordered writes. */
  void refuseUnsettled(String who, int from, int to) {
    Access writer = log.unsettled(from, to);
    if (writer != null) {
      throw new Refused(
          "%s reads what %s and another request wrote, and nothing determines which was last",
          who, writer.who());
    }
  }
}
