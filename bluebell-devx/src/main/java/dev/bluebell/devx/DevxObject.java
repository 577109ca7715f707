package dev.bluebell.devx;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandFormat;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Attribute;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjCreateAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjDestroyAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjModifyAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjQueryAttrs;

/** An object that a command created, with its handle in the kernel. */
final class DevxObject implements HcaObject {
  /** Room for the output of a command with unknown layout: the kernel's maximum. */
  private static final int MOST_OUTPUT_BYTES = 16 + 4096;

  private final KernelObject object;
  private final byte[] output;
  private final Runnable onDestruction;

  private DevxObject(KernelObject object, byte[] output, DeviceEvents events) {
    this.object = object;
    this.output = output;
    onDestruction = () -> events.forget(this);
  }

  static DevxObject create(UverbsFile file, DeviceEvents events, byte[] command) {
    Ioctl ioctl =
        Ioctl.of(DevxObjCreateAttrs.METHOD)
            .newHandle(DevxObjCreateAttrs.HANDLE)
            .input(DevxObjCreateAttrs.CMD_IN, command)
            .output(DevxObjCreateAttrs.CMD_OUT, outputBytes(command));
    int errno = file.call(ioctl);
    byte[] output = ioctl.output(DevxObjCreateAttrs.CMD_OUT);
    if (errno != 0) {
      throw file.commandRefusal(command, output, errno);
    }
    String what = "destroying the object that %s created".formatted(name(command));
    return new DevxObject(
        new KernelObject(
            file,
            ioctl.created(DevxObjCreateAttrs.HANDLE),
            what,
            DevxObjDestroyAttrs.METHOD,
            DevxObjDestroyAttrs.HANDLE),
        output,
        events);
  }

  static String name(byte[] command) {
    return CommandOpcode.name(opcode(command));
  }

  private static int opcode(byte[] command) {
    return View.over(command).getInt(CmdIn.OPCODE);
  }

  /** Size of a command's output. */
  static int outputBytes(byte[] command) {
    return CommandFormat.of(opcode(command))
        .map(format -> format.output().bytes())
        .orElse(MOST_OUTPUT_BYTES);
  }

  int handle() {
    return object.handle();
  }

  @Override
  public int number() {
    return View.over(output).getInt(ObjectKind.NUMBER);
  }

  @Override
  public byte[] output() {
    return output.clone();
  }

  @Override
  public byte[] modify(byte[] command) {
    return execute(
        command,
        Ioctl.of(DevxObjModifyAttrs.METHOD)
            .handle(DevxObjModifyAttrs.HANDLE, handle())
            .input(DevxObjModifyAttrs.CMD_IN, command)
            .output(DevxObjModifyAttrs.CMD_OUT, outputBytes(command)),
        DevxObjModifyAttrs.CMD_OUT);
  }

  @Override
  public byte[] query(byte[] command) {
    return execute(
        command,
        Ioctl.of(DevxObjQueryAttrs.METHOD)
            .handle(DevxObjQueryAttrs.HANDLE, handle())
            .input(DevxObjQueryAttrs.CMD_IN, command)
            .output(DevxObjQueryAttrs.CMD_OUT, outputBytes(command)),
        DevxObjQueryAttrs.CMD_OUT);
  }

  private byte[] execute(byte[] command, Ioctl ioctl, Attribute commandOutput) {
    return object.file().execute(command, ioctl, commandOutput);
  }

  @Override
  public void close() {
    object.destroy();
    onDestruction.run();
  }
}
