package dev.bluebell.softnic.queue;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.translation.Umem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The device's side of a send queue: fetches each WQE as a whole, once, into device memory, where
 * clients cannot change it. Owned by the thread that runs the engine.
 *
 * <p>Invariant of raw access: the ring and the doorbell record lie inside umems that the queue pair
 * holds in use (checked by CREATE_QP); the snapshots lie in memory of this object.
 */
public final class SendQueue {
  /** The most WQEBBs that {@link #readAhead} reads. */
  public static final int AHEAD = 16;

  /**
   * The most WQEBBs that can be fetched and not yet retired; holds at least one WQE of the largest
   * size.
   */
  public static final int WINDOW = 64;

  private static final int INDEX_MASK = 0xffff;

  /** How far ahead an enabled index may be; one further ahead counts as behind. */
  private static final int ENABLED_AHEAD = 1 << 15;

  /** WQEBBs of the largest WQE that ds can express. */
  private static final int MAX_WQEBBS = 16;

  private final int qpn;

  /** Keeps the memory that the ring lies in reachable. */
  @SuppressWarnings("UnusedVariable")
  private final Umem memory;

  private final long ring;
  private final int wqebbs;
  private final long byteMask;
  private final long record;

  // The most WQEBBs that may be posted and not fetched; in a managed queue, more than the ring
  // holds, which is then executed again.
  private final int most;

  // A WQE is stored contiguously, so the last slots need room beyond the window's end.
  private final MemorySegment snapshotMemory =
      Arena.ofAuto()
          .allocate(
              (long) (WINDOW + MAX_WQEBBS) * ControlSegment.WQEBB_BYTES,
              ControlSegment.WQEBB_BYTES);
  private final long snapshots = snapshotMemory.address();

  private int producer;

  // The record's value at the last read: the producer index, unless the queue is managed.
  private int seen;
  private boolean rung;
  private int fetched;
  private int retired;

  // How many of the next WQEBBs are flushed in any state.
  private int marked;

  // The doorbell registers of its page that it has rung, one bit each; 0 while unknown.
  private int registers;
  private boolean movedUnrung;
  private int sweeps;

  // The values of the record and of the first WQE when the queue was reset or lost a doorbell;
  // valid until a doorbell rings or the record moves.
  private boolean passedOver;
  private int recordBefore;
  private long requestBefore;
  private boolean signed;
  private boolean ignoresIdentity;

  // Where WQEs are fetched from: the ring, or the read-ahead buffer.
  private long source;
  private long sourceMask;
  private @Nullable MemorySegment aheadMemory;

  // Index after the last WQEBB that was read ahead.
  private int ahead;

  /** The result of {@link #fetch}. */
  public enum Fetch {
    /** Nothing is posted, or the window is full. */
    NOTHING,
    /** A WQE was fetched and its form is right. */
    WQE,
    /** The next posted WQE can't be executed; the fault says why. */
    FAULT
  }

  /**
   * @param memory the umem that the ring lies in
   * @param ring address of the first WQEBB
   * @param logSize log2 of the number of WQEBBs, at most 15
   * @param record address of the queue pair's doorbell record
   */
  public SendQueue(int qpn, Umem memory, long ring, int logSize, long record) {
    this(qpn, memory, checked(memory, ring, logSize), 1 << logSize, record, false);
  }

  private static long checked(Umem memory, long ring, int logSize) {
    if (!memory.contains(ring - memory.address(), (long) ControlSegment.WQEBB_BYTES << logSize)) {
      throw new IllegalArgumentException("the send queue is not inside its umem");
    }
    return ring;
  }

  /** A managed send queue: executed up to an index that SEND_EN and its doorbell raise. */
  public static SendQueue managed(int qpn, Umem memory, long ring, int logSize, long record) {
    return new SendQueue(qpn, memory, checked(memory, ring, logSize), 1 << logSize, record, true);
  }

  /** Keeps the ring and the record of one of the device's own queues reachable. */
  @SuppressWarnings("UnusedVariable")
  private @Nullable MemorySegment ownMemory;

