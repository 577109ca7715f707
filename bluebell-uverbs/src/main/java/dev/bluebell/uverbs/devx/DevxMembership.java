package dev.bluebell.uverbs.devx;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.QpCommands.AttachToMcgIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjCreateAttrs;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.session.Handles;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;

/**
 * The membership of a queue pair in a multicast group, which ATTACH_TO_MCG creates. As in the
 * kernel, its destruction is DETACH_FROM_MCG. Mirrors {@code mlx5_ib devx.c:
 * devx_obj_build_destroy_cmd}.
 */
final class DevxMembership implements Handles.Held {
  private final Handles handles;
  private final Handles.OnDevice queuePair;
  private final byte[] command;

  private DevxMembership(Handles handles, Handles.OnDevice queuePair, byte[] command) {
    this.handles = handles;
    this.queuePair = queuePair;
    this.command = command;
  }

  static void create(Session session, IoctlCall call, byte[] command) throws IOException {
    int number = View.over(command).getInt(AttachToMcgIn.QPN);
    Handles handles = session.handles();
    Handles.OnDevice queuePair =
        handles.all(Handles.OnDevice.class).stream()
            .filter(held -> held.rank() == ObjectKind.QUEUE_PAIR.ordinal())
            .filter(held -> held.object().number() == number)
            .findFirst()
            .orElseThrow(
                () ->
                    new Refusal(
                        Errno.EINVAL, "QP 0x%x does not belong to the client".formatted(number)));
    byte[] output =
        DevxCommand.run(call, DevxObjCreateAttrs.CMD_OUT, () -> queuePair.object().modify(command));
    int handle = handles.add(new DevxMembership(handles, queuePair, command));
    call.put(DevxObjCreateAttrs.CMD_OUT, output);
    call.putHandle(DevxObjCreateAttrs.HANDLE, handle);
  }

  @Override
  public int rank() {
    return queuePair.rank();
  }

  /** Does nothing if the queue pair was destroyed, or will be: it leaves its groups then. */
  @Override
  public void destroy(boolean alive) {
    if (alive && handles.all(Handles.OnDevice.class).contains(queuePair)) {
      View detach = View.over(command.clone()).set(CmdIn.OPCODE, CommandOpcode.DETACH_FROM_MCG);
      byte[] unused = queuePair.object().modify(detach.bytes());
    }
  }
}
