package dev.bluebell.uverbs.mr;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.Capabilities.DeviceMemCap;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicIn;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicOut;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.SharedMemory;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.session.Capabilities;
import dev.bluebell.uverbs.session.Handles;
import dev.bluebell.uverbs.session.Session;

/**
 * Device memory (MEMIC) that the client maps. Mirrors {@code mlx5_ib dm.c}.
 *
 * @param memory the device's object
 * @param address of the first byte in the device's BAR
 * @param page of the BAR that holds it, counted from where device memory begins
 * @param length bytes that the client asked for
 */
record Dm(HcaObject memory, long address, int page, long length) implements Handles.Held {
  /** MLX5_MEMIC_BASE_ALIGN: alignments are at least 2 to the power of this. */
  private static final int LOG_BASE = 6;

  /**
   * Allocates device memory; its handle is not given yet.
   *
   * @param logAlignment the address is a multiple of 2 to the power of this
   */
  static Dm allocate(Session session, long length, int logAlignment) {
    View capabilities = Capabilities.deviceMemory(session.hca());
    Refusal.require(
        capabilities.isSet(DeviceMemCap.MEMIC),
        Errno.EOPNOTSUPP,
        "the device has no memory of its own");
    HcaObject memory = allocate(session, capabilities, length, logAlignment);
    long address = View.over(memory.output()).get(AllocMemicOut.MEMIC_START_ADDR);
    long offset = address - capabilities.get(DeviceMemCap.MEMIC_BAR_START_ADDR);
    try {
      session.pages().makeDeviceMemory(offset, length);
    } catch (RuntimeException e) {
      memory.close();
      throw e;
    }
    return new Dm(memory, address, (int) (offset / SharedMemory.PAGE_BYTES), length);
  }

  // The kernel chooses free pages itself. Here, a context does not know the pages of others, so the
  // device chooses.
  private static HcaObject allocate(
      Session session, View capabilities, long length, int logAlignment) {
    long bytes = length + (1 << LOG_BASE) - 1 & -(1 << LOG_BASE);
    long bar = capabilities.get(DeviceMemCap.MEMIC_BAR_SIZE);
    Refusal.require(bytes != 0, Errno.EINVAL, "a DM can't have %d bytes", length);
    Refusal.require(
        Long.compareUnsigned(bytes, bar) <= 0,
        Errno.ENOMEM,
        "a DM can't have %s bytes, because the device has %d",
        Long.toUnsignedString(length),
        bar);
    long alignment = Math.max(0, (logAlignment & 0xffffffffL) - LOG_BASE);
    Refusal.require(
        alignment <= capabilities.get(DeviceMemCap.LOG_MAX_MEMIC_ADDR_ALIGNMENT),
        Errno.EINVAL,
        "the device can't align a DM to 2^%s bytes",
        Integer.toUnsignedString(logAlignment));
    byte[] command =
        View.command(AllocMemicIn.STRUCTURE, CommandOpcode.ALLOC_MEMIC)
            .set(AllocMemicIn.LOG_MEMIC_ADDR_ALIGNMENT, alignment)
            .set(AllocMemicIn.RANGE_START_ADDR, capabilities.get(DeviceMemCap.MEMIC_BAR_START_ADDR))
            .set(AllocMemicIn.RANGE_SIZE, bar)
            .set(AllocMemicIn.MEMIC_SIZE, bytes)
            .bytes();
    try {
      return session.hca().allocateDeviceMemory(command, session.pages().deviceMemory(bar));
    } catch (HcaException refusal) {
      Refusal.require(
          refusal.status() != CommandStatus.NO_RES,
          Errno.ENOMEM,
          "the memory of the device, which all clients share, has no %d free bytes in a row",
          length);
      throw refusal;
    }
  }

  /** Offset of the first byte in its page. */
  int startOffset() {
    return (int) (address % SharedMemory.PAGE_BYTES);
  }

  @Override
  public int rank() {
    return ObjectKind.DEVICE_MEMORY.ordinal();
  }

  // The device refuses while memory keys refer to it.
  @Override
  public void destroy(boolean alive) {
    memory.close();
  }
}
