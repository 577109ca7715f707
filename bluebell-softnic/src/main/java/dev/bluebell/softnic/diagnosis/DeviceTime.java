package dev.bluebell.softnic.diagnosis;

import dev.bluebell.hca.memory.Memory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The device's own view of time: read from the clock once a duty cycle and then shared by all
 * units, because reading a clock costs as much as executing a request. Nanoseconds; owned by
 * whoever runs the engine.
 *
 * <p>It can be shown to others in words of memory, big endian. Invariant: each is 8 bytes at a
 * multiple of 8 that stay mapped until {@link #hide}.
 */
public final class DeviceTime {
  private static final long[] NOWHERE = {};

  private final List<MemorySegment> shown = new ArrayList<>();
  private long[] addresses = NOWHERE;
  private long now;

  public long now() {
    return now;
  }

  public void set(long nanos) {
    now = nanos;
    for (long address : addresses) {
      Memory.putLongRelease(address, nanos);
    }
  }

  /** Shows the time in a word from now on. */
  public void show(MemorySegment word) {
    shown.add(word);
    list();
    Memory.putLongRelease(word.address(), now);
  }

  /** Leaves a word alone from now on. */
  public void hide(MemorySegment word) {
    shown.remove(word);
    list();
  }

  private void list() {
    addresses = shown.stream().mapToLong(MemorySegment::address).toArray();
  }
}
