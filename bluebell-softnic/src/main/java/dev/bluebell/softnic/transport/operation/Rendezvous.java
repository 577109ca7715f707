package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.InlineSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.RendezvousHeader;
import dev.bluebell.hca.wqe.TagMatchingHeader;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.TagMatching;
import dev.bluebell.softnic.queue.WqeDecoder;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.QpIdentity;

/**
 * Executes the rendezvous protocol of a queue pair for its tag-matching queue: READs the offered
 * data into the buffer of the matched tag, then SENDs a FIN to the sender. Its requests are normal
 * WQEs in a send queue of the device. Owned by the thread that runs the engine.
 */
public final class Rendezvous implements RequestReports {
  /** Most rendezvous of one queue pair at a time. */
  public static final int MOST = 32;

  /** log2 of the WQEBBs that they need: a READ and a SEND for each. */
  public static final int LOG_WQEBBS = 6;

  private static final int HEADERS = TagMatchingHeader.BYTES + RendezvousHeader.BYTES;

  private final SendQueue queue;
  private final int pd;
  private final TagMatching tags;
  private final int number;
  private final Lifecycle life;
  private final Connection connection;

  // The rendezvous in progress, oldest first: the entry of each, its bytes, and whether its message
  // requested a solicited event.
  private final int[] entries = new int[MOST];
  private final int[] lengths = new int[MOST];
  private final boolean[] solicited = new boolean[MOST];
  private final String saturation;
  private int begun;
  private int read;
  private int ended;
  private int producer;

  /**
   * @param queue a send queue of the device, of size {@link #LOG_WQEBBS}
   * @param pd protection domain of the queue that the queue pair receives from
   * @param tags of that queue
   */
  public Rendezvous(
      QpIdentity self,
      Lifecycle life,
      Connection connection,
      SendQueue queue,
      int pd,
      TagMatching tags) {
    this.queue = queue;
    this.pd = pd;
    this.tags = tags;
    this.life = life;
    this.connection = connection;
    number = self.number();
    saturation =
        "QP 0x%x already has %d rendezvous in progress, the maximum".formatted(number, MOST);
  }

  /** Explains an RNR NAK that is due to a lack of room. */
  public String saturation() {
    return saturation;
  }

  /** Drops the rendezvous in progress. */
  public void reset() {
    begun = 0;
    read = 0;
    ended = 0;
    producer = 0;
    queue.publish(0);
  }

  /**
   * True when the offered data fits the buffer; otherwise software must handle the message.
   *
   * @param header address of both headers
   */
  public boolean isPossible(long header, long capacity) {
    long offered = length(header);
    return offered <= capacity && offered <= WqeDecoder.MAX_MESSAGE;
  }

  private static long length(long header) {
    long word = Memory.getLong(header + TagMatchingHeader.BYTES + RendezvousHeader.KEY_OFFSET);
    return RendezvousHeader.LENGTH.get(word);
  }

  /** True when another can begin. */
  public boolean hasRoom() {
    return begun - ended < MOST;
  }

  /**
   * Begins a rendezvous; there must be room, and it must be possible.
   *
   * @param count first word of the entry's data segment
   * @param address second word
   * @param header address of both headers of the message
   */
  public void begin(int entry, long count, long address, long header, boolean askedForEvent) {
    int bytes = (int) length(header);
    int slot = begun++ & MOST - 1;
    entries[slot] = entry;
    lengths[slot] = bytes;
    solicited[slot] = askedForEvent;
    postRead(count, address, header, bytes);
    postFin(header);
    queue.publish(producer);
    life.wake();
  }

  private void postRead(long count, long address, long header, int bytes) {
    long at = queue.at(producer);
    long key = Memory.getLong(header + TagMatchingHeader.BYTES + RendezvousHeader.KEY_OFFSET);
    int segments = ControlSegment.BYTES + RemoteAddressSegment.BYTES;
    // A byte count of 0 means 2 GiB, so nothing is read without a data segment.
    int all = bytes == 0 ? segments : segments + DataSegment.BYTES;
    control(at, WqeOpcode.RDMA_READ, all, ControlSegment.CE_ALWAYS);
    Memory.putLong(at + 16, Memory.getLong(header + TagMatchingHeader.BYTES));
    Memory.putLong(at + 24, RemoteAddressSegment.second(RendezvousHeader.RKEY.getInt(key)));
    Memory.putLong(at + 32, DataSegment.first(bytes, DataSegment.lkey(count)));
    Memory.putLong(at + 40, address);
    producer = producer + 1 & 0xffff;
  }

  /** Posts the FIN: the headers of the message with another opcode, fenced behind the READ. */
  private void postFin(long header) {
    long at = queue.at(producer);
    int all = ControlSegment.BYTES + InlineSegment.ds(HEADERS) * ControlSegment.BYTES;
    control(at, WqeOpcode.SEND, all, ControlSegment.CE_ALWAYS | ControlSegment.FENCE);
    long data = at + ControlSegment.BYTES;
    Memory.putInt(data, InlineSegment.header(HEADERS));
    Memory.copy(header, data + InlineSegment.HEADER_BYTES, HEADERS);
    Memory.putByte(data + InlineSegment.HEADER_BYTES, (byte) TagMatchingHeader.FIN);
    producer = producer + 1 & 0xffff;
  }

  private void control(long at, int opcode, int bytes, int flags) {
    Memory.putLong(
        at, ControlSegment.first(0, producer, opcode, number, bytes / ControlSegment.BYTES));
    Memory.putLong(at + 8, ControlSegment.second(flags, 0));
  }

  @Override
  public boolean complete(SendWqe wqe, Outstanding outstanding, int at) {
    if (wqe.opcode() != WqeOpcode.RDMA_READ) {
      ended++;
      return true;
    }
    int slot = read++ & MOST - 1;
    CompletionQueue completions = tags.completions();
    return completions.complete(
        completions
            .next(CqeOpcode.RESP_SEND, number, tags.userIndex(), 0)
            .sender(connection.origin())
            .bytes(lengths[slot])
            .solicited(solicited[slot])
            .tagged(TagMatchingCqe.EXPECTED, entries[slot]));
  }

  @Override
  public void fail(int opcode, int index, int syndrome, int vendorSyndrome, String sentence) {
    life.failSends(sentence);
    life.raise(HcaEvent.WQ_CATASTROPHIC);
  }

  @Override
  public boolean flush(int opcode, int completion, int index, String cause) {
    return true;
  }

  /** Cancels the rendezvous whose payload was not read. */
  @Override
  public void cancel(String cause) {
    while (read != begun) {
      int entry = entries[read++ & MOST - 1];
      tags.completions().cancelTagged(number, tags.userIndex(), entry, cause);
    }
    ended = begun;
  }

  /** A READ here writes to the buffer of a tag, and has no CQE of its own. */
  @Override
  public boolean takesAnswers() {
    return false;
  }

  /** As for an eager message, the buffer of a tag belongs to the domain of its queue. */
  @Override
  public int pd() {
    return pd;
  }

  @Override
  public int completionQueue() {
    return tags.completions().number();
  }
}
