package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.TagHeader;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import dev.bluebell.verbs.WorkOpcode;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A tag-matching queue: messages with an added tag go to its memory, all others to receive
 * requests. Messages are addressed only to tags that the device must already know, so each has
 * exactly one destination.
 */
final class TagInbox extends Inbox {
  /** First id of tags; from {@link #OPERATIONS} on, ids of operations. */
  private static final int TAGS = 1 << 16;

  private static final int OPERATIONS = 2 << 16;
  private static final int SYNCHRONIZE = 3 << 16;

  /** Mask of tags whose lowest bits are ignored. */
  private static final long LOOSE_MASK = ~0xffL;

  /** Tags that are never added. */
  private static final long UNEXPECTED = 1L << 63;

  /** The state of a place in the list. */
  private enum State {
    FREE,
    /** Added, but the device may not use it yet. */
    ADDED,
    /** The next message with its tag will match it. */
    USABLE,
    /** A message to it is on its way. */
    ADDRESSED,
    /** A message has matched it, and its data is still due. */
    MATCHED,
    REMOVED
  }

  private final TagMatchingReceiveQueue queue;
  private final int places;
  private final int base;
  private final State[] states;
  private final long[] tags;
  private final long[] masks;
  private final int[] handles;
  private final int[] contexts;
  private final boolean[] told;
  private final Arrival arrival = new Arrival(this);
  private long nextTag = 0x100;
  private boolean wantsSynchronization;
  private boolean synchronizing;

  /** Number of operations that must still complete. */
  private int operations;

  TagInbox(
      int number,
      Tally tally,
      Territory territory,
      TagMatchingReceiveQueue queue,
      List<Flow> flows,
      int places,
      int slots) {
    super(number, tally, territory, ReceiveQueue.of(queue), flows, Service.RELIABLE, slots);
    this.queue = queue;
    this.places = places;
    base = territory.take(places * SLOT_BYTES);
    states = new State[places];
    Arrays.fill(states, State.FREE);
    tags = new long[places];
    masks = new long[places];
    handles = new int[places];
    contexts = new int[places];
    told = new boolean[places];
  }

  @Override
  void act(SplittableRandom random) {
    super.act(random);
    if (queue.freeOperations() < 8) {
      return;
    }
    int place = random.nextInt(places);
    if (wantsSynchronization && !synchronizing) {
      synchronize();
    } else if (states[place] == State.FREE && queue.exactFreeTags() > 0) {
      add(random, place);
    } else if (states[place] == State.USABLE && random.nextInt(8) == 0) {
      remove(place);
    }
  }

  private void add(SplittableRandom random, int place) {
    long mask = random.nextBoolean() ? -1 : LOOSE_MASK;
    tags[place] = nextTag;
    masks[place] = mask;
    nextTag += 0x100;
    states[place] = State.ADDED;
    told[place] = false;
    int at = base + place * SLOT_BYTES;
    handles[place] =
        queue
            .add(tags[place], mask)
            .scatter(territory().address(at), SLOT_BYTES, territory().lkey())
            .handled(queue.unexpected())
            .signaled(Ids.ofInbox(number, OPERATIONS | place), Ids.ofInbox(number, TAGS | place));
    began();
  }

  private void remove(int place) {
    states[place] = State.REMOVED;
    if (!queue.remove(handles[place], Ids.ofInbox(number, OPERATIONS | place))) {
      throw failure("tag %d can't be removed, but nothing was sent to it", place);
    }
    began();
  }

  private void synchronize() {
    wantsSynchronization = false;
    synchronizing = true;
    queue.synchronize(queue.unexpected(), Ids.ofInbox(number, SYNCHRONIZE));
    began();
  }

  private void began() {
    operations++;
    tally.outstanding++;
    queue.ringDoorbell();
  }

