package dev.bluebell.softnic.queue;

import dev.bluebell.softnic.engine.Scratch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory of the device through which payload passes that comes from another process. What is put
 * here is used up within the same step, so one suffices. Owned by the thread that runs the engine.
 */
public final class Staging implements Scratch {
  private static final int ALIGNMENT = 64;

  private MemorySegment memory = Arena.ofAuto().allocate(ALIGNMENT, ALIGNMENT);

  /** Address of at least {@code bytes}; what was at the address before is lost. */
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
