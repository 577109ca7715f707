package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.BigEndian.LONG;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import java.lang.foreign.MemorySegment;

/**
 * Reads a completion ring as programs do that poll by themselves, right or wrong.
 *
 * @param ring all entries
 * @param stride bytes of an entry
 * @param offset of the 64 bytes that are read in an entry
 */
record RawPoller(MemorySegment ring, int stride, int offset) {

  /** Reads entries of 64 bytes. */
  RawPoller(MemorySegment ring) {
    this(ring, Cqe.BYTES, 0);
  }

  /** Bytes 56–63 of the slot that a cumulative index has. */
  long last(int index) {
    return ring.get(LONG, index * (long) stride % ring.byteSize() + offset + Cqe.LAST_WORD);
  }

  /** Byte 63. */
  int opOwn(int index) {
    return (int) last(index) & 0xff;
  }

  /** True when the owner bit is that of an index's pass round the ring. */
  boolean hasOwner(int index) {
    return Cqe.owner(last(index)) == (index / (int) (ring.byteSize() / stride) & 1);
  }

  /** True when the opcode is not the one of slots that were never written. */
  boolean hasOpcode(int index) {
    return Cqe.opcode(last(index)) != CqeOpcode.INVALID;
  }

  /** True when the slot holds a completion of an index's pass round the ring. */
  boolean sees(int index) {
    return hasOwner(index) && hasOpcode(index);
  }

  /** The failure that the slot tells of. */
  String failure(int index) {
    return "%s, syndrome 0x%02x, vendor 0x%02x"
        .formatted(
            CqeOpcode.name(Cqe.opcode(last(index))),
            Cqe.syndrome(errors(index)),
            Cqe.vendorSyndrome(errors(index)));
  }

  /** Name of the syndrome that the slot has. */
  String syndromeName(int index) {
    return Syndrome.name(Cqe.syndrome(errors(index)));
  }

  private long errors(int index) {
    return ring.get(LONG, index * (long) stride % ring.byteSize() + offset + Cqe.TIMESTAMP_WORD);
  }

  /** How the slot reads. */
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
