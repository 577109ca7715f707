package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.softnic.translation.Umem;
import java.lang.foreign.MemorySegment;

/**
 * The checked place of an object's ring or doorbell record inside a umem. This check makes the raw
 * accesses of queues safe.
 *
 * @param umem the memory
 * @param address of the first byte
 */
record Placement(Umem umem, long address) {

  /** Prefix of the fields of a memory key, whose memory may belong to another process. */
  static final String MKEY = "mkey";

  /**
   * Places {@code bytes} at {@code offset} of a umem.
   *
   * @param prefix of the field names, such as {@code cq} or {@code dbr}
   * @param fields the fields that offset and length come from, for explanations
   */
  static Placement of(
      Inventory inventory,
      String prefix,
      String fields,
      boolean valid,
      int umemId,
      long offset,
      long bytes,
      int alignment) {
    requireValid(
        valid, "%s_umem_valid is 0; this device reaches queues only through umems", prefix);
    Umem umem = inventory.umem(prefix, umemId);
    requireValid(
        umem.contains(offset, bytes),
        "%s: offset 0x%x with %d bytes reaches outside umem %d, which has %d; check %s_umem_id and"
            + " %s",
        prefix,
        offset,
        bytes,
        umemId,
        umem.length(),
        prefix,
        fields);
    requireValid(
        !umem.isForeign() || prefix.equals(MKEY),
        "%s: umem %d is memory of another process, which only memory keys can name",
        prefix,
        umemId);
    long address = umem.address() + offset;
    requireValid(
        address % alignment == 0,
        "%s: offset 0x%x is at an address that is not a multiple of %d bytes; check %s",
        prefix,
        offset,
        alignment,
        fields);
    return new Placement(umem, address);
  }

  /** The place of an object without memory. */
  static Placement none() {
    return new Placement(new Umem(0, MemorySegment.NULL), 0);
  }

  /** Changes the number of objects that live in the memory. */
  void use(int delta) {
    umem.use(delta);
  }

  /** Bytes that a context's page_offset stands for: units of a 64th of a page. */
  static long pageOffsetBytes(int pageOffset, int logPageSize) {
    return (long) pageOffset * (64L << logPageSize);
  }
}
