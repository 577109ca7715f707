package dev.bluebell.uverbs;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.AllocMemicIn;
import dev.bluebell.hca.command.AllocMemicOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.DeviceMemCap;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.View;
import dev.bluebell.server.SharedMemory;
import java.io.IOException;

/**
 * Memory of the device (MEMIC), which the program maps. Mirrors {@code ib_user_ioctl_cmds.h:
 * UVERBS_OBJECT_DM} and {@code mlx5_ib dm.c}.
 *
 * @param memory what the device has allocated
 * @param address of the first byte in the device's BAR
 * @param page of the BAR that holds it, counted from where device memory begins
 * @param length bytes that the program asked for
 */
record Dm(HcaObject memory, long address, int page, long length) implements Handles.Held {
  private static final int ALLOC_HANDLE = 0;
  private static final int ALLOC_LENGTH = 1;
  private static final int ALLOC_ALIGNMENT = 2;
  private static final int ALLOC_START_OFFSET = 0x1000;
  private static final int ALLOC_PAGE_INDEX = 0x1001;
  private static final int ALLOC_TYPE = 0x1002;

  private static final int QUERY_HANDLE = 0x1000;
  private static final int QUERY_START_OFFSET = 0x1001;
  private static final int QUERY_PAGE_INDEX = 0x1002;
  private static final int QUERY_LENGTH = 0x1003;

  private static final int MAP_HANDLE = 0x1000;
  private static final int MAP_OPERATION = 0x1001;

  private static final int TYPE_MEMIC = 0;

  /** MLX5_MEMIC_BASE_ALIGN: alignments are at least 2 to the power of this. */
  private static final int LOG_BASE = 6;

  static void allocate(Session session, IoctlCall call) throws IOException {
    long type = call.number(ALLOC_TYPE, TYPE_MEMIC);
    Refusal.require(
        type == TYPE_MEMIC,
        Errno.EOPNOTSUPP,
        "device memory of type %d, which is for flow steering, is not supported; type 0 (MEMIC) is",
        type);
    View capabilities = DeviceQueries.deviceMemory(session.hca());
    Refusal.require(
        capabilities.isSet(DeviceMemCap.MEMIC),
        Errno.EOPNOTSUPP,
        "the device has no memory of its own");
    long length = call.number(ALLOC_LENGTH);
    HcaObject memory = allocate(session, capabilities, length, (int) call.number(ALLOC_ALIGNMENT));
    long address = View.over(memory.output()).get(AllocMemicOut.MEMIC_START_ADDR);
    long offset = address - capabilities.get(DeviceMemCap.MEMIC_BAR_START_ADDR);
    try {
      session.pages().makeDeviceMemory(offset, length);
    } catch (IOException | RuntimeException e) {
      memory.close();
      throw e;
    }
    Dm dm = new Dm(memory, address, (int) (offset / SharedMemory.PAGE_BYTES), length);
    int handle = session.handles().add(dm);
    dm.tellPlace(call, ALLOC_START_OFFSET, ALLOC_PAGE_INDEX);
    call.putHandle(ALLOC_HANDLE, handle);
  }

  // The kernel looks for free pages itself. Here no context knows of the others' pages, so the
  // device is asked for any.
  private static HcaObject allocate(
      Session session, View capabilities, long length, int logAlignment) {
    long bytes = length + (1 << LOG_BASE) - 1 & -(1 << LOG_BASE);
    long bar = capabilities.get(DeviceMemCap.MEMIC_BAR_SIZE);
    Refusal.require(bytes != 0, Errno.EINVAL, "%d bytes are no device memory", length);
    Refusal.require(
        Long.compareUnsigned(bytes, bar) <= 0,
        Errno.ENOMEM,
        "%s bytes of device memory: the device has %d",
        Long.toUnsignedString(length),
        bar);
    long alignment = Math.max(0, (logAlignment & 0xffffffffL) - LOG_BASE);
    Refusal.require(
        alignment <= capabilities.get(DeviceMemCap.LOG_MAX_MEMIC_ADDR_ALIGNMENT),
        Errno.EINVAL,
        "device memory at multiples of 2^%s bytes",
        Integer.toUnsignedString(logAlignment));
    byte[] command =
        View.command(AllocMemicIn.STRUCTURE, CommandOpcode.ALLOC_MEMIC)
            .set(AllocMemicIn.LOG_MEMIC_ADDR_ALIGNMENT, alignment)
            .set(AllocMemicIn.RANGE_START_ADDR, capabilities.get(DeviceMemCap.MEMIC_BAR_START_ADDR))
            .set(AllocMemicIn.RANGE_SIZE, bar)
            .set(AllocMemicIn.MEMIC_SIZE, bytes)
            .bytes();
    try {
      return session.hosting().allocateDeviceMemory(command, session.pages().deviceMemory(bar));
    } catch (HcaException refusal) {
      Refusal.require(
          refusal.status() != CommandStatus.NO_RES,
          Errno.ENOMEM,
          "no %d bytes of device memory in a row are free, for all programs together",
          length);
      throw refusal;
    }
  }

  // Where the program maps it: set_extended_index and set_command of rdma-core's mlx5.h.
  private void tellPlace(IoctlCall call, int startOffset, int pageIndex) {
    call.putLong(startOffset, address % SharedMemory.PAGE_BYTES);
    call.put(pageIndex, Fields.of(Short.BYTES).u16(0, page));
  }

  static void query(Session session, IoctlCall call) {
    Dm dm = session.handles().find(Dm.class, call.handle(QUERY_HANDLE));
    dm.tellPlace(call, QUERY_START_OFFSET, QUERY_PAGE_INDEX);
    call.putLong(QUERY_LENGTH, dm.length);
  }

  /** The device claims no memic_operations, so there is none to be mapped. */
  static void mapOperation(Session session, IoctlCall call) {
    Dm dm = session.handles().find(Dm.class, call.handle(MAP_HANDLE));
    throw new Refusal(
        Errno.EOPNOTSUPP,
        "operation %d on the device memory at 0x%x is none that the device has"
            .formatted(call.number(MAP_OPERATION), dm.address));
  }

  @Override
  public int rank() {
    return ObjectKind.DEVICE_MEMORY.ordinal();
  }

  // The device refuses while memory keys name it.
  @Override
  public void destroy(boolean alive) {
    memory.close();
  }
}
