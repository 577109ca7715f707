package dev.bluebell.verbs.ring;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Checks requests whose bytes the application supplies. */
final class RawEntry {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private RawEntry() {}

  /** Checks the fields on which the queue relies, and that the service has such a request. */
  static void check(ServiceType service, MemorySegment entry) {
    long size = entry.byteSize();
    if (size < ControlSegment.BYTES
        || size > (long) ControlSegment.MAX_DS * ControlSegment.BYTES
        || size % ControlSegment.BYTES != 0) {
      throw new IllegalArgumentException(
          "a raw request has 16 to 1008 bytes in units of 16, not %d".formatted(size));
    }
    long first = entry.get(WORD, 0);
    int ds = ControlSegment.ds(first);
    if ((long) ds * ControlSegment.BYTES != size) {
      throw new IllegalArgumentException(
          "the ds of the raw request is %d, but its %d bytes need %d"
              .formatted(ds, size, size / ControlSegment.BYTES));
    }
    int opcode = ControlSegment.opcode(first);
    WqeForm form = WqeForm.of(service, opcode, ControlSegment.opmod(first));
    if (form == null) {
      throw new IllegalArgumentException(
          "a raw request with opcode %s and opmod 0x%02x does not exist in service %s"
              .formatted(WqeOpcode.name(opcode), ControlSegment.opmod(first), service));
    }
    if (size < form.fixedBytes()) {
      throw new IllegalArgumentException(
          "a raw %s has at least %d bytes, not %d"
              .formatted(WqeOpcode.name(opcode), form.fixedBytes(), size));
    }
  }
}