  /**
   * A send queue in device memory, whose requests the device itself makes.
   *
   * @param memory the umem that the queue pair names, which does not hold this queue
   */
  public static SendQueue ofDevice(int qpn, Umem memory, int logSize) {
    long bytes = (long) ControlSegment.WQEBB_BYTES << logSize;
    MemorySegment own =
        Arena.ofAuto().allocate(bytes + DoorbellRecord.BYTES, ControlSegment.WQEBB_BYTES);
    SendQueue queue =
        new SendQueue(qpn, memory, own.address(), 1 << logSize, own.address() + bytes, false);
    queue.ownMemory = own;
    return queue;
  }

  private SendQueue(int qpn, Umem memory, long ring, int wqebbs, long record, boolean managed) {
    this.qpn = qpn;
    this.memory = memory;
    this.ring = ring;
    this.wqebbs = wqebbs;
    byteMask = ((long) wqebbs << ControlSegment.LOG_WQEBB_BYTES) - 1;
    source = ring;
    sourceMask = byteMask;
    this.record = record;
    most = managed ? INDEX_MASK : wqebbs;
  }

  private SendQueue(int qpn, Umem memory) {
    this.qpn = qpn;
    this.memory = memory;
    wqebbs = 1;
    most = 1;
    byteMask = ControlSegment.WQEBB_BYTES - 1;
    ring = snapshots;
    source = ring;
    sourceMask = byteMask;
    record = snapshots;
  }

  /**
   * A placeholder for a queue pair without a send queue: its producer counter is in device memory
   * and stays zero, so nothing is ever posted.
   *
   * @param memory the umem that the queue pair's other queue lies in
   */
  public static SendQueue none(int qpn, Umem memory) {
    return new SendQueue(qpn, memory);
  }

  /** Requires a signature of every WQE from now on. */
  public void requireSignatures() {
    signed = true;
  }

  /** True when every WQE must have its signature. */
  public boolean isSigned() {
    return signed;
  }

  /** Executes WQEs with any index and QPN in the control segment, and NOPs with any opmod. */
  public void ignoreIdentity() {
    ignoresIdentity = true;
  }

  /** The opmod of a WQE, or 0 if its opmod is ignored. */
  int opmod(long first) {
    boolean free = ignoresIdentity && ControlSegment.opcode(first) == WqeOpcode.NOP;
    return free ? 0 : ControlSegment.opmod(first);
  }

  /** True when SEND_EN raises the index up to which it is executed. */
  public boolean isManaged() {
    return most > wqebbs;
  }

  /** True for the placeholder of a queue pair without a send queue. */
  public boolean isNone() {
    return ring == snapshots;
  }

  /** Starts again at index 0, for the transition to RST. */
  public void reset() {
    producer = 0;
    seen = 0;
    fetched = 0;
    retired = 0;
    marked = 0;
    ahead = 0;
    movedUnrung = false;
  }

  /**
   * Begins after a reset: the value that software left in the record posts no request until the
   * queue's doorbell rings.
   */
  public void begin() {
    reset();
    passOver();
  }

  /**
   * Loses a doorbell: its request waits for the next one. If later requests are posted, whose
   * doorbell may have rung by now, it does nothing.
   */
  public void passOver(long doorbell) {
    if (isLast(doorbell)) {
      passOver();
    }
  }

  /** True if the doorbell is for the last request that the record counts. */
  public boolean isLast(long doorbell) {
    int behind =
        ControlSegment.wqeIndex(doorbell) + ControlSegment.wqebbs(ControlSegment.ds(doorbell));
    return record() == (behind & INDEX_MASK);
  }

  private void passOver() {
    passedOver = true;
    recordBefore = record();
    requestBefore = firstRequest();
  }

  // Requests that were posted since, with an overwritten doorbell, may have led to the same count:
  // then the request at index 0 is a different one.
  private boolean isLeftFromBefore(int now) {
    passedOver &= now == recordBefore && firstRequest() == requestBefore;
    return passedOver;
  }

  private long firstRequest() {
    return Memory.getLong(ring);
  }

