package dev.bluebell.softnic.queue;

import dev.bluebell.softnic.engine.Scratch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A buffer of the device for payload that comes from another process. Its contents are used up
 * within the same step, so one buffer suffices. Owned by the thread that runs the engine.
 */
public final class Staging implements Scratch {
  private static final int ALIGNMENT = 64;

  private MemorySegment memory = Arena.ofAuto().allocate(ALIGNMENT, ALIGNMENT);

  /** Address of a buffer of at least {@code bytes}; its previous contents are lost. */
  public long of(int bytes) {
    if (bytes > memory.byteSize()) {
      memory = Arena.ofAuto().allocate(bytes, ALIGNMENT);
    }
    return memory.address();
  }

  @Override
  public Object leave() {
    MemorySegment left = memory;
    memory = Arena.ofAuto().allocate(ALIGNMENT, ALIGNMENT);
    return left;
  }

  @Override
  public void takeBack(Object left) {
    memory = (MemorySegment) left;
  }
}
