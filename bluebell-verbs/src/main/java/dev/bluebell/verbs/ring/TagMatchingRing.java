package dev.bluebell.verbs.ring;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.TagMatchingSegment;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.QueueFullException;
import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.TagBuffer;
import dev.bluebell.verbs.TagEnd;

/**
 * A tag-matching shared receive queue in memory: requests for unexpected messages, and a list of
 * tags, which requests of a command queue change. Mirrors {@code srq.c: mlx5_post_srq_ops} and
 * {@code cq.c: handle_tag_matching}.
 *
 * <p>Changes of the list complete in order, and one that is signalled frees the command queue up to
 * it. Tags complete in any order, and each frees its own entry of the list.
 *
 * <p>One thread posts and rings. One thread polls the completion queue.
 */
public final class TagMatchingRing implements Receives {
  /**
   * Maximum number of unexpected messages that are not reported to the device as handled, {@code
   * MLX5_TM_MAX_SYNC_DIFF}.
   */
  private static final int MAX_UNTOLD = 0x3fff;

  private static final int COUNT_MASK = 0xffff;
  private static final int HANDLE_SHIFT = 16;
  private static final int NO_ENTRY = -1;

  /** In place of an operation: an ordinary completion, as of any queue. */
  private static final int NO_OPERATION = 0;

  private final String name;
  private final SharedReceiveRing receives;
  private final SendRing commands;
  private final UnorderedRequests requests;
  private final EntryChain entries;

  /** How often each entry of the list was taken, so that an old handle never names a new tag. */
  private final int[] generations;

  // By entry of the list: the two words of its scatter entry, for messages inside completions.
  private final long[] lengths;
  private final long[] addresses;

  // By slot of the command queue: the entry that a change removes, and the unexpected messages that
  // were known when it was posted.
  private final int[] removed;
  private final int[] known;
  private final Tag tag = new Tag(this);

  /** Unexpected messages that were polled, 16 bits. */
  private volatile int unexpected;

  /** The count of handled unexpected messages that was last reported to the device, 16 bits. */
  private volatile int told;

  /**
   * A queue with an empty list.
   *
   * @param logEntries binary logarithm of the entries of the list, 1 … 15; one is always spare
   * @param receives requests for unexpected messages
   * @param commands send queue of a queue pair that receives from this queue; nothing else may post
   *     to it
   * @param name of the queue, as messages name it
   */
  public TagMatchingRing(
      int logEntries, SharedReceiveRing receives, SendRing commands, String name) {
    this.name = name;
    this.receives = receives;
    this.commands = commands;
    int size = 1 << logEntries;
    requests = new UnorderedRequests(size, 0);
    entries = new EntryChain(size, (entry, next) -> {});
    generations = new int[size];
    lengths = new long[size];
    addresses = new long[size];
    removed = new int[commands.wqebbs()];
    known = new int[commands.wqebbs()];
  }

  /** Starts to add a tag. */
  public TagBuffer add(long value, long mask) {
    commands.requireOwner();
    if (entries.free() <= 0 && entries.exactFree() <= 0) {
      throw new QueueFullException(
          ("the list of tags of %s is full (%d tags): poll its completion queue until"
                  + " exactFreeTags() is positive")
              .formatted(name, tags()));
    }
    SendRequest<?> unused = commands.changeTags();
    return tag.begin(value, mask);
  }

  /**
   * Removes a tag.
   *
   * @param handle value that was returned when the tag was added
   * @param operationId id of the completion, which reports whether the tag was still there
   * @return false when a completion has already reported a message for the tag; nothing was posted
   */
  public boolean remove(int handle, long operationId) {
    int entry = handle & COUNT_MASK;
    if (entry >= generations.length
        || generations[entry] != handle >>> HANDLE_SHIFT
        || !requests.isOutstanding(entry)) {
      return false;
    }
    SendRequest<?> request = commands.changeTags();
    request.tags(head(TagMatchingSegment.REMOVE, entry) | flags(TagMatchingSegment.CQE_REQ), 0, 0);
    note(entry);
    request.reported(operationId);
    return true;
  }

  /**
   * Reports to the device how many unexpected messages were handled.
   *
   * @param handled 16 bits count
   * @param operationId id of the completion, which confirms that the device has the count
   */
  public void synchronize(int handled, long operationId) {
    SendRequest<?> request = commands.changeTags();
    request.tags(
        head(TagMatchingSegment.NOP, 0) | flags(TagMatchingSegment.CQE_REQ) | count(handled), 0, 0);
    note(NO_ENTRY);
    told = handled & COUNT_MASK;
    request.reported(operationId);
  }