  /**
   * Enables a managed queue up to an index.
   *
   * @param index after the last WQEBB; its low 16 bits count
   * @return false, with no effect, when it is not ahead of the index that was enabled before
   */
  public boolean enable(int index) {
    boolean raised = isAhead(index);
    if (raised) {
      producer = index & INDEX_MASK;
      rung = false;
    }
    return raised;
  }

  private boolean isAhead(int index) {
    int ahead = index - producer & INDEX_MASK;
    return ahead > 0 && ahead < ENABLED_AHEAD;
  }

  /**
   * Reads the record because the queue's doorbell rang.
   *
   * @return true when there are new requests: the record moved since the last look, or, for a
   *     managed queue, is ahead of the enabled index
   */
  public boolean look() {
    movedUnrung = false;
    passedOver = false;
    return take(record());
  }

  private boolean take(int now) {
    seen = now;
    if (isManaged() ? !isAhead(now) : now == producer) {
      return false;
    }
    producer = now;
    rung = true;
    return true;
  }

  /**
   * Reads the record although no doorbell of this queue was seen. If the record has moved, its
   * doorbell may be just about to ring, so only the second such look counts. A record that is
   * unchanged since {@link #begin} or {@link #passOver} does not count.
   *
   * @return true when there are new requests
   */
  public boolean lookUnrung() {
    int now = record();
    if (now == seen || isLeftFromBefore(now)) {
      movedUnrung = false;
      return false;
    }
    if (!movedUnrung) {
      movedUnrung = true;
      return false;
    }
    movedUnrung = false;
    boolean started = take(now);
    sweeps += started ? 1 : 0;
    return started;
  }

  /**
   * Like {@link #lookUnrung}, for a queue whose doorbell would have been read by now.
   *
   * @return true when there are new requests
   */
  public boolean lookCovered() {
    return isUnrung() && !isLeftFromBefore(record()) && look();
  }

  /**
   * Posts the WQEs of a queue whose record is in device memory.
   *
   * @param index after the last WQEBB
   */
  public void publish(int index) {
    Memory.putIntRelease(record + DoorbellRecord.SEND, index);
    look();
  }

  /** Reads the record and the next WQE, only to find out whether their memory is gone. */
  public void touch() {
    long unused = record() + Memory.getLong(at(fetched));
  }

  private int record() {
    return Memory.getIntAcquire(record + DoorbellRecord.SEND) & 0xffff;
  }

  /**
   * Explains that the bytes of the send counter in the doorbell record are in the wrong order, if
   * the reversed value is plausible; otherwise empty.
   */
  public String reversedRecord() {
    int word = Memory.getIntAcquire(record + DoorbellRecord.SEND);
    int whole = Integer.reverseBytes(word);
    return isPlausible(whole) ? reversed(word, whole) : "";
  }

  /** Like {@link #reversedRecord}, for the 16-bit counter that was read. */
  private String reversedProducer() {
    int half = Short.toUnsignedInt(Short.reverseBytes((short) producer));
    return isPlausible(half) ? reversed(producer, half) : "";
  }

  private boolean isPlausible(int counter) {
    int ahead = (counter & INDEX_MASK) - fetched & INDEX_MASK;
    return counter >>> Short.SIZE == 0 && ahead > 0 && ahead <= wqebbs;
  }

  private static String clause(String before, String text) {
    return text.isEmpty() ? "" : before + text;
  }

  private static String reversed(int word, int counter) {
    return "its bytes are in the wrong order: 0x%x reversed is %d, and the counters of a doorbell record are big-endian (htobe32)"
        .formatted(word, counter);
  }

  /** How often {@link #lookUnrung} found new requests. */
  public int sweeps() {
    return sweeps;
  }

  /**
   * Notes a register of its page that it rang.
   *
   * @return true when it rang on a different register before
   */
  public boolean addRegister(int rang) {
    boolean roams = !mayRingOn(rang);
    registers |= 1 << rang;
    return roams;
  }

  /** False when it is known to ring only on other registers. */
  public boolean mayRingOn(int register) {
    return registers == 0 || (registers >> register & 1) != 0;
  }

