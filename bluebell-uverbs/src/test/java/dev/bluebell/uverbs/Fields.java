package dev.bluebell.uverbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A structure as a test's client writes it: numbers at byte offsets, in the byte order of the
 * machine. Tests give the offsets themselves, so that they do not share mistakes with the
 * definitions that are tested.
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

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return bytes.length;
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

  Fields bytes(int at, byte[] value) {
    buffer.put(at, value);
    return this;
  }
}
