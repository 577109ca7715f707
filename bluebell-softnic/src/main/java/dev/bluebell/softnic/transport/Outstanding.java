package dev.bluebell.softnic.transport;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.softnic.queue.WqeForm;

/**
 * The work requests of one send queue that were fetched and are not complete, oldest first: numbers
 * in one array, because every message passes through here. Entries are named by ever-growing
 * counters.
 */
final class Outstanding {
  /** One WQE has at least one WQEBB, so the snapshot window bounds the entries. */
  private static final int CAPACITY = 64;

  // Three words an entry: WQE index (16), opcode (8), control (8), ds (8); PSNs (24 each); bytes.
  private static final int WORDS = 4;

  private final long[] words = new long[CAPACITY * WORDS];
  private int head;
  private int tail;

  void clear() {
    head = tail;
  }

  boolean isEmpty() {
    return head == tail;
  }

  /** Counter of the oldest entry. */
  int head() {
    return head;
  }

  /** Counter behind the youngest entry. */
  int tail() {
    return tail;
  }

  void push(int wqeIndex, int opcode, int control, int ds, int firstPsn, int endPsn, int bytes) {
    int base = base(tail++);
    words[base] = (long) wqeIndex << 32 | opcode << 16 | control << 8 | ds;
    words[base + 1] = (long) firstPsn << 32 | endPsn;
    words[base + 2] = bytes;
  }

  void pop() {
    head++;
  }

  int wqeIndex(int entry) {
    return (int) (words[base(entry)] >>> 32);
  }

  int opcode(int entry) {
    return (int) words[base(entry)] >>> 16 & 0xff;
  }

  /** fm_ce_se of the control segment. */
  int control(int entry) {
    return (int) words[base(entry)] >>> 8 & 0xff;
  }

  private int ds(int entry) {
    return (int) words[base(entry)] & 0xff;
  }

  /** Bytes of the WQE; 0 for one that could not be fetched. */
  int wqeBytes(int entry) {
    return ds(entry) * ControlSegment.BYTES;
  }

  int wqebbs(int entry) {
    return ControlSegment.wqebbs(ds(entry));
  }

  int firstPsn(int entry) {
    return (int) (words[base(entry) + 1] >>> 32);
  }

  /** PSN behind the entry's last; equal to the first for a request that sends nothing. */
  int endPsn(int entry) {
    return (int) words[base(entry) + 1];
  }

  /** True for a READ or atomic whose answer has not come, when PSNs before this have. */
  boolean isUnanswered(int entry, int unacked) {
    return WqeForm.fetches(opcode(entry)) && Psn.distance(unacked, endPsn(entry)) > 0;
  }

  int bytes(int entry) {
    return (int) words[base(entry) + 2];
  }

  private static int base(int entry) {
    return (entry & CAPACITY - 1) * WORDS;
  }
}