  /**
   * True when the doorbell equals the first 8 bytes of the WQE in the ring at the index that it
   * names, with which a driver rings.
   */
  public boolean isPosted(long doorbell) {
    return Memory.getLong(at(ControlSegment.wqeIndex(doorbell))) == doorbell;
  }

  /**
   * WQEBBs posted and not fetched; more than the ring holds if the doorbell record is wrong, or if
   * a managed queue is to be executed again.
   */
  public int pending() {
    return producer - fetched & 0xffff;
  }

  /**
   * The producer index, 16 bits: as last read from the doorbell record, or, for a managed queue,
   * the enabled index.
   */
  public int producer() {
    return producer;
  }

  /** The send counter of the doorbell record when it was read last, 16 bits. */
  public int seen() {
    return seen;
  }

  /** True when a doorbell, not a SEND_EN, last raised the producer index. */
  public boolean isRung() {
    return rung;
  }

  /** True when the doorbell record has moved since it was last read. */
  public boolean isUnrung() {
    return record() != seen;
  }

  /** The producer index in the doorbell record now, 16 bits. */
  public int recorded() {
    return record();
  }

  /** Index of the next WQE to fetch, 16 bits. */
  public int nextIndex() {
    return fetched;
  }

  /**
   * How many of the requests that completed last are not signalled, so that no completion reports
   * them. Reads back through the ring, which software may be writing: a hint for diagnosis.
   *
   * @param most where to stop counting
   */
  public int unsignalled(int most) {
    int count = 0;
    int end = retired;
    int left = Math.max(0, wqebbs - (producer - retired & INDEX_MASK));
    while (count < most) {
      int blocks = blocksBefore(end, left);
      int start = end - blocks & INDEX_MASK;
      int control = ControlSegment.fmCeSe(Memory.getLong(at(start) + 8));
      if (blocks == 0 || (control & ControlSegment.CE_MASK) >= ControlSegment.CE_ALWAYS) {
        break;
      }
      count++;
      end = start;
      left -= blocks;
    }
    return count;
  }

  /** WQEBBs of the request that ends before an index; 0 when the ring holds none there. */
  private int blocksBefore(int end, int left) {
    int most = Math.min(left, ControlSegment.wqebbs(ControlSegment.MAX_DS));
    for (int blocks = 1; blocks <= most; blocks++) {
      int start = end - blocks & INDEX_MASK;
      long first = Memory.getLong(at(start));
      if (ControlSegment.wqeIndex(first) == start
          && ControlSegment.wqebbs(ControlSegment.ds(first)) == blocks
          && ControlSegment.qpn(first) == qpn) {
        return blocks;
      }
    }
    return 0;
  }

  public int size() {
    return wqebbs;
  }

  /**
   * Fetches the next WQE into a snapshot. On a fault it fetches nothing: {@link #nextIndex} is
   * still that of the WQE.
   *
   * @return the result; the snapshot is at {@link #snapshot(int)} of the previous {@link
   *     #nextIndex}
   */
  public Fetch fetch(Fault fault) {
    int pending = pending();
    if (pending == 0) {
      return Fetch.NOTHING;
    }
    if (aheadMemory != null) {
      readNext();
    }
    long at = ((long) fetched << 6) & sourceMask;
    long first = Memory.getLong(source + at);
    int ds = ControlSegment.ds(first);
    int blocks = ControlSegment.wqebbs(ds);
    // A WQE that can't be executed takes a place, too, for its error completion.
    if ((fetched - retired & 0xffff) + Math.max(blocks, 1) > WINDOW) {
      return Fetch.NOTHING;
    }
    boolean fits = ds != 0 && blocks <= wqebbs;
    if (!fits || blocks > pending || pending > most || !isOwn(first)) {
      if (fits && isManaged() && isOwn(first)) {
        // Only part of the WQE is enabled.
        return Fetch.NOTHING;
      }
      refuse(first, ds, blocks, pending, fault);
      return Fetch.FAULT;
    }
    copy(at, first, (long) ds << 4);
    fetched = fetched + blocks & 0xffff;
    return Fetch.WQE;
  }

