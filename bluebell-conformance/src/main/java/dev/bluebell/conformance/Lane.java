package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.ReceiveRequest;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.RequestLanding;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.RequestScatter;
import dev.bluebell.verbs.WorkOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One direction of a connection in the model test: a queue pair that posts random requests, the
 * memory that they work on, and a plain-Java copy of that memory, which each request changes when
 * it is posted. A request that would race with a READ or an atomic before it gets a fence.
 */
final class Lane {
  static final int MOST_PIECES = 4;
  static final int INBOX_SLOTS = 16;

  /** WQEBBs of the longest request here: remote address and all pieces. */
  private static final int LONGEST_WQEBBS = 2;

  private static final int MEMORY_BYTES = 1 << 15;
  private static final int SLOT_BYTES = 4096;
  private static final AtomicLong NEXT_ID = new AtomicLong(1);

  /** A stretch of memory. */
  private record Range(int from, int bytes) {

    boolean overlaps(Range other) {
      return from < other.from + other.bytes && other.from < from + bytes;
    }
  }

  /** A completion that must come, in this order among those of its queue. */
  private record Expected(long id, WorkOpcode opcode, int byteCount, int immediate, byte[] data) {}

  private final Random random;
  private final End poster;
  private final End peer;
  private final Buffer local;
  private final Buffer remote;
  private final Buffer inbox;
  private final Buffer counter;
  private final Buffer result;
  private final SharedCounter shared;
  private final byte[] localModel;
  private final byte[] remoteModel;
  private final Deque<Expected> sends = new ArrayDeque<>();
  private final Deque<Expected> receives = new ArrayDeque<>();
  private final Deque<Long> postedReceives = new ArrayDeque<>();
  private final Deque<Integer> freeSlots = new ArrayDeque<>();
  private final List<Integer> slotsInOrder = new ArrayList<>();

  // Memory that READs and atomics without a later fence may still read or write.
  private final List<Range> fetchedFrom = new ArrayList<>();
  private final List<Range> fetchedInto = new ArrayList<>();
  private final long firstId;
  private long lastCounter = -1;
  private int completed;
  private boolean unsignaled;

  Lane(Random random, End poster, End peer, SharedCounter shared) {
    this.random = random;
    this.poster = poster;
    this.peer = peer;
    this.shared = shared;
    firstId = NEXT_ID.getAndAdd(1L << 32);
    local = poster.buffer(MEMORY_BYTES).fill(random.nextLong());
    remote = peer.buffer(MEMORY_BYTES).fill(random.nextLong());
    inbox = peer.buffer(INBOX_SLOTS * SLOT_BYTES);
    result = poster.buffer(8);
    counter = shared.at(peer);
    localModel = local.bytes();
    remoteModel = remote.bytes();
    for (int i = 0; i < INBOX_SLOTS; i++) {
      freeSlots.add(i);
    }
  }

  End poster() {
    return poster;
  }

  int completed() {
    return completed;
  }

  /** Which of the lanes an id belongs to. */
  static int numberOf(long id, List<Lane> lanes) {
    for (int i = 0; i < lanes.size(); i++) {
      if (id - lanes.get(i).firstId >>> 32 == 0) {
        return i;
      }
    }
    throw new AssertionError("id %d belongs to nobody".formatted(id));
  }

  /** Posts a receive, a request, or a doorbell, as far as there is room. */
  void act() {
    if (random.nextInt(3) == 0) {
      postReceive();
    }
    RcQueuePair queuePair = poster.queuePair();
    // NOP fill may need as much again.
    if (queuePair.freeWqebbs() > 2 * LONGEST_WQEBBS) {
      post();
    }
    if (random.nextInt(3) == 0) {
      queuePair.ringDoorbell();
    }
  }

  /** Makes sure that everything posted will complete visibly. */
  void finish() {
    while (receives.size() > postedReceives.size()) {
      postReceive();
    }
    if (unsignaled && poster.queuePair().freeWqebbs() > 0) {
      end(poster.queuePair().nop(), true, WorkOpcode.NOP, 0, false);
    }
    poster.queuePair().ringDoorbell();
  }

  boolean isBusy() {
    return !sends.isEmpty() || !receives.isEmpty();
  }

  void compareMemory() {
    assertThat(local.bytes()).as("local memory of %s", this).isEqualTo(localModel);
    assertThat(remote.bytes()).as("remote memory of %s", this).isEqualTo(remoteModel);
  }

  // ---- requests

