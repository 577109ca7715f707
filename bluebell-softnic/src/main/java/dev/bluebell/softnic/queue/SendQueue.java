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
 * The device's side of a send queue: fetches each WQE once, whole, into memory of its own, where
 * clients cannot change it. Owned by the thread that runs the engine.
 *
 * <p>Invariant of raw access: the ring and the doorbell record lie inside umems that the queue pair
 * holds in use (checked by CREATE_QP); the snapshots lie in memory of this object.
 */
public final class SendQueue {
  /** WQEBBs that {@link #readAhead} reads at most. */
  public static final int AHEAD = 16;

  /** WQEBBs that can be fetched and not yet retired; at least one WQE of the largest size. */
  public static final int WINDOW = 64;

  private static final int INDEX_MASK = 0xffff;

  /** How far ahead an enabled index may be; one that is further is behind. */
  private static final int ENABLED_AHEAD = 1 << 15;

  /** WQEBBs of the largest WQE that ds can express. */
  private static final int MAX_WQEBBS = 16;

  private final int qpn;
  private final Umem memory;
  private final long ring;
  private final int wqebbs;
  private final long byteMask;
  private final long record;

  // WQEBBs that may be posted and not fetched: of a managed queue, also more than the ring holds,
  // which is then executed again.
  private final int most;

  // A WQE is stored without a break, so the last slots need room behind the window's end.
  private final MemorySegment snapshotMemory =
      Arena.ofAuto()
          .allocate(
              (long) (WINDOW + MAX_WQEBBS) * ControlSegment.WQEBB_BYTES,
              ControlSegment.WQEBB_BYTES);
  private final long snapshots = snapshotMemory.address();

  private int producer;

  // What the record held when it was read last. Of a queue that is not managed, that is the
  // producer index.
  private int seen;
  private boolean rung;
  private int fetched;
  private int retired;

  // The doorbell registers of its page that it rang, one bit each; 0 while none is known.
  private int registers;
  private boolean movedUnrung;
  private int sweeps;

  // What lay in the record and in the first WQE when the queue began again or lost a doorbell,
  // until
  // a doorbell rings or the record moves.
  private boolean passedOver;
  private int recordBefore;
  private long requestBefore;
  private boolean signed;
  private boolean ignoresIdentity;

  // Where WQEs are fetched from: the ring, or what was read of it ahead.
  private long source;
  private long sourceMask;
  private @Nullable MemorySegment aheadMemory;

  // Behind the last WQEBB that was read ahead, if any was that is not fetched.
  private int ahead;

