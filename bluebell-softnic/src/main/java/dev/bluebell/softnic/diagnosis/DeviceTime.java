package dev.bluebell.softnic.diagnosis;

import dev.bluebell.hca.memory.Memory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The device's cached clock: read once per duty cycle and shared by all units, because reading a
 * clock costs as much as executing a request. Nanoseconds; owned by the thread that runs the
 * engine.
 *
 * <p>It is read only after the first doorbell of the cycle was taken. If it were read before, the
 * thread could lose its processor in between for long, and a request would begin, and its timeouts
 * would run, from a time at which it was not posted yet.
 *
 * <p>It can be shown to clients in words of memory, big endian. Invariant: each is 8 bytes at a
 * multiple of 8 that stay mapped until {@link #hide}.
 */
public final class DeviceTime {
  private static final long[] NOWHERE = {};

  private final List<MemorySegment> shown = new ArrayList<>();
  private long[] addresses = NOWHERE;
  private LongSupplier clock = this::now;
  private boolean expired;
  private long now;

  public long now() {
    return now;
  }

  /** Uses this clock from now on. */
  public void follow(LongSupplier nanos) {
    clock = nanos;
  }

  /** Begins a duty cycle: {@link #renew} will read the clock once. */
  public void expire() {
    expired = true;
  }

  /** Reads the clock, unless it was already read in this duty cycle. */
  public void renew() {
    if (expired) {
      expired = false;
      set(clock.getAsLong());
    }
  }

  /** Reads the clock again, for times within a duty cycle. */
  public void refresh() {
    set(clock.getAsLong());
  }

  public void set(long nanos) {
    now = nanos;
    if (addresses.length > 0) {
      show(nanos);
    }
  }

  private void show(long nanos) {
    try {
      for (long address : addresses) {
        Memory.putLongRelease(address, nanos);
      }
      Memory.raiseFault();
    } catch (InternalError gone) {
      hideVanished();
    }
  }

  /**
   * Stops showing the time in words whose memory is gone: client processes share it, and can
   * truncate it. The JVM throws an InternalError where a native process gets SIGBUS.
   */
  private void hideVanished() {
    shown.removeIf(word -> !isThere(word));
    list();
  }

  private boolean isThere(MemorySegment word) {
    try {
      Memory.putLongRelease(word.address(), now);
      Memory.raiseFault();
      return true;
    } catch (InternalError gone) {
      return false;
    }
  }

  /** Shows the time in a word from now on. */
  public void show(MemorySegment word) {
    shown.add(word);
    list();
    set(now);
  }

  /** Stops showing the time in a word. */
  public void hide(MemorySegment word) {
    shown.remove(word);
    list();
  }

  private void list() {
    addresses = shown.stream().mapToLong(MemorySegment::address).toArray();
  }
}