  private void post() {
    int bytes = random.nextInt(6) == 0 ? random.nextInt(MEMORY_BYTES / 2) : random.nextInt(300);
    Range from = range(bytes);
    Range to = range(bytes);
    RcQueuePair queuePair = poster.queuePair();
    switch (random.nextInt(8)) {
      case 0, 1 -> {
        RequestData write = queuePair.write(remote.address(to.from()), remote.rkey());
        boolean fence = races(to, from);
        end(gather(write, from), fence, WorkOpcode.RDMA_WRITE, 0, false);
        System.arraycopy(localModel, from.from(), remoteModel, to.from(), bytes);
      }
      case 2 -> {
        int immediate = random.nextInt();
        RequestData write =
            queuePair.writeImmediate(remote.address(to.from()), remote.rkey(), immediate);
        boolean fence = races(to, from);
        expectReceive(WorkOpcode.RECEIVE_RDMA_WITH_IMMEDIATE, bytes, immediate, new byte[0]);
        end(gather(write, from), fence, WorkOpcode.RDMA_WRITE, 0, false);
        System.arraycopy(localModel, from.from(), remoteModel, to.from(), bytes);
      }
      case 3, 4 -> {
        RequestLanding read = queuePair.read(remote.address(from.from()), remote.rkey());
        // Answers come in order, so READs need no fence among themselves.
        end(scatter(read, to), false, WorkOpcode.RDMA_READ, bytes, true);
        System.arraycopy(remoteModel, from.from(), localModel, to.from(), bytes);
        fetchedFrom.add(from);
        fetchedInto.add(to);
      }
      case 5 -> sendMessage();
      case 6 -> postAtomic();
      default -> addToCounter();
    }
  }

  private void sendMessage() {
    Range from = range(random.nextInt(SLOT_BYTES));
    byte[] data = Arrays.copyOfRange(localModel, from.from(), from.from() + from.bytes());
    boolean fence = races(new Range(0, 0), from);
    int immediate = random.nextInt();
    boolean withImmediate = random.nextBoolean();
    RequestData send =
        withImmediate ? poster.queuePair().sendImmediate(immediate) : poster.queuePair().send();
    expectReceive(WorkOpcode.RECEIVE, from.bytes(), withImmediate ? immediate : 0, data);
    end(gather(send, from), fence, WorkOpcode.SEND, 0, false);
  }

  private void postAtomic() {
    int word = random.nextInt(MEMORY_BYTES / 8) * 8;
    Range at = new Range(word, 8);
    Range into = range(8);
    long old = getLong(remoteModel, word);
    boolean fence = races(at, new Range(0, 0));
    long operand = random.nextLong();
    if (random.nextBoolean()) {
      end(
          poster
              .queuePair()
              .fetchAndAdd(remote.address(word), remote.rkey(), operand)
              .scatter(local.address(into.from()), local.lkey()),
          fence,
          WorkOpcode.FETCH_AND_ADD,
          8,
          true);
      putLong(remoteModel, word, old + operand);
    } else {
      long compare = random.nextBoolean() ? old : operand + 1;
      end(
          poster
              .queuePair()
              .compareAndSwap(remote.address(word), remote.rkey(), compare, operand)
              .scatter(local.address(into.from()), local.lkey()),
          fence,
          WorkOpcode.COMPARE_AND_SWAP,
          8,
          true);
      if (compare == old) {
        putLong(remoteModel, word, operand);
      }
    }
    putLong(localModel, into.from(), old);
    fetchedFrom.add(at);
    fetchedInto.add(into);
  }

  private void addToCounter() {
    int add = 1 + random.nextInt(1000);
    shared.added(add);
    end(
        poster
            .queuePair()
            .fetchAndAdd(counter.address(0), counter.rkey(), add)
            .scatter(result.address(0), result.lkey()),
        false,
        WorkOpcode.FETCH_AND_ADD,
        8,
        true);
  }

  /**
   * Ends a request: with a fence if it needs one, or at random; signalled if it must, or at random.
   */
  private void end(
      RequestModifiers request, boolean fence, WorkOpcode opcode, int bytes, boolean fetches) {
    RequestModifiers rest = request;
    if (fence || random.nextInt(16) == 0) {
      rest = rest.fence();
      fetchedFrom.clear();
      fetchedInto.clear();
    }
    if (random.nextInt(8) == 0) {
      rest = rest.solicited();
    }
    long id = firstId + NEXT_ID.getAndIncrement() % (1L << 31);
    boolean roomy = poster.queuePair().freeWqebbs() > 4 * LONGEST_WQEBBS;
    if (opcode != WorkOpcode.NOP && roomy && random.nextInt(3) > 0) {
      rest.unsignaled(id);
      unsignaled = true;
    } else {
      sends.add(new Expected(id, opcode, fetches ? bytes : -1, 0, new byte[0]));
      rest.signaled(id);
      unsignaled = false;
    }
  }

