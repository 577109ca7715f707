package dev.bluebell.cli.perf;

import dev.bluebell.verbs.RemoteMemory;

/** Slots in memory of another process, which poisons and checks them itself. */
final class PeerWindow extends Window {

  /**
   * Describes slots.
   *
   * @param memory memory that the peer announced
   * @param header bytes before each slot, a multiple of 8
   * @throws IllegalArgumentException when the memory is too small for them
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
    // The peer poisons them.
  }

  @Override
  void fill(Payload payload, long first) {
    // Only messages can reach the peer's memory.
  }

  @Override
  public boolean holds(Payload payload, int count, long first) {
    return true;
  }
}
