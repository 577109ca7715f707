package dev.bluebell.softnic.queue;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.InlineSegment;
import dev.bluebell.softnic.translation.KeyRefusals;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.SegmentList;

/**
 * Reads the list of data and inline segments at the end of a work queue entry. Works on the
 * device's own snapshot of the entry, at addresses {@code [from, to)}, both multiples of 16.
 */
public final class DataSegments {
  private DataSegments() {}

  /**
   * Checks the form of a list and adds up its length.
   *
   * @return bytes of all segments together; −1 with {@code fault} set when the list is malformed
   */
  public static long measure(long from, long to, boolean inlineAllowed, Fault fault) {
    long total = 0;
    for (long at = from; at < to; ) {
      long first = Memory.getLong(at);
      if (first >= 0) {
        total += DataSegment.length(first);
        at += DataSegment.BYTES;
        continue;
      }
      int length = (int) (first >>> 32) & ~InlineSegment.FLAG;
      long bytes = (long) InlineSegment.ds(length) << 4;
      if (!inlineAllowed) {
        fault.set(
            Syndrome.LOCAL_QP_OP_ERR,
            "byte_count of a data segment has bit 31 set, which marks inline data, but this opcode"
                + " does not take inline data");
        return -1;
      }
      if (length > InlineSegment.LENGTH_MASK || bytes > to - at) {
        fault.set(
            Syndrome.LOCAL_LENGTH_ERR,
            "the inline segment's byte_count %d does not fit the %d bytes that ds leaves for it"
                .formatted(length, to - at - InlineSegment.HEADER_BYTES));
        return -1;
      }
      total += length;
      at += bytes;
    }
    return total;
  }

  /**
   * Translates bytes {@code [skip, skip + bytes)} of the message that the list describes. The list
   * was measured before.
   *
   * @param pd protection domain of queue pair {@code qpn}
   * @param rights the rights that the queue pair needs of each key
   * @return true when {@code out} holds all of them; false with {@code fault} set and {@code out}
   *     empty when a key refuses
   */
  public static boolean collect(
      long from,
      long to,
      long skip,
      long bytes,
      KeyTable keys,
      int pd,
      int qpn,
      int rights,
      SegmentList out,
      Fault fault) {
    out.clear();
    if (to - from == DataSegment.BYTES) {
      long first = Memory.getLong(from);
      if (first >= 0 && bytes > 0) {
        return collectOne(
            first, Memory.getLong(from + 8), skip, (int) bytes, keys, pd, qpn, rights, out, fault);
      }
    }
    long before = skip;
    long left = bytes;
    int segment = -1;
    for (long at = from; at < to && left > 0; ) {
      long first = Memory.getLong(at);
      long length;
      long data;
      segment++;
      if (first < 0) {
        int inline = InlineSegment.length((int) (first >>> 32));
        length = inline;
        data = at + InlineSegment.HEADER_BYTES + before;
        at += (long) InlineSegment.ds(inline) << 4;
      } else {
        length = DataSegment.length(first);
        data = 0;
        at += DataSegment.BYTES;
      }
      if (before >= length) {
        before -= length;
        continue;
      }
      int n = (int) Math.min(length - before, left);
      if (first >= 0) {
        long address = Memory.getLong(at - DataSegment.BYTES + 8) + before;
        if (!add(first, address, n, keys, pd, qpn, rights, out)) {
          out.clear();
          refuse(keys, first, address - before, before, n, pd, qpn, rights, segment, fault);
          return false;
        }
      } else {
        out.add(data, n);
      }
      left -= n;
      before = 0;
    }
    return true;
  }

  // Nearly every message has exactly one pointer.
  private static boolean collectOne(
      long first,
      long address,
      long skip,
      int bytes,
      KeyTable keys,
      int pd,
      int qpn,
      int rights,
      SegmentList out,
      Fault fault) {
    if (add(first, address + skip, bytes, keys, pd, qpn, rights, out)) {
      return true;
    }
    refuse(keys, first, address, skip, bytes, pd, qpn, rights, 0, fault);
    return false;
  }

  private static boolean add(
      long first,
      long address,
      int bytes,
      KeyTable keys,
      int pd,
      int qpn,
      int rights,
      SegmentList out) {
    int lkey = DataSegment.lkey(first);
    long data = keys.translate(lkey, address, bytes, pd, rights);
    if (data != KeyTable.REFUSED) {
      out.add(data, bytes);
      return true;
    }
    return keys.resolve(lkey, address, bytes, pd, qpn, rights, out);
  }

  /**
   * Checks the access of a list with a single data segment, however long it is. Keys that this key
   * names may still refuse.
   *
   * @return false with {@code fault} set when the key refuses
   */
  public static boolean isAllowed(
      long segment, KeyTable keys, int pd, int qpn, int rights, Fault fault) {
    long first = Memory.getLong(segment);
    long address = Memory.getLong(segment + 8);
    int bytes = (int) DataSegment.length(first);
    if (keys.allows(DataSegment.lkey(first), address, bytes, pd, qpn, rights)) {
      return true;
    }
    refuse(keys, first, address, 0, bytes, pd, qpn, rights, 0, fault);
    return false;
  }

  /**
   * Sets the fault of a list whose keys allowed the access but whose memory could not be reached.
   */
  public static void refuseUnreachable(SegmentList list, Fault fault) {
    fault.set(
        Syndrome.LOCAL_PROT_ERR,
        VendorSyndrome.LOCAL_PROTECTION,
        KeyRefusals.unreachable("lkey", list.failedKey(), list));
  }

  /**
   * Sets the fault of an access to a part of a segment. Long messages are read in parts, so the
   * part that fails is named with the whole.
   *
   * @param address of the segment
   * @param skip bytes of it before the part
   */
  private static void refuse(
      KeyTable keys,
      long first,
      long address,
      long skip,
      int bytes,
      int pd,
      int qpn,
      int rights,
      int segment,
      Fault fault) {
    int lkey = DataSegment.lkey(first);
    fault.set(
        Syndrome.LOCAL_PROT_ERR,
        VendorSyndrome.LOCAL_PROTECTION,
        "data segment %d (%sbyte_count %d%s): %s"
            .formatted(
                segment,
                skip == 0 ? "" : "address 0x%x, ".formatted(address),
                DataSegment.length(first),
                skip == 0 ? "" : ", from byte %d on".formatted(skip),
                keys.refusal("lkey", lkey, address + skip, bytes, pd, qpn, rights)));
  }
}
