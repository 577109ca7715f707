package dev.bluebell.softnic.transport.operation;

import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.queue.InlineData;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.SendWqe;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The work requests of one send queue that were fetched and are not complete, oldest first, with
 * the PSNs of each. Entries are named by ever-growing counters. Owned by the thread that runs the
 * engine.
 */
public final class Outstanding {
  // One WQE has at least one WQEBB, so the snapshot window bounds the entries.
  private static final int CAPACITY = SendQueue.WINDOW;

  private final SendWqe[] wqes = new SendWqe[CAPACITY];
  private final int[] firstPsns = new int[CAPACITY];
  private final int[] endPsns = new int[CAPACITY];
  private final InlineData inline = new InlineData();
  private long answers;
  private int head;
  private int tail;

  // Memory for responses that go into CQEs; null if none do.
  private @Nullable MemorySegment answerMemory;

  /** Sets which responses go into their CQEs: cs_req of the context. */
  public void putAnswersInCqes(int csReq) {
    inline.ofRequester(csReq);
    if (inline.limit() > 0 && answerMemory == null) {
      answerMemory = Arena.ofAuto().allocate((long) CAPACITY * InlineData.BYTES, InlineData.BYTES);
      answers = answerMemory.address();
    }
  }

  /** Says which responses go into their CQEs. */
  public InlineData inline() {
    return inline;
  }

  /** True for a READ or atomic whose response goes into its CQE. */
  public boolean isInline(int entry) {
    SendWqe wqe = wqe(entry);
    return wqe.bytes() <= inline.limit() && wqe.bytes() > 0 && wqe.isSignaled();
  }

  /** Address of the response that goes into the CQE of an entry. */
  public long answer(int entry) {
    return answers + (long) (entry & CAPACITY - 1) * InlineData.BYTES;
  }

  public void clear() {
    head = tail;
  }

  public boolean isEmpty() {
    return head == tail;
  }

  /** Counter of the oldest entry. */
  public int head() {
    return head;
  }

  /** Counter behind the youngest entry. */
  public int tail() {
    return tail;
  }

  /** The WQE to decode the next request into, before it is pushed. */
  public SendWqe next() {
    int at = tail & CAPACITY - 1;
    if (wqes[at] == null) {
      wqes[at] = new SendWqe();
    }
    return wqes[at];
  }

  /**
   * Adds the request that {@link #next} holds.
   *
   * @param endPsn PSN behind its last; equal to the first for a request that sends nothing
   */
  public void push(int firstPsn, int endPsn) {
    if (tail - head == CAPACITY) {
      throw new IllegalStateException("more requests are outstanding than were fetched");
    }
    int at = tail++ & CAPACITY - 1;
    firstPsns[at] = firstPsn;
    endPsns[at] = endPsn;
  }

  public void pop() {
    head++;
  }

  public SendWqe wqe(int entry) {
    return wqes[entry & CAPACITY - 1];
  }

  public int firstPsn(int entry) {
    return firstPsns[entry & CAPACITY - 1];
  }

  /** PSN behind the entry's last. */
  public int endPsn(int entry) {
    return endPsns[entry & CAPACITY - 1];
  }

  /**
   * True for a READ or atomic without a response yet, when PSNs before {@code unacked} have one.
   */
  public boolean isUnanswered(int entry, int unacked) {
    return wqe(entry).isAnswered() && Psn.distance(unacked, endPsn(entry)) > 0;
  }

  /** The oldest READ or atomic without a response yet; {@link #tail} when there is none. */
  public int oldestUnanswered(int unacked) {
    int entry = head;
    while (entry != tail && !isUnanswered(entry, unacked)) {
      entry++;
    }
    return entry;
  }
}
