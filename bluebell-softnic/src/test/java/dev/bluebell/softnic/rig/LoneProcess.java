package dev.bluebell.softnic.rig;

import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.translation.Umem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Memory of another process, whose addresses mean nothing here, and which may be unmapped. It
 * copies pieces as late as allowed.
 */
public final class LoneProcess implements HcaForeignMemory {
  private static final long DISTANCE = 1L << 40;

  private final LoneMemory inside;
  private final List<BooleanSupplier> waiting = new ArrayList<>();
  private boolean gone;
  private boolean ended;
  private int calls;

  public LoneProcess(LoneChip chip, int bytes) {
    inside = chip.memory(bytes);
  }

  /** Its memory, as the process itself sees it. */
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
    ended = true;
  }

  /** Unmaps its memory. */
  public void unmap() {
    gone = true;
  }

  @Override
  public boolean hasEnded() {
    return ended;
  }

  /** Number of accesses, of one piece or of many together. */
  public int calls() {
    return calls;
  }

  @Override
  public boolean read(long address, long to, int bytes) {
    calls++;
    if (!gone) {
      Memory.copy(address - DISTANCE, to, bytes);
    }
    return !gone;
  }

  @Override
  public boolean write(long address, long from, int bytes) {
    calls++;
    if (!gone) {
      Memory.copy(from, address - DISTANCE, bytes);
    }
    return !gone;
  }

  @Override
  public void begin() {
    waiting.clear();
  }

  @Override
  public boolean readPiece(long address, long to, int bytes) {
    waiting.add(() -> read(address, to, bytes));
    return true;
  }

  @Override
  public boolean writePiece(long address, long from, int bytes) {
    waiting.add(() -> write(address, from, bytes));
    return true;
  }

  @Override
  public boolean finish() {
    int before = calls;
    boolean done = waiting.stream().allMatch(BooleanSupplier::getAsBoolean);
    calls = waiting.isEmpty() ? before : before + 1;
    waiting.clear();
    return done;
  }
}
