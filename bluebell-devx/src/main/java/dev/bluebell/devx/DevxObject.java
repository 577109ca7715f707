package dev.bluebell.devx;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandFormat;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.QpCommands.AttachToMcgIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjCreateAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjDestroyAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjModifyAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjQueryAttrs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An object that a command created, with its handle in the kernel. */
final class DevxObject implements HcaObject {
  /** Room for the output of a command with unknown layout: the kernel's maximum. */
  private static final int MOST_OUTPUT_BYTES = 16 + 4096;

  private final KernelObject object;
  private final byte[] output;
  private final DeviceEvents events;

  /** Of a queue pair: its memberships in multicast groups, each an object of the kernel. */
  private final Map<Gid, DevxObject> memberships = new HashMap<>();

  private DevxObject(KernelObject object, byte[] output, DeviceEvents events) {
    this.object = object;
    this.output = output;
    this.events = events;
  }

  static DevxObject create(UverbsFile file, DeviceEvents events, byte[] command) {
    Ioctl ioctl =
        Ioctl.of(DevxObjCreateAttrs.METHOD)
            .newHandle(DevxObjCreateAttrs.HANDLE)
            .input(DevxObjCreateAttrs.CMD_IN, command)
            .output(DevxObjCreateAttrs.CMD_OUT, outputBytes(command));
    byte[] output = file.execute(command, ioctl, DevxObjCreateAttrs.CMD_OUT);
    return new DevxObject(
        new KernelObject(
            file,
            ioctl.created(DevxObjCreateAttrs.HANDLE),
            "destroying the object that %s created".formatted(CommandOpcode.name(opcode(command))),
            DevxObjDestroyAttrs.METHOD,
            DevxObjDestroyAttrs.HANDLE),
        output,
        events);
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

  /**
   * {@inheritDoc}
   *
   * <p>For the kernel, the commands about multicast groups create and destroy objects.
   */
  @Override
  public byte[] modify(byte[] command) {
    return switch (opcode(command)) {
      case CommandOpcode.ATTACH_TO_MCG -> attach(command);
      case CommandOpcode.DETACH_FROM_MCG -> detach(command);
      default -> modifyInKernel(command);
    };
  }

  private synchronized byte[] attach(byte[] command) {
    return memberships
        .computeIfAbsent(group(command), group -> create(object.file(), events, command))
        .output();
  }

  private synchronized byte[] detach(byte[] command) {
    Gid group = group(command);
    if (!leave(group)) {
      throw object.file().refusals().notAttached(number(), group);
    }
    return new byte[outputBytes(command)];
  }

  private boolean leave(Gid group) {
    DevxObject membership = memberships.get(group);
    if (membership == null) {
      return false;
    }
    membership.close();
    memberships.remove(group);
    return true;
  }

  /** Both commands name the group in the same place. */
  private static Gid group(byte[] command) {
    return Gid.of(View.over(command).getBytes(AttachToMcgIn.MULTICAST_GID));
  }

  private byte[] modifyInKernel(byte[] command) {
    return object
        .file()
        .execute(
            command,
            Ioctl.of(DevxObjModifyAttrs.METHOD)
                .handle(DevxObjModifyAttrs.HANDLE, handle())
                .input(DevxObjModifyAttrs.CMD_IN, command)
                .output(DevxObjModifyAttrs.CMD_OUT, outputBytes(command)),
            DevxObjModifyAttrs.CMD_OUT);
  }

  @Override
  public byte[] query(byte[] command) {
    return object
        .file()
        .execute(
            command,
            Ioctl.of(DevxObjQueryAttrs.METHOD)
                .handle(DevxObjQueryAttrs.HANDLE, handle())
                .input(DevxObjQueryAttrs.CMD_IN, command)
                .output(DevxObjQueryAttrs.CMD_OUT, outputBytes(command)),
            DevxObjQueryAttrs.CMD_OUT);
  }

  @Override
  public synchronized void close() {
    // One at a time: if the kernel refuses a later one, the queue pair is still in those groups
    // only.
    for (Gid group : List.copyOf(memberships.keySet())) {
      leave(group);
    }
    object.destroy();
    events.forget(this);
  }
}
