package dev.bluebell.verifier;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Ring;
import dev.bluebell.verifier.Step.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A minimal device that executes one image, in any order that the rules allow. It lists the
 * possible next steps, and its user chooses one.
 *
 * <p>Not thread-safe.
 */
final class Machine {
  /** Number of words for a step that moves as many as it can. */
  static final int ALL_WORDS = Integer.MAX_VALUE >> 4;

  /** Maximum number of steps until the program rests. */
  private static final int MAX_STEPS = 200_000;

  private final ProgramImage image;
  private final Rules rules;
  private final Layout layout;
  private final Operations operations;
  private final byte[] memory;
  private final List<QueueState> queues = new ArrayList<>();
  private final Map<Integer, Long> completions = new TreeMap<>();
  private final List<List<String>> messages = new ArrayList<>();
  private @Nullable String error;

  /** Number of steps since the last message. */
  private int taken;

  /** Creates a machine on which the image is installed. */
  Machine(ProgramImage image, Rules rules) {
    this.image = image;
    this.rules = rules;
    layout = new Layout(image);
    operations = new Operations(layout, new Keys(image, layout));
    memory = layout.content();
    for (Queue queue : image.queues()) {
      queues.add(new QueueState(queue));
      messages.add(new ArrayList<>());
    }
    image.completionQueues().forEach(cqn -> completions.put(cqn, 0L));
  }

  private Machine(Machine other) {
    image = other.image;
    rules = other.rules;
    layout = other.layout;
    operations = other.operations;
    memory = other.memory.clone();
    other.queues.forEach(queue -> queues.add(queue.copy()));
    completions.putAll(other.completions);
    other.messages.forEach(list -> messages.add(new ArrayList<>(list)));
    error = other.error;
    taken = other.taken;
  }

  Machine copy() {
    return new Machine(this);
  }

  /** Sends a message of the client; its arrival is a step. */
  void send(Message message) {
    state(message.qpn()).fromClient.add(message.bytes());
    taken = 0;
  }

