package dev.bluebell.softnic.transport;

import dev.bluebell.hca.wqe.ControlSegment;

/**
 * The work requests of one send queue that were fetched and are not complete, oldest first: numbers
 * in one array, because every message passes through here. Entries are named by ever-growing
 * counters.
 */
final class Outstanding {
  /** One WQE has at least one WQEBB, so the snapshot window bounds the entries. */
  private static final int CAPACITY = 64;

  private static final int FIELDS = 8;
  private static final int INDEX = 0;
  private static final int OPCODE = 1;
  private static final int CONTROL = 2;
  private static final int DS = 3;
  private static final int FIRST_PSN = 4;
  private static final int END_PSN = 5;
  private static final int BYTES = 6;

  private final int[] numbers = new int[CAPACITY * FIELDS];
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
    numbers[base + INDEX] = wqeIndex;
    numbers[base + OPCODE] = opcode;
    numbers[base + CONTROL] = control;
    numbers[base + DS] = ds;
    numbers[base + FIRST_PSN] = firstPsn;
    numbers[base + END_PSN] = endPsn;
    numbers[base + BYTES] = bytes;
  }

  void pop() {
    head++;
  }

  int wqeIndex(int entry) {
    return numbers[base(entry) + INDEX];
  }

  int opcode(int entry) {
    return numbers[base(entry) + OPCODE];
  }

  /** fm_ce_se of the control segment. */
  int control(int entry) {
    return numbers[base(entry) + CONTROL];
  }

  /** Bytes of the WQE; 0 for one that could not be fetched. */
  int wqeBytes(int entry) {
    return numbers[base(entry) + DS] * ControlSegment.BYTES;
  }

  int wqebbs(int entry) {
    return ControlSegment.wqebbs(numbers[base(entry) + DS]);
  }

  int firstPsn(int entry) {
    return numbers[base(entry) + FIRST_PSN];
  }

  /** PSN behind the entry's last; equal to the first for a request that sends nothing. */
  int endPsn(int entry) {
    return numbers[base(entry) + END_PSN];
  }

  int bytes(int entry) {
    return numbers[base(entry) + BYTES];
  }

  private static int base(int entry) {
    return (entry & CAPACITY - 1) * FIELDS;
  }
}
