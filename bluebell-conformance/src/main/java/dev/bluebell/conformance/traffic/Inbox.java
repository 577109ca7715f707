package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ReceiveRequest;
import dev.bluebell.verbs.UdQueuePair;
import dev.bluebell.verbs.WorkOpcode;
import java.util.List;
import java.util.SplittableRandom;

/** The receiver of messages: receive requests, each with a slot of memory. */
class Inbox {
  static final int SLOT_BYTES = 4096;

  /** The guarantees of the service of an inbox. */
  enum Service {
    RELIABLE,
    CONNECTION,
    /** Each message has a header. */
    DATAGRAM
  }

  final int number;
  final Tally tally;
  private final Territory territory;
  private final ReceiveQueue queue;
  private final List<Flow> flows;
  private final boolean isReliable;
  private final int header;
  private final int memory;
  private final boolean[] isPosted;

  // Free slots, and, if the queue is ordered, the posted ones in order.
  private final int[] free;
  private int freeCount;
  private final int[] order;
  private int orderFirst;
  private int orderEnd;

  /** Number of messages sent here that must arrive. */
  private int promised;

  private final Arrival arrival;

  /**
   * @param flows all flows, by their numbers
   * @param service whose messages arrive
   * @param slots number of receive requests
   */
  Inbox(
      int number,
      Tally tally,
      Territory territory,
      ReceiveQueue queue,
      List<Flow> flows,
      Service service,
      int slots) {
    this.number = number;
    this.tally = tally;
    this.territory = territory;
    this.queue = queue;
    this.flows = flows;
    header = service == Service.DATAGRAM ? UdQueuePair.HEADER_BYTES : 0;
    isReliable = service == Service.RELIABLE;
    memory = territory.take(slots * SLOT_BYTES);
    isPosted = new boolean[slots];
    free = new int[slots];
    order = new int[slots];
    for (int i = 0; i < slots; i++) {
      free[freeCount++] = i;
    }
    arrival = new Arrival(this);
  }

  final Territory territory() {
    return territory;
  }

  /** Number of receive requests without a message on its way. */
  final int spare() {
    return isPosted.length - freeCount - promised;
  }

  final void promise() {
    promised++;
  }

  final void kept() {
    promised--;
  }

  /** Posts a receive request, at random. */
  void act(SplittableRandom random) {
    if (random.nextInt(3) != 0) {
      postReceive(random);
    }
  }

  /** Posts the missing receive requests, if any. */
  void provide(SplittableRandom random) {
    while (spare() < 0 && postReceive(random)) {}
  }

  private boolean postReceive(SplittableRandom random) {
    if (freeCount == 0 || queue.free().getAsInt() == 0) {
      return false;
    }
    int slot = free[--freeCount];
    isPosted[slot] = true;
    if (queue.isOrdered()) {
      order[orderEnd++ % order.length] = slot;
    }
    long address = territory.address(slotAt(slot));
    int from = random.nextBoolean() ? SLOT_BYTES : random.nextInt(SLOT_BYTES);
    ReceiveRequest request = queue.requests().get().scatter(address, from, territory.lkey());
    for (int i = 1; from < SLOT_BYTES; i++) {
      int left = SLOT_BYTES - from;
      int part = i == Request.MOST_PIECES - 1 ? left : random.nextInt(left + 1);
      request = request.scatter(address + from, part, territory.lkey());
      from += part;
    }
    request.post(Ids.ofInbox(number, slot));
    queue.doorbell().run();
    return true;
  }

  final int slotAt(int slot) {
    return memory + slot * SLOT_BYTES;
  }

  /**
   * Accepts slot contents: a partly lost message of an unreliable service leaves its rest there,
   * without a completion.
   */
  final void endRound() {
    if (tally.loses && !isReliable) {
      territory.accept(memory, isPosted.length * SLOT_BYTES);
    }
  }

  /** Handles a completion of a receive request. */
  void completed(Completion completion) {
    int slot = release(completion);
    arrival.hasImmediate = completion.hasImmediate();
    arrival.immediate = completion.immediate();
    arrival.isWrite = completion.opcode() == WorkOpcode.RECEIVE_RDMA_WITH_IMMEDIATE;
    arrival.at = slotAt(slot) + header;
    arrival.bytes = completion.byteCount();
    arrival.headless = 0;
    if (!arrival.isWrite) {
      if (completion.opcode() != WorkOpcode.RECEIVE) {
        throw failure("a message completed as %s", completion.opcode());
      }
      arrival.bytes -= header;
      territory.accept(slotAt(slot), header);
    }
    arrival.hasStamp = !arrival.isWrite && arrival.bytes >= Mark.BYTES;
    if (arrival.hasStamp) {
      long stamp = territory.read(arrival.at);
      arrival.sequence = Mark.sequenceOfStamp(stamp);
      deliver(Mark.flowOfStamp(stamp), arrival);
    } else {
      boolean says = arrival.hasImmediate;
      deliver(says ? Mark.flowOfImmediate(arrival.immediate) : Mark.NOBODY, arrival);
    }
  }

  /** Releases the slot of a completed receive request. */
  final int release(Completion completion) {
    int slot = Ids.item(completion.id());
    if (completion.status() != CompletionStatus.SUCCESS) {
      throw failure("receive request %d: %s", slot, completion.explanation());
    }
    if (!isPosted[slot]) {
      throw failure("receive request %d completed, but is not posted", slot);
    }
    if (queue.isOrdered() && order[orderFirst++ % order.length] != slot) {
      throw failure("receive request %d completed, but another was posted before it", slot);
    }
    isPosted[slot] = false;
    free[freeCount++] = slot;
    return slot;
  }

  final void deliver(int flow, Arrival message) {
    if (flow >= flows.size()) {
      throw failure("%s belongs to no flow", message);
    }
    flows.get(flow).received(message);
  }

  final AssertionError failure(String format, Object... arguments) {
    return new AssertionError("%s: %s".formatted(this, format.formatted(arguments)));
  }

  @Override
  public String toString() {
    return "inbox %d (%s, %d posted, %d promised)"
        .formatted(number, queue.name(), isPosted.length - freeCount, promised);
  }
}