  private static long head(int operation, int index) {
    return TagMatchingSegment.OPCODE.place(operation) | TagMatchingSegment.INDEX.place(index);
  }

  private static long flags(int flags) {
    return TagMatchingSegment.FLAGS.place(flags);
  }

  private static long count(int handled) {
    return flags(TagMatchingSegment.SW_CNT_VALID) | TagMatchingSegment.SW_CNT.place(handled);
  }

  /** Records the state that the completion of the next change needs. */
  private void note(int entry) {
    int slot = commands.producerIndex() & removed.length - 1;
    removed[slot] = entry;
    known[slot] = unexpected;
  }

  /** Makes the device see all changes that were posted. */
  public void ringDoorbell() {
    commands.ringDoorbell();
  }

  /** Starts a request for an unexpected message. */
  public ReceiveLanding receive() {
    return receives.receive();
  }

  /** Makes the device see all requests for unexpected messages. */
  public void ringReceiveDoorbell() {
    receives.ringDoorbell();
  }

  /** Drops the unfinished change and receive request, if any; returns whether there was one. */
  public boolean dropUnfinished() {
    boolean change = commands.dropUnfinished();
    return receives.dropUnfinished() | change;
  }

  /** Changes that can be posted. */
  public int freeOperations() {
    return commands.freeWqebbs();
  }

  /** Tags that can be added, as far as is known: a stale count is too low. */
  public int freeTags() {
    return entries.free();
  }

  /** Exact number of tags that can be added: collects all released entries. */
  public int exactFreeTags() {
    return entries.exactFree();
  }

  /** Most tags of the list. */
  public int tags() {
    return generations.length - 1;
  }

  /** Unexpected messages that were polled, modulo 2^16. */
  public int unexpected() {
    return unexpected;
  }

  /** Lets the next thread that posts own the queue. */
  public void handOver() {
    commands.handOver();
    receives.handOver();
  }

  /**
   * Takes a completion of the queue.
   *
   * @return always true: each completion has an owner
   * @throws IllegalStateException when the completion fits no outstanding operation or message
   */
  boolean complete(long last, CqeView view) {
    int counter = Cqe.wqeCounter(last);
    switch (view.tagOperation()) {
      case TagMatchingCqe.APPEND, TagMatchingCqe.NOOP -> completeChange(counter, view);
      case TagMatchingCqe.REMOVE -> {
        completeChange(counter, view);
        int entry = removed[counter & removed.length - 1];
        if (view.isTagChangeDone() && entry != NO_ENTRY) {
          release(entry);
        }
      }
      case TagMatchingCqe.CONSUMED, TagMatchingCqe.CONSUMED_SW_RNDV ->
          view.id = idOf(view.tagEntry());
      case TagMatchingCqe.EXPECTED,
          TagMatchingCqe.CONSUMED_MSG,
          TagMatchingCqe.CONSUMED_MSG_SW_RNDV,
          TagMatchingCqe.MSG_COMPLETION_CANCELED -> {
        view.id = idOf(view.tagEntry());
        release(view.tagEntry());
      }
      case TagMatchingCqe.UNEXPECTED -> {
        boolean unused = receives.complete(counter, view);
        int count = unexpected + 1 & COUNT_MASK;
        unexpected = count;
        view.wantsSynchronization = (count - told & COUNT_MASK) > MAX_UNTOLD;
      }
      case TagMatchingCqe.NO_TAG, NO_OPERATION -> {
        return receives.complete(counter, view);
      }
      default ->
          throw new IllegalStateException(
              "the device reports operation 0x%x of the list of tags of %s, which is unknown"
                  .formatted(view.tagOperation(), name));
    }
    return true;
  }