  /** What {@link #fetch} found. */
  public enum Fetch {
    /** Nothing is posted, or the window is full. */
    NOTHING,
    /** A WQE was fetched and its form is right. */
    WQE,
    /** What is posted can't be executed; the fault says why. */
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
      throw new IllegalArgumentException("the send queue does not lie inside its umem");
    }
    return ring;
  }

  /**
   * A managed send queue: it is executed up to an index that SEND_EN raises, and its doorbell.
   *
   * @param memory the umem that the ring lies in
   * @param ring address of the first WQEBB
   * @param logSize log2 of the number of WQEBBs, at most 15
   * @param record address of the queue pair's doorbell record
   */
  public static SendQueue managed(int qpn, Umem memory, long ring, int logSize, long record) {
    return new SendQueue(qpn, memory, checked(memory, ring, logSize), 1 << logSize, record, true);
  }

  /** Keeps the ring and the record of a queue of the device's own reachable. */
  @SuppressWarnings("UnusedVariable")
  private @Nullable MemorySegment ownMemory;

  /**
   * A send queue whose requests the device makes itself, in memory of its own.
   *
   * @param memory the umem that the queue pair names, which holds none of it
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
   * The send queue of a queue pair that has none: its producer counter lies in memory of its own
   * that stays zero, so nothing is ever posted.
   *
   * @param memory the umem that the queue pair's other queue lies in
   */
  public static SendQueue none(int qpn, Umem memory) {
    return new SendQueue(qpn, memory);
  }

  /** Asks for the signature of every WQE from now on. */
  public void requireSignatures() {
    signed = true;
  }

  /** True when every WQE must have its signature. */
  public boolean isSigned() {
    return signed;
  }

  /** Executes WQEs whatever index and QPN, and NOPs whatever opmod, their control segments have. */
  public void ignoreIdentity() {
    ignoresIdentity = true;
  }

  /** The opmod of a WQE, or 0 of one whose opmod means nothing here. */
  int opmod(long first) {
    boolean free = ignoresIdentity && ControlSegment.opcode(first) == WqeOpcode.NOP;
    return free ? 0 : ControlSegment.opmod(first);
  }

  /** True when SEND_EN raises the index up to which it is executed. */
  public boolean isManaged() {
    return most > wqebbs;
  }

  /** True for that of a queue pair that has none. */
  public boolean isNone() {
    return ring == snapshots;
  }

  /** Starts again at index 0, as the transition to RST does. */
  public void reset() {
    producer = 0;
    seen = 0;
    fetched = 0;
    retired = 0;
    ahead = 0;
    movedUnrung = false;
  }

  /**
   * Begins after a reset: what software left in the record tells of no request, unless its own
   * doorbell says so.
   */
  public void begin() {
    reset();
    passOver();
  }

  /**
   * Loses a doorbell: its request waits for the next one. Requests behind it, whose doorbell may be
   * rung by now, do not wait.
   */
  public void passOver(long doorbell) {
    if (isLast(doorbell)) {
      passOver();
    }
  }

  /** True for the doorbell of the last request that the record counts. */
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

  // The same count may also be that of requests which were posted since, by a doorbell that was
  // hidden: then there is another request at index 0.
  private boolean isLeftFromBefore(int now) {
    passedOver &= now == recordBefore && firstRequest() == requestBefore;
    return passedOver;
  }

  private long firstRequest() {
    return Memory.getLong(ring);
  }

  /**
   * Lets a managed queue be executed up to an index.
   *
   * @param index behind the last WQEBB, of which 16 bits count
   * @return false when it is not ahead of the index that was enabled before: nothing changes
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
   * Its doorbell rang: reads the record.
   *
   * @return true when there are new requests: the record moved since the last look, or, of a
   *     managed queue, is ahead of what is enabled
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
   * Reads the record though no doorbell of this queue was seen. A record that moved may be about to
   * be followed by its doorbell, so it counts from the second such look on. One that still holds
   * what it held at the {@link #begin} or {@link #passOver} does not count.
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
   * As {@link #lookUnrung}, of a queue whose doorbell would have been read by now.
   *
   * @return true when there are new requests
   */
  public boolean lookCovered() {
    return isUnrung() && !isLeftFromBefore(record()) && look();
  }

  /**
   * Posts what lies in the ring of a queue whose record is the device's own.
   *
   * @param index behind the last WQEBB
   */
  public void publish(int index) {
    Memory.putIntRelease(record + DoorbellRecord.SEND, index);
    look();
  }

  private int record() {
    return Memory.getIntAcquire(record + DoorbellRecord.SEND) & 0xffff;
  }

  /**
   * Says that the bytes of the send counter in the doorbell record are in the wrong order, if
   * reversed they count requests that the ring can hold; otherwise empty.
   */
  public String reversedRecord() {
    int word = Memory.getIntAcquire(record + DoorbellRecord.SEND);
    int whole = Integer.reverseBytes(word);
    return isPlausible(whole) ? reversed(word, whole) : "";
  }

  /** As {@link #reversedRecord}, of the counter alone, which was taken. */
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
   * Takes note of a register of its page that it rang.
   *
   * @return true when it rang on another one before
   */
  public boolean addRegister(int rang) {
    boolean roams = !mayRingOn(rang);
    registers |= 1 << rang;
    return roams;
  }

  /** False when it is known to ring on other registers only. */
  public boolean mayRingOn(int register) {
    return registers == 0 || (registers >> register & 1) != 0;
  }

  /**
   * True for the first 8 bytes of the WQE that is in the ring at the index that they name: a driver
   * rings with those.
   */
  public boolean isPosted(long doorbell) {
    return Memory.getLong(at(ControlSegment.wqeIndex(doorbell))) == doorbell;
  }

  /**
   * WQEBBs posted and not fetched; more than the ring holds when the doorbell record lies, or when
   * a managed queue is to be executed again.
   */
  public int pending() {
    return producer - fetched & 0xffff;
  }

  /**
   * The producer index, 16 bits: as last seen in the doorbell record, or, of a managed queue, the
   * enabled index.
   */
  public int producer() {
    return producer;
  }

  /** The send counter of the doorbell record when it was read last, 16 bits. */
  public int seen() {
    return seen;
  }

  /** True when a doorbell raised the producer index last, and not a SEND_EN. */
  public boolean isRung() {
    return rung;
  }

  /** True when the doorbell record has an index that no doorbell has told of yet. */
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

  /** The memory that the ring lies in, which this queue keeps reachable. */
  public Umem memory() {
    return memory;
  }

  public int size() {
    return wqebbs;
  }

  /**
   * Fetches the next WQE into a snapshot. On a fault nothing is fetched: {@link #nextIndex} still
   * names the WQE.
   *
   * @return what was found; the snapshot is at {@link #snapshot(int)} of the index that {@link
   *     #nextIndex} was before
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
    // What can't be executed takes a place, too: its completion in error.
    if ((fetched - retired & 0xffff) + Math.max(blocks, 1) > WINDOW) {
      return Fetch.NOTHING;
    }
    if (ds == 0 || blocks > pending || pending > most || !isOwn(first)) {
      if (ds != 0 && isManaged() && isOwn(first)) {
        // Only a part of it is enabled.
        return Fetch.NOTHING;
      }
      refuse(first, ds, blocks, pending, fault);
      return Fetch.FAULT;
    }
    copy(at, first, (long) ds << 4);
    fetched = fetched + blocks & 0xffff;
    return Fetch.WQE;
  }

  /** True when the control segment has the index and the queue of the next WQE. */
  private boolean isOwn(long first) {
    return ignoresIdentity
        || ControlSegment.wqeIndex(first) == fetched && ControlSegment.qpn(first) == qpn;
  }

  // The words that were checked are the words that will be executed: the first is stored as it was
  // read.
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

  /** Lets {@link #prefetch} read what is posted before it is fetched. */
  public void allowPrefetch() {
    long bytes = (long) WINDOW * ControlSegment.WQEBB_BYTES;
    aheadMemory = Arena.ofAuto().allocate(bytes, ControlSegment.WQEBB_BYTES);
    source = aheadMemory.address();
    sourceMask = bytes - 1;
  }

  /** Reads the next WQEBBs that are posted, so many at most: later changes of them don't count. */
  public void prefetch(int count) {
    if (aheadMemory == null) {
      return;
    }
    readUpTo(Math.min(Math.min(count, WINDOW), pending()));
  }

  /** Reads the next WQE, as far as that was not done before. */
  private void readNext() {
    readUpTo(1);
    long first = Memory.getLong(source + (((long) fetched << 6) & sourceMask));
    prefetch(ControlSegment.wqebbs(ControlSegment.ds(first)));
  }

  // One WQEBB after the other, each in words of 8 bytes.
  private void readUpTo(int count) {
    int read = ahead - fetched & INDEX_MASK;
    if (read > WINDOW) {
      // What was read ahead was passed over meanwhile.
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

  /** True when the ring has other bytes now than a WQE that was fetched and not retired. */
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
          VendorSyndrome.UNKNOWN,
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
          VendorSyndrome.UNKNOWN,
          "qp_num in the control segment is 0x%x, and should be 0x%x"
              .formatted(ControlSegment.qpn(first), qpn));
    } else if (ds == 0) {
      fault.set(
          Syndrome.LOCAL_QP_OP_ERR,
          VendorSyndrome.UNKNOWN,
          "ds in the control segment is 0; it counts the control segment itself, so it is at least"
              + " 1");
    } else {
      fault.set(
          Syndrome.LOCAL_QP_OP_ERR,
          VendorSyndrome.UNKNOWN,
          "ds %d makes the WQE %d WQEBBs long, but only %d are posted (doorbell record's send counter %d)"
              .formatted(ds, blocks, pending, producer));
    }
  }

  /**
   * Passes over the next posted WQE without executing it, as a flush does: by its own ds, or all
   * that is posted when that makes no sense.
   *
   * @return the first word of its control segment
   */
  public long skip() {
    long first = Memory.getLong(ring + (((long) fetched << 6) & byteMask));
    int blocks = ControlSegment.wqebbs(ControlSegment.ds(first));
    int step = blocks == 0 || blocks > pending() || pending() > most ? pending() : blocks;
    fetched = fetched + step & 0xffff;
    retired = fetched;
    return first;
  }

  /** Second word of the control segment of the WQE at an index in the ring, as it is there now. */
  public long secondWord(int index) {
    return Memory.getLong(ring + ((((long) index << 6) + 8) & byteMask));
  }

  /**
   * Reads the first word of the next {@link #AHEAD} WQEBBs, one right after the other: they lie in
   * the cache of the processor that posted them, and waiting for all at once costs hardly more than
   * waiting for one.
   *
   * @return how many WQEBBs that is; 0 when nothing is posted, more than the ring holds, or nothing
   *     that makes sense
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
   * Address in the ring of the WQEBB at an index, for one who reads each of its words once and
   * takes none of it for granted. It does not cross the end of the ring.
   */
  public long at(int index) {
    return ring + (((long) index << 6) & byteMask) & Memory.ADDRESS_BITS;
  }

  /** Fetches and retires the WQEs before an index, which were executed where they lie. */
  public void passTo(int index) {
    fetched = index;
    retired = index;
  }

  /** Address of the snapshot of the WQE that was fetched at this index. */
  public long snapshot(int index) {
    return snapshots + ((long) (index & WINDOW - 1) << 6);
  }

  /** Gives back the snapshot of the oldest WQE. */
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