  /**
   * Writes the header of a message: with a tag that the device knows, or with one that is never
   * added.
   *
   * @param context of the message
   */
  void address(SplittableRandom random, MemorySegment memory, int at, int context) {
    int first = random.nextInt(places);
    for (int i = 0; i < places && random.nextInt(8) != 0; i++) {
      int place = (first + i) % places;
      if (states[place] == State.USABLE) {
        states[place] = State.ADDRESSED;
        contexts[place] = context;
        long free = random.nextLong() & ~masks[place];
        TagHeader.eager(memory, at, tags[place] | free, context);
        return;
      }
    }
    TagHeader.eager(memory, at, UNEXPECTED | random.nextLong(), context);
  }

  @Override
  void completed(Completion completion) {
    wantsSynchronization |= completion.wantsSynchronization();
    switch (completion.opcode()) {
      case TAG_ADD, TAG_REMOVE, TAG_SYNCHRONIZE -> operated(completion);
      case RECEIVE_WITH_TAG -> {
        if (completion.isTagMatch() || completion.isTagDone()) {
          matched(completion);
        } else {
          unexpected(completion);
        }
      }
      case RECEIVE_RDMA_WITH_IMMEDIATE -> super.completed(completion);
      default -> throw failure("a completion is %s", completion.opcode());
    }
  }

  private void operated(Completion completion) {
    int item = Ids.item(completion.id());
    int place = item & 0xffff;
    if (completion.status() != CompletionStatus.SUCCESS) {
      throw failure("%s of tag %d: %s", completion.opcode(), place, completion.explanation());
    }
    operations--;
    tally.outstanding--;
    if (completion.opcode() == WorkOpcode.TAG_REMOVE) {
      if (states[place] != State.REMOVED) {
        throw failure("tag %d was removed, but is %s", place, states[place]);
      }
      states[place] = State.FREE;
      return;
    }
    if (completion.opcode() == WorkOpcode.TAG_ADD) {
      if (states[place] != State.ADDED) {
        throw failure("tag %d was added, but is %s", place, states[place]);
      }
      told[place] = true;
    } else {
      synchronizing = false;
    }
    if (!completion.wantsSynchronization()) {
      // The device knows of all handled unexpected messages, so it uses all tags.
      for (int i = 0; i < places; i++) {
        if (states[i] == State.ADDED && told[i]) {
          states[i] = State.USABLE;
        }
      }
    }
  }

  private void matched(Completion completion) {
    int place = Ids.item(completion.id()) & 0xffff;
    if (completion.status() != CompletionStatus.SUCCESS) {
      throw failure("tag %d: %s", place, completion.explanation());
    }
    if (completion.isTagMatch()) {
      if (states[place] != State.ADDRESSED
          || completion.tagContext() != contexts[place]
          || ((completion.tag() ^ tags[place]) & masks[place]) != 0) {
        throw failure(
            "a message with tag 0x%x and context 0x%x took tag 0x%x, which is %s",
            completion.tag(), completion.tagContext(), tags[place], states[place]);
      }
      states[place] = State.MATCHED;
    }
    if (completion.isTagDone()) {
      if (states[place] != State.MATCHED) {
        throw failure("the data of tag %d arrived, but it is %s", place, states[place]);
      }
      states[place] = State.FREE;
      deliver(contexts[place], base + place * SLOT_BYTES, completion.byteCount(), TagHeader.BYTES);
    }
  }

  private void unexpected(Completion completion) {
    int at = slotAt(release(completion));
    if (TagHeader.tag(territory().memory(), at) >= 0) {
      throw failure(
          "tag 0x%x was unexpected, but had been added", TagHeader.tag(territory().memory(), at));
    }
    deliver(TagHeader.context(territory().memory(), at), at, completion.byteCount(), 0);
  }

  private void deliver(int context, int at, int bytes, int headless) {
    arrival.hasImmediate = false;
    arrival.isWrite = false;
    arrival.hasStamp = false;
    arrival.immediate = context;
    arrival.at = at;
    arrival.bytes = bytes;
    arrival.headless = headless;
    deliver(Mark.flowOfImmediate(context), arrival);
  }

  @Override
  public String toString() {
    return "%s, %d operations due".formatted(super.toString(), operations);
  }
}