  /**
   * Copies a message inside its completion to the memory of its tag or its receive request. Mirrors
   * {@code cq.c: handle_tag_matching}.
   *
   * @return false for a completion that has no data inside
   * @throws IllegalStateException when the completion cannot hold that much data
   */
  boolean land(long last, CqePayload payload, CqeView view) {
    int opcode = Cqe.opcode(last);
    if (opcode == CqeOpcode.NO_PACKET || opcode == CqeOpcode.RESP_ERR) {
      return false;
    }
    switch (view.tagOperation()) {
      case TagMatchingCqe.EXPECTED, TagMatchingCqe.CONSUMED_MSG -> {
        // The 32-byte form would overlap the header of the message.
        if (Cqe.format(last) != Cqe.FORMAT_INLINE_64) {
          return false;
        }
        land(view.tagEntry(), payload, view);
      }
      case TagMatchingCqe.UNEXPECTED, TagMatchingCqe.NO_TAG, NO_OPERATION ->
          receives.land(Cqe.wqeCounter(last), payload, view);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void land(int entry, CqePayload payload, CqeView view) {
    if (entry >= generations.length || !requests.isOutstanding(entry)) {
      // complete() then refuses the completion.
      return;
    }
    int syndrome = payload.place(view.byteCount(), lengths[entry], addresses[entry]);
    if (syndrome != 0) {
      view.fail(syndrome, CqePayload.refusal(syndrome, "tag", name));
    }
  }

  @Override
  public String toString() {
    return name;
  }

  private void completeChange(int counter, CqeView view) {
    boolean unused = commands.complete(counter, view);
    view.wantsSynchronization = view.tagPhase() != known[counter & known.length - 1];
  }

  private long idOf(int entry) {
    long id = requests.id(entry);
    if (!requests.isOutstanding(entry)) {
      throw new IllegalStateException(
          "the device completed entry %d in the list of tags of %s, which is not outstanding"
              .formatted(entry, name));
    }
    return id;
  }

  private void release(int entry) {
    if (requests.release(entry)) {
      entries.release(entry);
    }
  }

  /** A tag being added; the object is reused for the next one. */
  private static final class Tag implements TagBuffer, TagEnd {
    private final TagMatchingRing ring;
    private long value;
    private long mask;
    private long head;
    private int handled;
    private long length;
    private long address;
    private boolean hasMemory;

    Tag(TagMatchingRing ring) {
      this.ring = ring;
    }

    Tag begin(long tag, long tagMask) {
      value = tag;
      mask = tagMask;
      head = head(TagMatchingSegment.APPEND, ring.entries.second());
      handled = ring.told;
      hasMemory = false;
      return this;
    }

    @Override
    public TagEnd scatter(long address, int length, int lkey) {
      if (length < 1) {
        throw ring.refuse(
            new IllegalArgumentException(
                "the memory of a tag has at least 1 byte, not %d: use empty()".formatted(length)));
      }
      return memory(DataSegment.first(length, lkey), address);
    }

    @Override
    public TagEnd scatter(MemoryRegion region, long from, int length) {
      if (!RegionRange.isInside(region, from, length)) {
        throw ring.refuse(RegionRange.outside(region, from, length));
      }
      return scatter(region.address() + from, length, region.lkey());
    }

    @Override
    public TagEnd empty() {
      return memory(DataSegment.first(0, DataSegment.INVALID_LKEY), 0);
    }

    private TagEnd memory(long first, long second) {
      if (Checks.ENABLED && hasMemory) {
        throw ring.refuse(
            new IllegalStateException("a tag of %s already has its memory".formatted(ring.name)));
      }
      hasMemory = true;
      length = first;
      address = second;
      ring.commands.last().segment(first, second);
      return this;
    }

    @Override
    public TagEnd handled(int unexpected) {
      handled = unexpected & COUNT_MASK;
      head |= count(handled);
      return this;
    }

    @Override
    public int signaled(long operationId, long id) {
      SendRequest<?> request = ring.commands.last();
      request.tags(head | flags(TagMatchingSegment.CQE_REQ), value, mask);
      ring.note(NO_ENTRY);
      request.reported(operationId);
      return ring.added(id, this);
    }

    @Override
    public int unsignaled(long id) {
      SendRequest<?> request = ring.commands.last();
      request.tags(head, value, mask);
      ring.note(NO_ENTRY);
      request.unsignaled(id);
      return ring.added(id, this);
    }
  }

  private int added(long id, Tag added) {
    told = added.handled;
    int entry = entries.head();
    lengths[entry] = added.length;
    addresses[entry] = added.address;
    int generation = generations[entry] + 1 & COUNT_MASK;
    generations[entry] = generation;
    requests.add(entry, 1, id);
    entries.take();
    return generation << HANDLE_SHIFT | entry;
  }

  private RuntimeException refuse(RuntimeException reason) {
    boolean unused = commands.dropUnfinished();
    return reason;
  }
}
