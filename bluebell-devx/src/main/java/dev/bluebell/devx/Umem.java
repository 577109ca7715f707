package dev.bluebell.devx;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.uverbs.DevxAbi.DevxUmemDeregAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxUmemRegAttrs;
import java.lang.foreign.MemorySegment;

/**
 * Pinned memory of this process (a umem) that commands name by number.
 *
 * @param object the kernel's handle
 * @param number for the {@code *_umem_id} fields of commands
 */
record Umem(KernelObject object, int number) implements HcaUmem {
  /**
   * Bit mask of the page sizes that the card may use: 4 KiB only. Without it, the kernel chooses
   * the largest that fits, and commands may name only the start of the memory.
   */
  private static final long PAGE_SIZES = UverbsFile.PAGE_BYTES;

  /**
   * Registers memory.
   *
   * @param writable whether the card may write there
   */
  static Umem register(UverbsFile file, MemorySegment memory, boolean writable) {
    Ioctl ioctl =
        Ioctl.of(DevxUmemRegAttrs.METHOD)
            .number(DevxUmemRegAttrs.ADDR, memory.address())
            .number(DevxUmemRegAttrs.LEN, memory.byteSize())
            .word(DevxUmemRegAttrs.ACCESS, writable ? HcaAccess.LOCAL_WRITE : 0)
            .optionalNumber(DevxUmemRegAttrs.PGSZ_BITMAP, PAGE_SIZES)
            .output(DevxUmemRegAttrs.OUT_ID, Integer.BYTES)
            .newHandle(DevxUmemRegAttrs.HANDLE);
    int errno = file.call(ioctl);
    if (errno != 0) {
      throw file.refusals().memory("registering a umem", memory.byteSize(), errno);
    }
    int handle = ioctl.created(DevxUmemRegAttrs.HANDLE);
    file.hold(handle, memory);
    return new Umem(
        new KernelObject(
            file,
            handle,
            "deregistering a umem",
            DevxUmemDeregAttrs.METHOD,
            DevxUmemDeregAttrs.HANDLE),
        (int) ioctl.result(DevxUmemRegAttrs.OUT_ID));
  }

  @Override
  public void close() {
    object.destroy();
  }
}
