package dev.bluebell.cli.trace;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A protobuf message, written field by field. A trace needs five messages of some twenty fields:
 * generated code and its run-time library would be a hundred times as large as this.
 */
final class ProtoMessage {
  // Wire types of the protobuf encoding.
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH = 2;

  private static final int TYPE_BITS = 3;
  private static final int MORE = 0x80;
  private static final int GROUP_BITS = 7;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Writes a field of type uint64, int64, uint32, bool or an enum. */
  ProtoMessage put(int field, long value) {
    varint((long) field << TYPE_BITS | VARINT);
    varint(value);
    return this;
  }

  /** Writes a field of type fixed64. */
  ProtoMessage putFixed(int field, long value) {
    varint((long) field << TYPE_BITS | FIXED64);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      bytes.write((int) (value >>> shift));
    }
    return this;
  }

  ProtoMessage put(int field, String value) {
    return put(field, value.getBytes(StandardCharsets.UTF_8));
  }

  ProtoMessage put(int field, ProtoMessage value) {
    return put(field, value.bytes());
  }

  private ProtoMessage put(int field, byte[] value) {
    varint((long) field << TYPE_BITS | LENGTH);
    varint(value.length);
    bytes.writeBytes(value);
    return this;
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & -MORE) != 0) {
      bytes.write((int) rest & MORE - 1 | MORE);
      rest >>>= GROUP_BITS;
    }
    bytes.write((int) rest);
  }

  /** The bytes written so far. */
  byte[] bytes() {
    return bytes.toByteArray();
  }
}