  /** True when the control segment has the next WQE's index and this queue's QPN. */
  private boolean isOwn(long first) {
    return ignoresIdentity
        || ControlSegment.wqeIndex(first) == fetched && ControlSegment.qpn(first) == qpn;
  }

  // Stores the first word as it was read, so that the checked word is also the executed one.
  private void copy(long at, long first, long bytes) {
    long to = snapshot(fetched);
    long from = source;
    if (at + bytes <= sourceMask + 1) {
      Memory.putLong(to, first);
      Memory.putNativeLong(to + 8, Memory.getNativeLong(from + at + 8));
      for (long i = 16; i < bytes; i += 16) {
        Memory.putNativeLong(to + i, Memory.getNativeLong(from + at + i));
        Memory.putNativeLong(to + i + 8, Memory.getNativeLong(from + at + i + 8));
      }
    } else {
      long head = sourceMask + 1 - at;
      Memory.copy(from + at, to, head);
      Memory.copy(from, to + head, bytes - head);
      Memory.putLong(to, first);
    }
  }

  // ---- reading ahead

  /** Allows {@link #prefetch} to read posted WQEs before they are fetched. */
  public void allowPrefetch() {
    long bytes = (long) WINDOW * ControlSegment.WQEBB_BYTES;
    aheadMemory = Arena.ofAuto().allocate(bytes, ControlSegment.WQEBB_BYTES);
    source = aheadMemory.address();
    sourceMask = bytes - 1;
  }

  /**
   * Reads at most this many of the next posted WQEBBs ahead: later changes of them have no effect.
   */
  public void prefetch(int count) {
    if (aheadMemory == null) {
      return;
    }
    readUpTo(Math.min(Math.min(count, WINDOW), pending()));
  }

  /** Reads the next WQE, as far as it was not read ahead. */
  private void readNext() {
    readUpTo(1);
    long first = Memory.getLong(source + (((long) fetched << 6) & sourceMask));
    prefetch(ControlSegment.wqebbs(ControlSegment.ds(first)));
  }

  // Reads one WQEBB after the other, in words of 8 bytes.
  private void readUpTo(int count) {
    int read = ahead - fetched & INDEX_MASK;
    if (read > WINDOW) {
      // The WQEBBs that were read ahead were skipped meanwhile.
      read = 0;
    }
    for (int i = read; i < count; i++) {
      long from = at(fetched + i);
      long to = source + (((long) (fetched + i) << 6) & sourceMask);
      for (int word = 0; word < ControlSegment.WQEBB_BYTES; word += Long.BYTES) {
        Memory.putNativeLong(to + word, Memory.getNativeLong(from + word));
      }
    }
    ahead = fetched + Math.max(read, count) & INDEX_MASK;
  }

  /** True when a WQE that was fetched and not retired has been modified in the ring. */
  public boolean hasChanged(int index, int ds) {
    long fetchedAt = snapshot(index);
    for (long i = 0; i < (long) ds << 4; i += Long.BYTES) {
      long now = Memory.getNativeLong(ring + ((((long) index << 6) + i) & byteMask));
      if (now != Memory.getNativeLong(fetchedAt + i)) {
        return true;
      }
    }
    return false;
  }

