package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.BigEndian.LONG;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.verbs.CompletionStatus;
import java.lang.foreign.MemorySegment;

/**
 * Reads a completion ring without the driver, in the right or in a wrong way.
 *
 * @param ring memory of all entries
 * @param stride size of an entry in bytes
 * @param offset offset in an entry of the 64 bytes to read
 */
record RawPoller(MemorySegment ring, int stride, int offset) {

  /** Reads entries of 64 bytes. */
  RawPoller(MemorySegment ring) {
    this(ring, Cqe.BYTES, 0);
  }

  /** Bytes 56–63 of the slot for a cumulative index. */
  long last(int index) {
    return ring.get(LONG, index * (long) stride % ring.byteSize() + offset + Cqe.LAST_WORD);
  }

  /** Byte 63 of that slot. */
  int opOwn(int index) {
    return (int) last(index) & 0xff;
  }

  /** True when the owner bit matches the index's pass round the ring. */
  boolean hasOwner(int index) {
    return Cqe.owner(last(index)) == (index / (int) (ring.byteSize() / stride) & 1);
  }

  /** True unless the opcode is that of a slot that was never written. */
  boolean hasOpcode(int index) {
    return Cqe.opcode(last(index)) != CqeOpcode.INVALID;
  }

  /** True when the slot holds a completion of the index's pass round the ring. */
  boolean sees(int index) {
    return hasOwner(index) && hasOpcode(index);
  }

  /** The failure in the slot, by its opcode. */
  String failure(int index) {
    return failure(index, CqeOpcode.name(Cqe.opcode(last(index))));
  }

  /** The failure in the slot, by its status in Java. */
  String status(int index) {
    return failure(index, CompletionStatus.ofSyndrome(Cqe.syndrome(errors(index))));
  }

  private String failure(int index, Object name) {
    return "%s, syndrome 0x%02x, vendor 0x%02x"
        .formatted(name, Cqe.syndrome(errors(index)), Cqe.vendorSyndrome(errors(index)));
  }

  /** Name of the syndrome in the slot. */
  String syndromeName(int index) {
    return Syndrome.name(Cqe.syndrome(errors(index)));
  }

  private long errors(int index) {
    return ring.get(LONG, index * (long) stride % ring.byteSize() + offset + Cqe.TIMESTAMP_WORD);
  }

  /** The fields of the slot as text. */
  String read(int index) {
    long last = last(index);
    return "op_own 0x%02x: opcode %s, owner %d; QPN 0x%x, wqe_counter %d"
        .formatted(
            opOwn(index),
            CqeOpcode.name(Cqe.opcode(last)),
            Cqe.owner(last),
            Cqe.qpn(last),
            Cqe.wqeCounter(last));
  }
}
