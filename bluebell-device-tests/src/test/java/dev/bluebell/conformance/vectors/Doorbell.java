package dev.bluebell.conformance.vectors;

/**
 * The bytes that one doorbell wrote to a BlueFlame register.
 *
 * @param offset of the buffer in the register
 */
record Doorbell(int offset, byte[] bytes) {

  /** Kind and offset in the terms of the vectors. */
  String shape() {
    return "%s at offset %d".formatted(bytes.length == Long.BYTES ? "db64" : "blueflame", offset);
  }
}
