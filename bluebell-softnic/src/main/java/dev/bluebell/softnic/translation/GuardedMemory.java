package dev.bluebell.softnic.translation;

import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.softnic.engine.ForeignCopies;
import dev.bluebell.softnic.engine.Program;

/**
 * Memory of another process that may make whoever touches it wait: the device goes on without the
 * turn that does. Owned by whoever runs the engine.
 */
public final class GuardedMemory implements HcaForeignMemory {
  private final HcaForeignMemory memory;
  private final Program program;
  private final ForeignCopies copies;

  /**
   * @param program whose memory it is
   */
  public GuardedMemory(HcaForeignMemory memory, Program program, ForeignCopies copies) {
    this.memory = memory;
    this.program = program;
    this.copies = copies;
  }

  @Override
  public boolean read(long address, long to, int bytes) {
    long copy = copies.begin(program);
    if (copy == ForeignCopies.REFUSED) {
      return false;
    }
    try {
      return memory.read(address, to, bytes);
    } finally {
      copies.end(copy);
    }
  }

  @Override
  public boolean write(long address, long from, int bytes) {
    long copy = copies.begin(program);
    if (copy == ForeignCopies.REFUSED) {
      return false;
    }
    try {
      return memory.write(address, from, bytes);
    } finally {
      copies.end(copy);
    }
  }
}
