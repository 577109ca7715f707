package dev.bluebell.uverbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A structure of the kernel's interface: fields at byte offsets, in the byte order of the machine.
 * Unsigned values come as wider ones where they would not fit. A structure that is shorter than a
 * field reads as zero there, as the kernel extends what older programs send.
 */
final class Fields {
  private final byte[] bytes;
  private final ByteBuffer buffer;

  private Fields(byte[] bytes) {
    this.bytes = bytes;
    buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  }

  static Fields of(int size) {
    return new Fields(new byte[size]);
  }

  static Fields over(byte[] bytes) {
    return new Fields(bytes);
  }

  /** As {@link #over}, extended with zeros to at least {@code size} bytes. */
  static Fields atLeast(byte[] bytes, int size) {
    return new Fields(bytes.length < size ? Arrays.copyOf(bytes, size) : bytes);
  }

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return bytes.length;
  }

  int u8(int at) {
    return buffer.get(at) & 0xff;
  }

  int u16(int at) {
    return buffer.getShort(at) & 0xffff;
  }

  int u32(int at) {
    return buffer.getInt(at);
  }

  long u64(int at) {
    return buffer.getLong(at);
  }

  Fields u8(int at, int value) {
    buffer.put(at, (byte) value);
    return this;
  }

  Fields u16(int at, int value) {
    buffer.putShort(at, (short) value);
    return this;
  }

  Fields u32(int at, int value) {
    buffer.putInt(at, value);
    return this;
  }

  Fields u64(int at, long value) {
    buffer.putLong(at, value);
    return this;
  }

  byte[] bytes(int at, int count) {
    return Arrays.copyOfRange(bytes, at, at + count);
  }

  Fields bytes(int at, byte[] value) {
    buffer.put(at, value);
    return this;
  }
}