  private boolean races(Range written, Range read) {
    return fetchedFrom.stream().anyMatch(written::overlaps)
        || fetchedInto.stream().anyMatch(read::overlaps);
  }

  private Range range(int bytes) {
    return new Range(random.nextInt(MEMORY_BYTES - bytes), bytes);
  }

  private RequestModifiers gather(RequestData request, Range range) {
    boolean fits = range.bytes() <= 28 && random.nextBoolean();
    if (fits) {
      return request.inline(localModel, range.from(), range.bytes());
    }
    RequestData rest = request;
    for (Range piece : pieces(range)) {
      rest = rest.gather(local.address(piece.from()), piece.bytes(), local.lkey());
    }
    return rest;
  }

  private RequestModifiers scatter(RequestLanding request, Range range) {
    List<Range> pieces = pieces(range);
    Range first = pieces.removeFirst();
    RequestScatter rest = request.scatter(local.address(first.from()), first.bytes(), local.lkey());
    for (Range piece : pieces) {
      rest = rest.scatter(local.address(piece.from()), piece.bytes(), local.lkey());
    }
    return rest;
  }

  private List<Range> pieces(Range range) {
    List<Range> pieces = new ArrayList<>();
    int from = range.from();
    int left = range.bytes();
    for (int i = 1; i < MOST_PIECES && left > 0 && random.nextBoolean(); i++) {
      int bytes = random.nextInt(left);
      pieces.add(new Range(from, bytes));
      from += bytes;
      left -= bytes;
    }
    pieces.add(new Range(from, left));
    return pieces;
  }

  // ---- receives

  private void postReceive() {
    Integer slot = freeSlots.poll();
    if (slot == null) {
      return;
    }
    long id = firstId + (1L << 31) + NEXT_ID.getAndIncrement() % (1L << 31);
    List<Range> pieces = pieces(new Range(slot * SLOT_BYTES, SLOT_BYTES));
    Range first = pieces.removeFirst();
    ReceiveRequest receive =
        peer.queuePair()
            .receive()
            .scatter(inbox.address(first.from()), first.bytes(), inbox.lkey());
    for (Range piece : pieces) {
      receive = receive.scatter(inbox.address(piece.from()), piece.bytes(), inbox.lkey());
    }
    receive.post(id);
    postedReceives.add(id);
    slotsInOrder.add(slot);
    peer.queuePair().ringReceiveDoorbell();
  }

  private void expectReceive(WorkOpcode opcode, int bytes, int immediate, byte[] data) {
    receives.add(new Expected(0, opcode, bytes, immediate, data));
  }

  // ---- completions

  void completed(Done done) {
    completed++;
    boolean receive = (done.id() - firstId & 1L << 31) != 0;
    Expected expected = (receive ? receives : sends).remove();
    done.requireSuccess(receive ? postedReceives.remove() : expected.id());
    assertThat(done.opcode()).isEqualTo(expected.opcode());
    if (receive) {
      assertThat(done.byteCount()).isEqualTo(expected.byteCount());
      assertThat(done.hasImmediate() ? done.immediate() : 0).isEqualTo(expected.immediate());
      int slot = slotsInOrder.removeFirst();
      assertThat(inbox.bytes((long) slot * SLOT_BYTES, expected.data().length))
          .isEqualTo(expected.data());
      freeSlots.add(slot);
      return;
    }
    if (expected.byteCount() >= 0) {
      assertThat(done.byteCount()).isEqualTo(expected.byteCount());
    }
    if (expected.opcode() == WorkOpcode.FETCH_AND_ADD && result.getLong(0) != 0) {
      // Other lanes add too, so this one sees the counter grow.
      assertThat(result.getLong(0)).isGreaterThanOrEqualTo(lastCounter);
      lastCounter = result.getLong(0);
    }
  }

  private static long getLong(byte[] bytes, int at) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getLong(at);
  }

  private static void putLong(byte[] bytes, int at, long value) {
    ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putLong(at, value);
  }

  @Override
  public String toString() {
    return "%s to %s, %d sends and %d receives to come"
        .formatted(poster.queuePair(), peer.queuePair(), sends.size(), receives.size());
  }
}
