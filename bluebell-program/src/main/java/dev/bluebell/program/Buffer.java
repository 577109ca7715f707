package dev.bluebell.program;

/**
 * Memory of the client for answers. Each call's message carries its address and key, so later
 * clients need nothing from the client that installed the program, and a client's key gives access
 * only to that client's memory.
 *
 * @param name unique among the buffers of its program
 * @param bytes its length in bytes
 * @param number its position among the buffers of its program, from 0
 * @param place the address, 8 bytes, and the key, 4 bytes, both in network order
 */
public record Buffer(String name, int bytes, int number, Input<Kind.Bytes> place) {
  /** Bytes of address and key. */
  public static final int PLACE_BYTES = Long.BYTES + Integer.BYTES;

  Buffer(String name, int bytes, int number) {
    this(name, bytes, number, new Input<>(name, PLACE_BYTES));
  }

  @Override
  public String toString() {
    return name;
  }
}
