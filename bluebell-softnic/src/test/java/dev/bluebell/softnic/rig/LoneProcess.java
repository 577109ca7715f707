package dev.bluebell.softnic.rig;

import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.translation.Umem;

/** Memory of another process, whose addresses mean nothing here, and which may go away. */
public final class LoneProcess implements HcaForeignMemory {
  private static final long DISTANCE = 1L << 40;

  private final LoneMemory inside;
  private boolean gone;

  public LoneProcess(LoneChip chip, int bytes) {
    inside = chip.memory(bytes);
  }

  /** Its memory, as it sees it itself. */
  public LoneMemory inside() {
    return inside;
  }

  /** Its memory as the device knows it: by a key, and by addresses of the other process. */
  public LoneMemory register(LoneChip chip, int rights) {
    LoneMemory outside =
        new LoneMemory(Umem.foreign(0x77, this, address(0), inside.umem().length()));
    outside.register(chip.keys(), new LoneKey().rights(rights));
    return outside;
  }

  /** Address of a byte in the other process. */
  public long address(long offset) {
    return inside.address(offset) + DISTANCE;
  }

  /** Ends the process. */
  public void end() {
    gone = true;
  }

  @Override
  public boolean read(long address, long to, int bytes) {
    if (!gone) {
      Memory.copy(address - DISTANCE, to, bytes);
    }
    return !gone;
  }

  @Override
  public boolean write(long address, long from, int bytes) {
    if (!gone) {
      Memory.copy(from, address - DISTANCE, bytes);
    }
    return !gone;
  }
}
