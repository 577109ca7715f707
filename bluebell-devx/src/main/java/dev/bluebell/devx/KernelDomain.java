package dev.bluebell.devx;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CallAbi.InvokeWriteAttrs;
import dev.bluebell.hca.uverbs.PdAbi.AllocPd;
import dev.bluebell.hca.uverbs.PdAbi.AllocPdResp;
import dev.bluebell.hca.uverbs.PdAbi.DestroyPdAttrs;
import dev.bluebell.hca.uverbs.PdAbi.Mlx5AllocPdResp;
import dev.bluebell.hca.uverbs.WriteCommandNumber;

/**
 * A protection domain of the kernel. A domain created by a command would do for queues, but the
 * kernel registers memory only in its own domains.
 */
final class KernelDomain implements HcaObject {
  private final KernelObject object;
  private final int number;

  private KernelDomain(KernelObject object, int number) {
    this.object = object;
    this.number = number;
  }

  static KernelDomain allocate(UverbsFile file) {
    Ioctl ioctl =
        file.require(
            "allocating a protection domain",
            Ioctl.of(InvokeWriteAttrs.METHOD)
                .number(InvokeWriteAttrs.WRITE_CMD, WriteCommandNumber.ALLOC_PD)
                .input(InvokeWriteAttrs.CORE_IN, View.of(AllocPd.STRUCTURE).bytes())
                .output(InvokeWriteAttrs.CORE_OUT, AllocPdResp.STRUCTURE.bytes())
                .output(InvokeWriteAttrs.UHW_OUT, Mlx5AllocPdResp.STRUCTURE.bytes()));
    int handle = ioctl.view(InvokeWriteAttrs.CORE_OUT).getInt(AllocPdResp.PD_HANDLE);
    return new KernelDomain(
        new KernelObject(
            file,
            handle,
            "freeing a protection domain",
            DestroyPdAttrs.METHOD,
            DestroyPdAttrs.HANDLE),
        ioctl.view(InvokeWriteAttrs.UHW_OUT).getInt(Mlx5AllocPdResp.PDN));
  }

  /** The handle of a domain of a file. */
  static int handleOf(UverbsFile file, HcaObject domain) {
    if (domain instanceof KernelDomain own && own.object.file() == file) {
      return own.handle();
    }
    throw new IllegalArgumentException(
        "memory is registered in a protection domain of the same device");
  }

  int handle() {
    return object.handle();
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public byte[] output() {
    return new byte[0];
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
    return object.file().refusals().noCommands("a protection domain", command);
  }

  @Override
  public void close() {
    object.destroy();
  }
}
