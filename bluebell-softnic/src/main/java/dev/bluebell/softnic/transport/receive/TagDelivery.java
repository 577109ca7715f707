package dev.bluebell.softnic.transport.receive;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.RendezvousHeader;
import dev.bluebell.hca.wqe.TagMatchingHeader;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Completion;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.DataSegments;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.InlineData;
import dev.bluebell.softnic.queue.Staging;
import dev.bluebell.softnic.queue.TagList;
import dev.bluebell.softnic.queue.TagMatching;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.SegmentList;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.PayloadOrder;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.connection.ReceiveSource;
import dev.bluebell.softnic.transport.operation.Rendezvous;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Delivers SENDs to a tag-matching queue by their headers. The payload of a message with a matching
 * tag goes to the buffer of the first match. A message without a tag or a match goes, with its
 * header, to a receive WQE or its strides. Owned by the thread that runs the engine.
 */
public final class TagDelivery {
  private static final int NO_ENTRY = -1;
  private static final long EMPTY = DataSegment.first(0, DataSegment.INVALID_LKEY);

  /** Both headers of a request for a rendezvous. */
  private static final int HEADERS = TagMatchingHeader.BYTES + RendezvousHeader.BYTES;

  private final KeyTable keys;
  private final Staging staging;
  private final QpIdentity self;
  private final Lifecycle life;
  private final TagMatching tags;
  private final IncomingMessage message;
  private final HeldReceive held;
  private final SendDelivery untagged;
  private final @Nullable StridingDelivery strides;
  private final @Nullable Rendezvous rendezvous;
  private final Refusal refusal;
  private final Refusals refusals;
  private final PayloadOrder order;
  private final SegmentList behindHeader = new SegmentList();
  private final SegmentList target = new SegmentList();
  private final Fault fault = new Fault();

  // The headers of the message, followed by the data segment of the matched entry.
  private final MemorySegment scratch =
      Arena.ofAuto().allocate(HEADERS + DataSegment.BYTES, DataSegment.BYTES);
  private final long header = scratch.address();
  private final long segment = header + HEADERS;

  // State of the message that arrives in the buffer of a tag.
  private int entry = NO_ENTRY;
  private int pd;
  private long capacity;
  private int skipped;
  private int whole;
  private boolean toldConsumed;

  /**
   * @param untagged delivers messages to a receive WQE
   * @param strides replaces {@code untagged} where receive WQEs are divided into strides; otherwise
   *     null
   * @param rendezvous null when the queue pair does not do rendezvous
   * @param arrival its refusal is set when {@link #deliver} returns false
   */
  public TagDelivery(
      End end,
      Arrival arrival,
      TagMatching tags,
      SendDelivery untagged,
      @Nullable StridingDelivery strides,
      @Nullable Rendezvous rendezvous) {
    keys = end.chip().keys();
    staging = end.chip().staging();
    self = end.self();
    life = end.life();
    this.tags = tags;
    message = arrival.message();
    held = arrival.held();
    this.untagged = untagged;
    this.strides = strides;
    this.rendezvous = rendezvous;
    refusal = arrival.refusal();
    refusals = arrival.refusals();
    order = new PayloadOrder(end.chip(), self.number());
  }

  public void reset() {
    entry = NO_ENTRY;
    if (rendezvous != null) {
      rendezvous.reset();
    }
  }