  private void refuse(long first, int ds, int blocks, int pending, Fault fault) {
    if (pending > most) {
      fault.set(
          Syndrome.LOCAL_QP_OP_ERR,
          "the doorbell record's send counter %d is %d WQEBBs ahead of index %d, but the queue has only %d%s"
              .formatted(producer, pending, fetched, wqebbs, clause(": ", reversedProducer())));
    } else if (!ignoresIdentity && ControlSegment.wqeIndex(first) != fetched) {
      fault.set(
          Syndrome.LOCAL_QP_OP_ERR,
          VendorSyndrome.WQE_INDEX,
          "wqe_index in the control segment is %d, and should be %d: the index of the WQE's first WQEBB%s"
              .formatted(
                  ControlSegment.wqeIndex(first),
                  fetched,
                  fetched == 0 ? ", counted from 0 after each reset" : ""));
    } else if (!ignoresIdentity && ControlSegment.qpn(first) != qpn) {
      fault.set(
          Syndrome.LOCAL_QP_OP_ERR,
          "qp_num in the control segment is 0x%x, and should be 0x%x"
              .formatted(ControlSegment.qpn(first), qpn));
    } else if (ds == 0) {
      fault.set(
          Syndrome.LOCAL_QP_OP_ERR,
          "ds in the control segment is 0; it counts the control segment itself, so it is at least"
              + " 1");
    } else if (blocks > wqebbs) {
      fault.set(
          Syndrome.LOCAL_QP_OP_ERR,
          "ds %d makes the WQE %d WQEBBs long, but the queue has only %d"
              .formatted(ds, blocks, wqebbs));
    } else {
      fault.set(
          Syndrome.LOCAL_QP_OP_ERR,
          "ds %d makes the WQE %d WQEBBs long, but only %d are posted (doorbell record's send counter %d)"
              .formatted(ds, blocks, pending, producer));
    }
  }

  /** Marks everything that is posted now, to be flushed even when the queue works again. */
  public void markForFlush() {
    marked = pending();
  }

  /**
   * True while the next request was posted before {@link #markForFlush}, unless the client has set
   * its producer index back since.
   */
  public boolean isMarked() {
    if (marked > 0) {
      marked = Math.min(marked, pending());
    }
    return marked > 0;
  }

  /**
   * Skips the next posted WQE without executing it, for a flush: as long as its ds says, or all
   * posted WQEBBs if its ds makes no sense (all marked ones, if there are any).
   *
   * @return the first word of its control segment
   */
  public long skip() {
    long first = Memory.getLong(ring + (((long) fetched << 6) & byteMask));
    int blocks = ControlSegment.wqebbs(ControlSegment.ds(first));
    int posted = isMarked() ? marked : pending();
    int step = blocks == 0 || blocks > posted || pending() > most ? posted : blocks;
    fetched = fetched + step & 0xffff;
    retired = fetched;
    marked = Math.max(marked - step, 0);
    return first;
  }

  /** Current second word of the control segment of the WQE at an index in the ring. */
  public long secondWord(int index) {
    return Memory.getLong(ring + ((((long) index << 6) + 8) & byteMask));
  }

  /**
   * Touches the first word of the next {@link #AHEAD} WQEBBs: they lie in the cache of the
   * processor that posted them, and fetching all at once costs hardly more than fetching one.
   *
   * @return how many WQEBBs that is; 0 when nothing is posted, more than the ring holds, or only
   *     zeros
   */
  public int readAhead() {
    int pending = pending();
    int count = pending > most ? 0 : Math.min(pending, AHEAD);
    long seen = 0;
    for (int i = 0; i < count; i++) {
      seen |= Memory.getLong(ring + (((long) (fetched + i) << 6) & byteMask));
    }
    return seen == 0 ? 0 : count;
  }

  /**
   * Address in the ring of the WQEBB at an index, which does not cross the end of the ring. Clients
   * may change it: the caller must read each word only once and check it.
   */
  public long at(int index) {
    return ring + (((long) index << 6) & byteMask) & Memory.ADDRESS_BITS;
  }

  /** Marks the WQEs before an index, which were executed in place, as fetched and retired. */
  public void passTo(int index) {
    fetched = index;
    retired = index;
  }

  /** Address of the snapshot of the WQE that was fetched at this index. */
  public long snapshot(int index) {
    return snapshots + ((long) (index & WINDOW - 1) << 6);
  }

  /** Frees the snapshot of the oldest WQE. */
  public void retire(int blocks) {
    retired = retired + blocks & 0xffff;
  }

  /** Copies the WQE at an index out of the ring, for an explanation; {@code ds} units long. */
  public byte[] copy(int index, int ds) {
    byte[] bytes = new byte[ds << 4];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = Memory.getByte(ring + ((((long) index << 6) + i) & byteMask));
    }
    return bytes;
  }
}
