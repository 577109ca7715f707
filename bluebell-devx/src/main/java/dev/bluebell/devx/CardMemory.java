package dev.bluebell.devx;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicIn;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicOut;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.hca.uverbs.MrAbi.AllocDmAttrs;
import dev.bluebell.hca.uverbs.MrAbi.FreeDmAttrs;
import java.lang.foreign.MemorySegment;

/**
 * Memory of the card (MEMIC), allocated by the kernel and mapped into a window of the card's BAR.
 * Mirrors {@code mlx5 verbs.c: alloc_dm_memic}.
 */
final class CardMemory implements HcaObject {
  /** {@code mlx5_ib.h: MLX5_MEMIC_BASE_ALIGN}: the alignment that a command encodes as 0. */
  private static final int LOG_BASE_ALIGNMENT = 6;

  private final KernelObject object;
  private final View output;
  private final CardPages pages;
  private final int firstPage;
  private final int pageCount;

  private CardMemory(
      KernelObject object, View output, CardPages pages, int firstPage, int pageCount) {
    this.object = object;
    this.output = output;
    this.pages = pages;
    this.firstPage = firstPage;
    this.pageCount = pageCount;
  }

  /**
   * Allocates memory.
   *
   * @param command ALLOC_MEMIC, with the size and the start of the BAR
   * @param window where to map the BAR
   */
  static CardMemory allocate(
      UverbsFile file, CardPages pages, byte[] command, MemorySegment window) {
    View in = View.over(command);
    long bytes = in.get(AllocMemicIn.MEMIC_SIZE);
    Ioctl ioctl =
        file.require(
            "allocating %d bytes of device memory".formatted(bytes),
            Ioctl.of(AllocDmAttrs.METHOD)
                .newHandle(AllocDmAttrs.HANDLE)
                .number(AllocDmAttrs.LENGTH, bytes)
                .word(
                    AllocDmAttrs.ALIGNMENT,
                    LOG_BASE_ALIGNMENT + in.getInt(AllocMemicIn.LOG_MEMIC_ADDR_ALIGNMENT))
                .output(AllocDmAttrs.RESP_START_OFFSET, Long.BYTES)
                .output(AllocDmAttrs.RESP_PAGE_INDEX, Short.BYTES)
                .optionalNumber(AllocDmAttrs.REQ_TYPE, Mlx5.IB_UAPI_DM_TYPE_MEMIC));
    KernelObject object =
        new KernelObject(
            file,
            ioctl.created(AllocDmAttrs.HANDLE),
            "freeing device memory",
            FreeDmAttrs.METHOD,
            FreeDmAttrs.HANDLE);
    int page = (int) ioctl.result(AllocDmAttrs.RESP_PAGE_INDEX);
    long offset = ioctl.result(AllocDmAttrs.RESP_START_OFFSET);
    int count = (int) Math.ceilDiv(offset + bytes, UverbsFile.PAGE_BYTES);
    try {
      pages.map(window, page, count);
    } catch (RuntimeException e) {
      object.destroy();
      throw e;
    }
    View output =
        View.of(AllocMemicOut.STRUCTURE)
            .set(
                AllocMemicOut.MEMIC_START_ADDR,
                in.get(AllocMemicIn.RANGE_START_ADDR)
                    + (long) page * UverbsFile.PAGE_BYTES
                    + offset);
    return new CardMemory(object, output, pages, page, count);
  }

  /** The kernel's handle of device memory of a file. */
  static int handleOf(UverbsFile file, HcaObject memory) {
    if (memory instanceof CardMemory own && own.object.file() == file) {
      return own.object.handle();
    }
    throw new IllegalArgumentException("the object is not device memory of the same device");
  }

  /** The low 32 bits of the address in the BAR. */
  @Override
  public int number() {
    return output.getInt(AllocMemicOut.MEMIC_START_ADDR);
  }

  @Override
  public byte[] output() {
    return output.bytes().clone();
  }

  @Override
  public byte[] modify(byte[] command) {
    throw refuse(command);
  }

  @Override
  public byte[] query(byte[] command) {
    throw refuse(command);
  }

  private HcaException refuse(byte[] command) {
    return object.file().refusals().noCommands("device memory", command);
  }

  /** Frees the memory; the kernel refuses while regions of it exist. */
  @Override
  public synchronized void close() {
    if (object.destroy()) {
      pages.unmap(firstPage, pageCount);
    }
  }
}
