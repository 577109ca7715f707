package dev.bluebell.cli.perf;

import dev.bluebell.verbs.RemoteMemory;

/** Slots in memory of another process, which fills them with poison and looks at them itself. */
final class PeerWindow extends Window {

  /**
   * Describes slots.
   *
   * @param memory that the peer says that it has
   * @param header bytes in front of each, a multiple of 8
   * @throws IllegalArgumentException when it has no room for them
   */
  PeerWindow(RemoteMemory memory, int slots, int size, int header) {
    super(slots, size, header, memory.address(), memory.rkey());
    if (memory.length() < bytes(slots, size, header)) {
      throw new IllegalArgumentException(
          "%d bytes are too few for %d messages of %d".formatted(memory.length(), slots, size));
    }
  }

  @Override
  void poison() {
    // The peer does.
  }

  @Override
  void fill(Payload payload, long first) {
    // There is no way to but by messages.
  }

  @Override
  public boolean holds(Payload payload, int count, long first) {
    return true;
  }
}