  /** All possible next steps; empty when the program is at rest, or has failed. */
  List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    if (error == null) {
      for (int i = 0; i < queues.size(); i++) {
        sendSteps(queues.get(i), i, steps);
        receiveSteps(queues.get(i), i, steps);
      }
    }
    return steps;
  }

  private void sendSteps(QueueState at, int queue, List<Step> steps) {
    int most = at.queue.send().slots();
    if (at.sends.next() < at.limit && at.sends.size() < most) {
      steps.add(new Step(Kind.FETCH, queue, 0));
    }
    if (mayBegin(at)) {
      steps.add(new Step(Kind.BEGIN, queue, 0));
    }
    boolean postedDone = true;
    boolean allDone = true;
    boolean allOver = true;
    for (int i = 0; i < at.operations.size(); i++) {
      Operation each = at.operations.get(i);
      boolean posted = each.request.isPosted();
      boolean isFirst = allOver;
      allOver &= each.isDone();
      if (each.request.isKeyChange()) {
        if (isFirst && !each.isDone()) {
          steps.add(new Step(each.local.isDone() ? Kind.PERFORM : Kind.GATHER, queue, i));
        }
        continue;
      }
      if (each.request.isTransposition() && !each.isDone()) {
        steps.add(new Step(each.performed ? Kind.SCATTER : Kind.PERFORM, queue, i));
        continue;
      }
      if (posted && !each.local.isDone()) {
        steps.add(new Step(Kind.GATHER, queue, i));
      } else if (!each.isLocal() && !each.performed && (posted ? postedDone : allDone)) {
        if (!each.request.takesReceive() || peerHasReceive(at) || isPlacedAhead(each)) {
          steps.add(new Step(Kind.PERFORM, queue, i));
        }
      } else if (posted && !each.performed && isPlacedAhead(each)) {
        steps.add(new Step(Kind.PERFORM, queue, i));
      } else if (each.request.isAnswered() && each.performed && !each.local.isDone()) {
        steps.add(new Step(Kind.SCATTER, queue, i));
      }
      boolean done = each.isLocal() || each.performed;
      postedDone &= !posted || done;
      allDone &= done;
    }
    if (!at.operations.isEmpty() && at.operations.getFirst().isDone()) {
      steps.add(new Step(Kind.COMPLETE, queue, 0));
    }
  }

  /** True when payload of a request may be placed before that of earlier requests. */
  private boolean isPlacedAhead(Operation operation) {
    return !rules.placesInOrder()
        && operation.request.isPosted()
        && !operation.request.isMessage()
        && !operation.remote.isDone();
  }

  private void receiveSteps(QueueState at, int queue, List<Step> steps) {
    if (at.receives.next() < posted(at)) {
      steps.add(new Step(Kind.FETCH_RECEIVE, queue, 0));
    }
    for (int i = 0; i < at.arrivals.size(); i++) {
      if (!at.arrivals.get(i).scatter.isDone()) {
        steps.add(new Step(Kind.RECEIVE, queue, i));
      }
    }
    if (!at.arrivals.isEmpty() && at.arrivals.getFirst().scatter.isDone()) {
      steps.add(new Step(Kind.COMPLETE_RECEIVE, queue, 0));
    }
    if (!at.fromClient.isEmpty() && at.receives.size() > 0) {
      steps.add(new Step(Kind.ARRIVE, queue, 0));
    }
  }

  /** Index after the last posted receive entry, unwrapped. */
  private long posted(QueueState at) {
    if (at.queue.receive() == null) {
      return 0;
    }
    int place =
        at.queue.receiveRecord() == 0
            ? -1
            : layout.place(Region.Owner.PROGRAM, at.queue.receiveRecord());
    if (place < 0) {
      return at.queue.receive().posted();
    }
    int record = ByteBuffer.wrap(memory).getInt(place) & 0xffff;
    long head = at.receives.head();
    long ahead = record - head & 0xffff;
    return ahead <= at.queue.receive().slots() ? head + ahead : head;
  }

  private boolean peerHasReceive(QueueState at) {
    QueueState peer = peer(at);
    return peer == null || peer.receives.size() > 0;
  }

  private @Nullable QueueState peer(QueueState at) {
    return at.queue.isLoopback() ? state(at.queue.peer()) : null;
  }

  private QueueState state(int qpn) {
    return queues.stream()
        .filter(each -> each.queue.qpn() == qpn)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no queue 0x%x".formatted(qpn)));
  }

  private boolean mayBegin(QueueState at) {
    if (at.sends.size() == 0) {
      return false;
    }
    int slots = ControlSegment.wqebbs(Request.ds(at.sends.bytes(1)));
    if (slots > at.sends.size()) {
      // An entry that reaches beyond the limit is an error, which begin() reports.
      return at.sends.next() >= at.limit && !at.queue.managed();
    }
    try {
      Request request = Request.of(at.sends.bytes(Math.max(slots, 1)), rules.checks());
      return !isHeld(at, request) && !isWaiting(request);
    } catch (IllegalRequest refused) {
      return true;
    }
  }

  private boolean isHeld(QueueState at, Request request) {
    if ((request.hasFence() || request.isKeyChange())
        && at.operations.stream().anyMatch(each -> each.request.isKeyChange() && !each.isDone())) {
      return true;
    }
    if (request.isEnable() && !rules.fencedEnables()) {
      return false;
    }
    if (request.isStronglyFenced()) {
      return !at.operations.stream().allMatch(Operation::isDone);
    }
    if (request.isSmallFenced()
        && at.operations.stream()
            .anyMatch(each -> each.request.isTransposition() && !each.isDone())) {
      return true;
    }
    return request.isFenced()
        && at.operations.stream().anyMatch(each -> each.request.isAnswered() && !each.isDone());
  }

  private boolean isWaiting(Request request) {
    if (request.isValueWait()) {
      int place = ValueWaits.place(layout, request);
      return !request.isMetBy(ByteBuffer.wrap(memory).getLong(place));
    }
    Long count = request.isWait() ? completions.get(request.object()) : null;
    return count != null && (int) (count - request.awaited() << 8) <= 0;
  }

  /** The event of a step, in words. */
  Event event(Step step) {
    QueueState at = queues.get(step.queue());
    return switch (step.kind()) {
      case FETCH -> new Event(Actor.wqe(at.queue, at.sends.next()), "", "is fetched");
      case BEGIN -> new Event(Actor.wqe(at.queue, at.sends.head()), "", "begins");
      case GATHER -> event(at, step, "reads its data from", at.operations.get(step.which()).local);
      case PERFORM -> {
        Operation each = at.operations.get(step.which());
        Request request = each.request;
        if (request.isKeyChange()) {
          String key = layout.name(each.remote.first(memory));
          yield new Event(Actor.wqe(at.queue, each.index), request.name(), "changes " + key);
        }
        String what = request.isPosted() ? "writes" : request.isAtomic() ? "changes" : "reads";
        yield event(at, step, what, each.remote);
      }
      case SCATTER ->
          event(
              at,
              step,
              at.operations.get(step.which()).request.isTransposition()
                  ? "writes the transposed matrix to"
                  : "writes its answer to",
              at.operations.get(step.which()).local);
      case COMPLETE -> {
        Operation each = at.operations.getFirst();
        yield new Event(Actor.wqe(at.queue, each.index), each.request.name(), "completes");
      }
      case FETCH_RECEIVE ->
          new Event(Actor.receive(at.queue, at.receives.next()), "", "is fetched");
      case RECEIVE -> {
        Arrival each = at.arrivals.get(step.which());
        yield new Event(
            Actor.receive(at.queue, each.index),
            "",
            "writes its message to " + named(each.scatter));
      }
      case COMPLETE_RECEIVE ->
          new Event(Actor.receive(at.queue, at.arrivals.getFirst().index), "", "completes");
      case ARRIVE ->
          new Event(Actor.receive(at.queue, at.receives.head()), "", "takes the client's message");
    };
  }

  private Event event(QueueState at, Step step, String what, Transfer where) {
    Operation each = at.operations.get(step.which());
    boolean moves = !where.isDone() && !place(where).isEmpty();
    String does = moves ? what + " " + place(where) : "is executed at the peer";
    return new Event(Actor.wqe(at.queue, each.index), each.request.name(), does);
  }

  private String named(Transfer where) {
    String place = place(where);
    return place.isEmpty() ? "no memory" : place;
  }

  /** The location of bytes, in words; empty when they have none. */
  private String place(Transfer where) {
    try {
      int first = where.first(memory);
      return first < 0 ? "" : "%s, %d bytes".formatted(layout.name(first), where.length());
    } catch (IllegalRequest refused) {
      return "memory, and " + refused.what();
    }
  }

  /** True when a fetch reads a WQEBB while an earlier one is fetched and has not begun. */
  boolean isFetchedAhead(Step fetch) {
    return queues.get(fetch.queue()).sends.size() > 0;
  }

  /** Current contents of a region. */
  byte[] contents(String region) {
    Region named =
        image.regions().stream()
            .filter(each -> each.name().equals(region))
            .findFirst()
            .orElseThrow();
    int from = layout.place(named);
    return Arrays.copyOfRange(memory, from, from + named.length());
  }

  /** True when the memory that an application uses is equal, and neither machine failed. */
  boolean isAlike(Machine other, Reliance reliance) {
    return Objects.equals(error, other.error)
        && image.regions().stream()
            .map(Region::name)
            .filter(reliance::uses)
            .allMatch(each -> Arrays.equals(contents(each), other.contents(each)));
  }

  /** The difference between the results of two machines with the same image, in words. */
  String difference(Machine other, Reliance reliance) {
    if (error != null) {
      return "The device reports: %s.".formatted(error);
    }
    for (int i = 0; i < memory.length; i++) {
      if (memory[i] != other.memory[i] && layout.isUsed(reliance, i)) {
        int to = Math.min(i + 8 & ~7, memory.length);
        HexFormat hex = HexFormat.of();
        return "%s holds %s at the end; when each request ends before the next begins, it holds %s."
            .formatted(
                layout.name(i), hex.formatHex(memory, i, to), hex.formatHex(other.memory, i, to));
      }
    }
    return messages.equals(other.messages)
        ? "It comes to rest in another state."
        : "The client receives %s; when each request ends before the next begins, it receives %s."
            .formatted(messages, other.messages);
  }

  /**
   * Takes a step, or fails if the program does not come to rest.
   *
   * @param words maximum number of words to move, for steps that move words
   */
  void take(Step step, int words) {
    if (taken++ == MAX_STEPS) {
      error = "the program still runs after %d steps".formatted(MAX_STEPS);
      return;
    }
    QueueState at = queues.get(step.queue());
    try {
      take(at, step, words);
    } catch (IllegalRequest refused) {
      error = "%s of queue 0x%x %s".formatted(actor(at, step), at.queue.qpn(), refused.what());
    }
  }

  private static String actor(QueueState at, Step step) {
    return switch (step.kind()) {
      case ARRIVE -> "receive entry %d".formatted(at.receives.head() & 0xffff);
      case GATHER, PERFORM, SCATTER ->
          "WQE %d".formatted(at.operations.get(step.which()).index & 0xffff);
      default -> "WQE %d".formatted(at.sends.head() & 0xffff);
    };
  }

  private void take(QueueState at, Step step, int words) {
    switch (step.kind()) {
      case FETCH -> at.sends.read(memory, layout.place(at.queue.send(), at.sends.next()), words);
      case BEGIN -> begin(at);
      case GATHER -> {
        Operation each = at.operations.get(step.which());
        each.local.read(memory, each.payload, words);
      }
      case PERFORM -> perform(at, at.operations.get(step.which()), words);
      case SCATTER -> {
        Operation each = at.operations.get(step.which());
        each.local.write(memory, each.payload, words);
      }
      case COMPLETE -> {
        Request request = at.operations.removeFirst().request;
        if (request.isSignalled()) {
          count(at.queue.sendCq());
        }
      }
      case FETCH_RECEIVE -> {
        Ring ring = Objects.requireNonNull(at.queue.receive());
        at.receives.read(memory, layout.place(ring, at.receives.next()), words);
      }
      case RECEIVE -> {
        Arrival each = at.arrivals.get(step.which());
        each.scatter.write(memory, each.payload, words);
      }
      case COMPLETE_RECEIVE -> {
        at.arrivals.removeFirst();
        count(at.queue.receiveCq());
      }
      case ARRIVE -> arrive(at, at.fromClient.remove());
    }
  }

  private void count(int cqn) {
    completions.merge(cqn, 1L, Long::sum);
  }

  private void begin(QueueState at) {
    int slots = Math.max(1, ControlSegment.wqebbs(Request.ds(at.sends.bytes(1))));
    Request request = Request.of(at.sends.bytes(Math.min(slots, at.sends.size())), rules.checks());
    request.check(at.queue, at.sends.head(), rules);
    if (request.isValueWait()) {
      int unused = ValueWaits.place(layout, request);
    } else if (request.isWait() && !completions.containsKey(request.object())) {
      throw new IllegalRequest(
          "waits for completion queue %d, which does not exist", request.object());
    } else if (request.isEnable()) {
      enable(request);
    }
    at.operations.add(operations.of(at, request, memory));
    at.sends.pass(slots);
  }

  private void enable(Request request) {
    QueueState target =
        queues.stream()
            .filter(each -> each.queue.qpn() == request.object() && each.queue.managed())
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalRequest(
                        "enables queue 0x%x, which is not managed", request.object()));
    long ahead = request.maxIndex() - target.limit & 0xffff;
    if (ahead < 0x8000) {
      target.limit += ahead;
    }
  }

  private void perform(QueueState at, Operation operation, int words) {
    if (operation.request.isKeyChange()) {
      operations.changeKey(operation, memory);
      operation.performed = true;
      return;
    }
    boolean isPlaced = operation.remote.isDone();
    if (operation.request.isPosted()) {
      operation.remote.write(memory, operation.payload, words);
    } else if (operation.request.isAtomic()) {
      int place = operation.remote.next(memory);
      operation.remote.read(memory, operation.payload, 1);
      if (operation.request.isAnsweredBigEndian()) {
        reverse(operation.payload);
      }
      change(operation.request, place);
    } else {
      operation.remote.read(memory, operation.payload, words);
    }
    // A WRITE with immediate consumes its receive in order, in a separate step.
    boolean isOver = isPlaced || rules.placesInOrder() || !operation.request.takesReceive();
    if (operation.remote.isDone() && (isOver || operation.request.isMessage())) {
      operation.performed = true;
      deliver(at, operation);
    }
  }

  private static void reverse(byte[] bytes) {
    for (int i = 0; i < bytes.length / 2; i++) {
      byte first = bytes[i];
      bytes[i] = bytes[bytes.length - 1 - i];
      bytes[bytes.length - 1 - i] = first;
    }
  }

  private void change(Request request, int place) {
    ByteBuffer host = ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN);
    if (request.operandBytes() == 4) {
      host.putInt(place, (int) request.atomicResult(host.getInt(place) & 0xffffffffL));
    } else {
      host.putLong(place, request.atomicResult(host.getLong(place)));
    }
  }

  private void deliver(QueueState at, Operation operation) {
    QueueState peer = peer(at);
    Request request = operation.request;
    if (peer == null) {
      if (request.takesReceive()) {
        String bytes = HexFormat.of().formatHex(operation.payload);
        boolean immediate = request.opcode() != WqeOpcode.SEND;
        long value = ControlSegment.IMM.get(request.bytes(), 0);
        messages
            .get(queues.indexOf(at))
            .add(
                "%s 0x%x: %s %s"
                    .formatted(
                        request.name(),
                        at.queue.qpn(),
                        request.isMessage() ? bytes : "",
                        immediate ? Long.toHexString(value) : ""));
      }
    } else if (request.takesReceive()) {
      arrive(peer, request.isMessage() ? operation.payload : new byte[0]);
    }
  }

  private void arrive(QueueState at, byte[] payload) {
    Transfer scatter = operations.scatter(at.receives.bytes(1), payload.length, memory);
    at.arrivals.add(new Arrival(at.receives.head(), payload, scatter));
    at.receives.pass(1);
  }

  /** The current result. */
  Outcome outcome() {
    List<String> all = messages.stream().flatMap(List::stream).toList();
    int own = layout.clientsFrom();
    HexFormat hex = HexFormat.of();
    return new Outcome(
        error, hex.formatHex(memory, 0, own), hex.formatHex(memory, own, memory.length), all);
  }

  /** A string of all state that determines the further steps. */
  String key() {
    StringBuilder key = new StringBuilder(HexFormat.of().formatHex(memory));
    queues.forEach(queue -> queue.key(key));
    return key.append(completions).append(messages).append(error).toString();
  }
}
