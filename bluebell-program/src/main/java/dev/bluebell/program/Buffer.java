package dev.bluebell.program;

/**
 * Memory of the client that answers are written to. The client says with each call where it is:
 * address and key come with the message, so a client that comes later needs nothing of who
 * installed the program, and a key of the client's names nothing that is not the client's own.
 *
 * @param name unique among the buffers of its program
 * @param bytes its length
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