  /**
   * Delivers a piece of a SEND; false when it is refused.
   *
   * @param source the tag-matching queue
   * @param sender its origin, packed as {@link dev.bluebell.softnic.packet.Origin}
   */
  public boolean deliver(Packet request, ReceiveSource source, long sender) {
    if (message.refuses(BthOpcode.isFirst(request.opcode), false)) {
      return refusals.order(request);
    }
    if (!BthOpcode.isFirst(request.opcode)) {
      return entry == NO_ENTRY ? deliverUntagged(request, source, sender) : place(request, sender);
    }
    int bytes = Math.min(request.payloadBytes, HEADERS);
    request.payload.copyTo(header, bytes);
    int operation = bytes == 0 ? TagMatchingHeader.NO_TAG : Memory.getByte(header) & 0xff;
    switch (operation) {
      case TagMatchingHeader.NO_TAG, TagMatchingHeader.FIN -> {
        return deliverUntagged(request, source, sender, TagMatchingCqe.NO_TAG);
      }
      case TagMatchingHeader.EAGER -> {
        return bytes >= TagMatchingHeader.BYTES
            ? deliverTagged(request, source, sender, false)
            : refuse(
                "an EAGER message of %d bytes ends within its tag-matching header of 16 bytes"
                    .formatted(bytes));
      }
      case TagMatchingHeader.RNDV -> {
        return bytes == HEADERS && isOnePacket(request)
            ? deliverTagged(request, source, sender, true)
            : refuse(
                "an RNDV message must be one packet with both headers, 32 bytes; it has %d bytes in %s"
                    .formatted(request.payloadBytes, Counted.of(request.packets, "packet")));
      }
      default -> {
        return refuse(
            "opcode %d of the tag-matching header is not valid: it must be NO_TAG (0), RNDV (1), FIN (2) or EAGER (3)"
                .formatted(operation));
      }
    }
  }

  private boolean refuse(String why) {
    return refusal.refuse(Aeth.INVALID_REQUEST_NAK, 0, why);
  }

  private static boolean isOnePacket(Packet request) {
    return BthOpcode.isLast(request.opcode) && request.packets == 1;
  }

  private boolean deliverUntagged(
      Packet request, ReceiveSource source, long sender, int operation) {
    if (!hasRoom(request, source)) {
      return false;
    }
    if (strides == null) {
      held.mark(operation);
    } else {
      strides.mark(operation);
    }
    return deliverUntagged(request, source, sender);
  }

  private boolean deliverUntagged(Packet request, ReceiveSource source, long sender) {
    return strides == null
        ? untagged.deliver(request, source, sender, 0)
        : strides.deliver(request, source, sender);
  }

  /**
   * True when there is a receive WQE or stride for an unmatched message; otherwise it is refused.
   */
  private boolean hasRoom(Packet request, ReceiveSource source) {
    return strides == null ? held.take(source, refusal) : strides.hasStride(request, source);
  }

  private boolean deliverTagged(
      Packet request, ReceiveSource source, long sender, boolean asksForRendezvous) {
    TagList list = tags.list();
    int found = list.match(Memory.getLong(header + TagMatchingHeader.TAG_OFFSET));
    if (found == TagList.NONE) {
      if (!hasRoom(request, source)) {
        return false;
      }
      list.countUnexpected();
      return deliverUntagged(request, source, sender, TagMatchingCqe.UNEXPECTED);
    }
    long count = list.count(found);
    long address = list.address(found);
    capacity = count == EMPTY && address == 0 ? 0 : DataSegment.length(count);
    if (asksForRendezvous && rendezvous != null && rendezvous.isPossible(header, capacity)) {
      return begin(rendezvous, found, request, sender);
    }
    list.remove(found);
    entry = found;
    pd = source.queue().pd();
    Memory.putLong(segment, count);
    Memory.putLong(segment + 8, address);
    skipped = asksForRendezvous ? 0 : TagMatchingHeader.BYTES;
    whole = asksForRendezvous ? TagMatchingCqe.CONSUMED_MSG_SW_RNDV : TagMatchingCqe.CONSUMED_MSG;
    toldConsumed = !isOnePacket(request);
    message.begin(false);
    if (toldConsumed && !tellConsumed(found, sender)) {
      return false;
    }
    return place(request, sender);
  }

  private boolean begin(Rendezvous by, int found, Packet request, long sender) {
    TagList list = tags.list();
    if (!by.hasRoom()) {
      return refusal.refuse(Aeth.RNR_NAK, 0, by.saturation());
    }
    list.remove(found);
    if (!tellConsumed(found, sender)) {
      return false;
    }
    by.begin(found, list.count(found), list.address(found), header, request.solicited);
    return true;
  }

