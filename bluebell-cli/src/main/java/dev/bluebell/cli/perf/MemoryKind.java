package dev.bluebell.cli.perf;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static dev.bluebell.verbs.Access.RELAXED_ORDERING;
import static dev.bluebell.verbs.Access.REMOTE_ATOMIC;
import static dev.bluebell.verbs.Access.REMOTE_READ;
import static dev.bluebell.verbs.Access.REMOTE_WRITE;

import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.Locale;

/** Kinds of memory for arriving messages. */
enum MemoryKind {
  /** Memory of this process. */
  HOST(8 << 20),
  /** Memory of this process, with a key for relaxed ordering. */
  RELAXED(8 << 20),
  /** Memory of the device, which is small. */
  DEVICE(64 << 10);

  private final int maxBytes;

  MemoryKind(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Most bytes for all messages of a round. */
  int maxBytes() {
    return maxBytes;
  }

  /** Allocates memory with all remote rights. */
  MemoryRegion allocate(Device device, ProtectionDomain domain, long bytes) {
    return switch (this) {
      case HOST -> domain.allocate(bytes, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC);
      case RELAXED ->
          domain.allocate(
              bytes, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC, RELAXED_ORDERING);
      case DEVICE ->
          domain.register(
              device.allocateDeviceMemory(bytes),
              LOCAL_WRITE,
              REMOTE_WRITE,
              REMOTE_READ,
              REMOTE_ATOMIC);
    };
  }

  /** Name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
