package dev.bluebell.cli.perf;

/**
 * The places where the messages of a round arrive: a slot for each, so that no message hides
 * another.
 */
abstract class Window implements Landing {
  private final int slots;
  private final int stride;
  private final int header;
  private final long base;
  private final int rkey;

  /**
   * Describes slots.
   *
   * @param slots number of slots
   * @param size bytes of a message
   * @param header bytes before each slot, a multiple of 8
   * @param base address of the first
   * @param rkey key by which the peer names them
   */
  Window(int slots, int size, int header, long base, int rkey) {
    this.slots = slots;
    this.header = header;
    this.base = base;
    this.rkey = rkey;
    stride = stride(size, header);
  }

  /** Bytes of {@code slots} slots. */
  static long bytes(int slots, int size, int header) {
    return (long) slots * stride(size, header);
  }

  private static int stride(int size, int header) {
    return header - (-size & -Long.BYTES);
  }

  /** Fills all slots with poison, which no message contains. */
  abstract void poison();

  /** Writes a message into every slot, by plain memory copies. */
  abstract void fill(Payload payload, long first);

  final int slots() {
    return slots;
  }

  /** Offset of the message of a slot. */
  final long offset(int slot) {
    return (long) slot * stride + header;
  }

  /** Address of the message of a slot. */
  final long address(int slot) {
    return base + offset(slot);
  }

  /** Bytes in front of the message of a slot. */
  final int header() {
    return header;
  }

  /** Key by which the peer names the slots. */
  final int rkey() {
    return rkey;
  }
}