  private boolean tellConsumed(int found, long sender) {
    order.completes();
    return complete(
        withHeader(next(CqeOpcode.NO_PACKET, sender).tagged(TagMatchingCqe.CONSUMED, found)));
  }

  private Completion next(int opcode, long sender) {
    return tags.completions().next(opcode, self.number(), tags.userIndex(), 0).sender(sender);
  }

  private Completion withHeader(Completion completion) {
    return completion.head(
        Memory.getLong(header), Memory.getLong(header + TagMatchingHeader.TAG_OFFSET));
  }

  private boolean complete(Completion completion) {
    CompletionQueue completions = tags.completions();
    boolean written = completions.complete(completion);
    if (!written) {
      life.failUnreported("its tag-matching CQ 0x%x is overrun".formatted(completions.number()));
    }
    return written;
  }

  /** Places a piece in the buffer of the entry, and completes the entry with the last piece. */
  private boolean place(Packet request, long sender) {
    boolean last = BthOpcode.isLast(request.opcode);
    SegmentList from = request.payload;
    int bytes = request.payloadBytes;
    if (skipped > 0) {
      from = behindHeader;
      from.clear();
      from.addBehind(request.payload, skipped);
      bytes -= skipped;
      skipped = 0;
    }
    long placed = message.placed();
    if (placed + bytes > capacity) {
      return refuse(
          "a message of %s%d bytes after its header does not fit the %d bytes of entry %d in the list of tags"
              .formatted(last ? "" : "at least ", placed + bytes, capacity, entry));
    }
    long data = 0;
    if (isForCqe(bytes)) {
      data = staging.of(InlineData.BYTES);
      InlineData.put(from, bytes, data);
    } else if (bytes > 0 && !copy(from, placed, bytes)) {
      return false;
    }
    message.place(bytes);
    return !last || finish(request, sender, (int) (placed + bytes), data);
  }

  /** True for an eager message of one packet that fits its CQE: the entry's key is not checked. */
  private boolean isForCqe(int bytes) {
    return !toldConsumed
        && whole == TagMatchingCqe.CONSUMED_MSG
        && bytes > 0
        && bytes <= untagged.inlineBytes();
  }

  private boolean copy(SegmentList from, long placed, int bytes) {
    if (!DataSegments.collect(
        segment,
        segment + DataSegment.BYTES,
        placed,
        bytes,
        keys,
        pd,
        self.number(),
        MemoryKey.LOCAL_WRITE,
        target,
        fault)) {
      String why = fault.explanation();
      fault.clear();
      return refusal.refuse(Aeth.REMOTE_OPERATION_NAK, 0, why);
    }
    return from.copyTo(target, bytes) || refusal.unreachable(0, target);
  }

  private boolean finish(Packet request, long sender, int bytes, long data) {
    int opcode = request.opcode;
    boolean invalidates = BthOpcode.hasInvalidate(opcode);
    if (invalidates && !refusals.invalidate(request.immediate, self.pd())) {
      return false;
    }
    message.end();
    boolean immediate = BthOpcode.hasImmediate(opcode);
    int found = entry;
    entry = NO_ENTRY;
    Completion completion =
        next(SendDelivery.completion(opcode), sender)
            .bytes(bytes)
            .immediate(immediate || invalidates ? request.immediate : 0)
            .solicited(request.solicited);
    if (toldConsumed) {
      completion.tagged(TagMatchingCqe.EXPECTED, found);
    } else {
      withHeader(completion.tagged(whole, found));
    }
    return complete(data == 0 ? completion : completion.data(data, Cqe.FORMAT_INLINE_64));
  }

  /** Cancels the entry whose message was arriving, if any. */
  public void cancel(String cause) {
    if (entry != NO_ENTRY) {
      int found = entry;
      entry = NO_ENTRY;
      tags.completions().cancelTagged(self.number(), tags.userIndex(), found, cause);
    }
  }
}
