package dev.bluebell.conformance.vectors;

/**
 * What was written to a BlueFlame register by one ring.
 *
 * @param offset of the buffer in the register
 */
record Doorbell(int offset, byte[] bytes) {

  /** Kind and place in the words of the vectors. */
  String shape() {
    return "%s at offset %d".formatted(bytes.length == Long.BYTES ? "db64" : "blueflame", offset);
  }
}
