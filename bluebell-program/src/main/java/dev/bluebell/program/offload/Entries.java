package dev.bluebell.program.offload;

import java.util.Arrays;

/** Checks what is put into the tables of the services, and the keys that are asked for. */
final class Entries {
  private Entries() {}

  /**
   * Checks a key.
   *
   * @param zero what the key 0 stands for
   */
  static void checkKey(byte[] key, int bytes, String zero) {
    if (key.length != bytes || Arrays.equals(key, new byte[bytes])) {
      throw new IllegalArgumentException(
          "a key has %d bytes and is not 0, which stands for %s".formatted(bytes, zero));
    }
  }

  static void checkValue(byte[] value, int bytes) {
    if (value.length != bytes) {
      throw new IllegalArgumentException(
          "a value has %d bytes, not %d".formatted(bytes, value.length));
    }
  }
}
