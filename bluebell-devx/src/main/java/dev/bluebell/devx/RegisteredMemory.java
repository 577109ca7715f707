package dev.bluebell.devx;

import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CallAbi.InvokeWriteAttrs;
import dev.bluebell.hca.uverbs.MrAbi.DestroyMrAttrs;
import dev.bluebell.hca.uverbs.MrAbi.RegDmMrAttrs;
import dev.bluebell.hca.uverbs.MrAbi.RegDmabufMrAttrs;
import dev.bluebell.hca.uverbs.MrAbi.RegMr;
import dev.bluebell.hca.uverbs.MrAbi.RegMrResp;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.hca.uverbs.WriteCommandNumber;
import java.lang.foreign.MemorySegment;

/**
 * A memory region registered by the kernel.
 *
 * @param object the kernel's handle
 * @param lkey for data segments
 * @param rkey for peers
 */
record RegisteredMemory(KernelObject object, int lkey, int rkey) implements HcaMemory {

  /**
   * Registers memory.
   *
   * @param domain handle of a protection domain
   * @param address of the first byte in work requests
   * @param access {@code ib_uverbs_access_flags}
   */
  static RegisteredMemory register(
      UverbsFile file, int domain, MemorySegment memory, long address, int access) {
    byte[] request =
        View.of(RegMr.STRUCTURE)
            .set(RegMr.START, memory.address())
            .set(RegMr.LENGTH, memory.byteSize())
            .set(RegMr.HCA_VA, address)
            .set(RegMr.PD_HANDLE, domain)
            .set(RegMr.ACCESS_FLAGS, access)
            .bytes();
    Ioctl ioctl =
        Ioctl.of(InvokeWriteAttrs.METHOD)
            .number(InvokeWriteAttrs.WRITE_CMD, WriteCommandNumber.REG_MR)
            .input(InvokeWriteAttrs.CORE_IN, request)
            .output(InvokeWriteAttrs.CORE_OUT, RegMrResp.STRUCTURE.bytes());
    int errno = file.call(ioctl);
    if (errno != 0) {
      throw file.refusals().memory("registering memory", memory.byteSize(), errno);
    }
    View answer = ioctl.view(InvokeWriteAttrs.CORE_OUT);
    int handle = answer.getInt(RegMrResp.MR_HANDLE);
    file.hold(handle, memory);
    return new RegisteredMemory(
        object(file, handle), answer.getInt(RegMrResp.LKEY), answer.getInt(RegMrResp.RKEY));
  }

  /**
   * Registers memory of the card; its addresses in requests start at 0.
   *
   * @param domain handle of a protection domain
   * @param memory handle of the memory
   * @param access {@code ib_uverbs_access_flags}
   */
  static RegisteredMemory ofCard(UverbsFile file, int domain, int memory, long bytes, int access) {
    Ioctl ioctl =
        file.require(
            "registering device memory",
            Ioctl.of(RegDmMrAttrs.METHOD)
                .newHandle(RegDmMrAttrs.HANDLE)
                .number(RegDmMrAttrs.OFFSET, 0)
                .number(RegDmMrAttrs.LENGTH, bytes)
                .handle(RegDmMrAttrs.PD_HANDLE, domain)
                .word(RegDmMrAttrs.ACCESS_FLAGS, access | Verbs.ACCESS_ZERO_BASED)
                .handle(RegDmMrAttrs.DM_HANDLE, memory)
                .output(RegDmMrAttrs.RESP_LKEY, Integer.BYTES)
                .output(RegDmMrAttrs.RESP_RKEY, Integer.BYTES));
    return new RegisteredMemory(
        object(file, ioctl.created(RegDmMrAttrs.HANDLE)),
        (int) ioctl.result(RegDmMrAttrs.RESP_LKEY),
        (int) ioctl.result(RegDmMrAttrs.RESP_RKEY));
  }

  /**
   * Registers a DMA-BUF; its addresses in requests are offsets.
   *
   * @param domain handle of a protection domain
   * @param access {@code ib_uverbs_access_flags}
   */
  static RegisteredMemory ofDmaBuf(
      UverbsFile file, int domain, int descriptor, long offset, long bytes, int access) {
    Ioctl ioctl =
        Ioctl.of(RegDmabufMrAttrs.METHOD)
            .newHandle(RegDmabufMrAttrs.HANDLE)
            .output(RegDmabufMrAttrs.RESP_LKEY, Integer.BYTES)
            .output(RegDmabufMrAttrs.RESP_RKEY, Integer.BYTES)
            .handle(RegDmabufMrAttrs.PD_HANDLE, domain)
            .number(RegDmabufMrAttrs.OFFSET, offset)
            .number(RegDmabufMrAttrs.LENGTH, bytes)
            .number(RegDmabufMrAttrs.IOVA, offset)
            .word(RegDmabufMrAttrs.FD, descriptor)
            .word(RegDmabufMrAttrs.ACCESS_FLAGS, access);
    int errno = file.call(ioctl);
    if (errno != 0) {
      throw file.refusals().dmaBuf(descriptor, errno);
    }
    return new RegisteredMemory(
        object(file, ioctl.created(RegDmabufMrAttrs.HANDLE)),
        (int) ioctl.result(RegDmabufMrAttrs.RESP_LKEY),
        (int) ioctl.result(RegDmabufMrAttrs.RESP_RKEY));
  }

  private static KernelObject object(UverbsFile file, int handle) {
    return new KernelObject(
        file, handle, "deregistering memory", DestroyMrAttrs.METHOD, DestroyMrAttrs.HANDLE);
  }

  @Override
  public void close() {
    object.destroy();
  }
}
