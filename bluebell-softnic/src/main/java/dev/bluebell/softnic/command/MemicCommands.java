package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.found;
import static dev.bluebell.softnic.command.CommandFailure.require;
import static dev.bluebell.softnic.command.CommandFailure.requireUnused;
import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicIn;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicOut;
import dev.bluebell.hca.command.MemoryCommands.DeallocMemicIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.translation.Umem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * ALLOC_MEMIC and DEALLOC_MEMIC. Every allocation has its own pages of the BAR, so that a client
 * that maps one sees nothing of another.
 */
final class MemicCommands {
  private final DeviceMemory memory;

  // The BAR's bytes for commands that supply no memory of their own.
  private @Nullable MemorySegment own;

  MemicCommands(DeviceMemory memory) {
    this.memory = memory;
  }

  View allocate(View in) {
    MemorySegment window = own;
    if (window == null) {
      window = Arena.ofAuto().allocate(Limits.MEMIC_BAR_BYTES, Limits.MEMIC_PAGE_BYTES);
      own = window;
    }
    return allocate(in, window);
  }

  /**
   * @param window the BAR's bytes for this allocation
   */
  View allocate(View in, MemorySegment window) {
    int alignment = in.getInt(AllocMemicIn.LOG_MEMIC_ADDR_ALIGNMENT);
    requireValid(
        alignment <= Limits.LOG_MAX_MEMIC_ALIGNMENT,
        "log_memic_addr_alignment %d: this device aligns to 64 * 2^%d bytes at most",
        alignment,
        Limits.LOG_MAX_MEMIC_ALIGNMENT);
    long bytes = in.get(AllocMemicIn.MEMIC_SIZE);
    requireValid(
        bytes > 0
            && bytes <= Limits.MAX_MEMIC_BYTES
            && bytes % (1 << Limits.LOG_MIN_MEMIC_BYTES) == 0,
        "memic_size %d is not valid: it must be a multiple of 64 bytes, at most %d",
        bytes,
        Limits.MAX_MEMIC_BYTES);
    long start = in.get(AllocMemicIn.RANGE_START_ADDR);
    long range = in.get(AllocMemicIn.RANGE_SIZE);
    requireValid(
        DeviceMemory.isInBar(start, range),
        "range_start_addr 0x%x with range_size %d reaches outside the BAR, which is [0x%x, 0x%x)",
        start,
        range,
        Limits.MEMIC_BAR_START,
        Limits.MEMIC_BAR_START + Limits.MEMIC_BAR_BYTES);
    long address = memory.allocate(start, range, bytes, window);
    require(
        address >= 0,
        CommandStatus.NO_RES,
        "range_start_addr 0x%x with range_size %d has too few contiguous free pages for memic_size"
            + " %d; free device memory, or request less",
        start,
        range,
        bytes);
    return View.of(AllocMemicOut.STRUCTURE).set(AllocMemicOut.MEMIC_START_ADDR, address);
  }

  View deallocate(View in) {
    long address = in.get(DeallocMemicIn.MEMIC_START_ADDR);
    Umem umem =
        found(
            memory.at(address), "memic_start_addr 0x%x is not the start of device memory", address);
    requireValid(
        in.get(DeallocMemicIn.MEMIC_SIZE) == umem.length(),
        "memic_size %d: the device memory at memic_start_addr 0x%x has %d bytes",
        in.get(DeallocMemicIn.MEMIC_SIZE),
        address,
        umem.length());
    requireUnused(
        umem.users(),
        "the device memory at 0x%x still has memory keys (%d); destroy them first",
        address);
    memory.free(address, umem);
    return Firmware.ok();
  }
}
