package dev.bluebell.devx;

import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.uverbs.DevxAbi.UarObjAllocAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.UarObjDestroyAttrs;
import dev.bluebell.hca.uverbs.Mlx5;
import java.lang.foreign.MemorySegment;

/** A UAR page of the card, mapped into this process. */
final class UarPage implements HcaUar {
  private final KernelObject object;
  private final int number;
  private final MemorySegment memory;

  /** The memory type of a page. */
  enum Kind {
    /** Write-combining: a whole request may be copied, and a fence flushes it. */
    BLUE_FLAME(Mlx5.IB_UAPI_UAR_ALLOC_TYPE_BF),
    /** Each store goes out at once and in order. */
    NOT_CACHED(Mlx5.IB_UAPI_UAR_ALLOC_TYPE_NC);

    private final int type;

    Kind(int type) {
      this.type = type;
    }
  }

  private UarPage(KernelObject object, int number, MemorySegment memory) {
    this.object = object;
    this.number = number;
    this.memory = memory;
  }

  static UarPage allocate(UverbsFile file, Kind kind) {
    Ioctl ioctl =
        file.require(
            "allocating a UAR page",
            Ioctl.of(UarObjAllocAttrs.METHOD)
                .newHandle(UarObjAllocAttrs.HANDLE)
                .number(UarObjAllocAttrs.TYPE, kind.type)
                .output(UarObjAllocAttrs.MMAP_OFFSET, Long.BYTES)
                .output(UarObjAllocAttrs.MMAP_LENGTH, Integer.BYTES)
                .output(UarObjAllocAttrs.PAGE_ID, Integer.BYTES));
    KernelObject object =
        new KernelObject(
            file,
            ioctl.created(UarObjAllocAttrs.HANDLE),
            "freeing a UAR page",
            UarObjDestroyAttrs.METHOD,
            UarObjDestroyAttrs.HANDLE);
    try {
      MemorySegment memory =
          file.map(
              "a UAR page",
              ioctl.result(UarObjAllocAttrs.MMAP_OFFSET),
              ioctl.result(UarObjAllocAttrs.MMAP_LENGTH),
              UverbsFile.PROT_WRITE);
      return new UarPage(object, (int) ioctl.result(UarObjAllocAttrs.PAGE_ID), memory);
    } catch (RuntimeException e) {
      object.destroy();
      throw e;
    }
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public long address() {
    return memory.address();
  }

  @Override
  public void close() {
    object.file().unmap(memory);
    object.destroy();
  }
}
