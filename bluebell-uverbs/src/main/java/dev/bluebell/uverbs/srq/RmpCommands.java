package dev.bluebell.uverbs.srq;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.RmpCommands.CreateRmpIn;
import dev.bluebell.hca.command.RmpCommands.ModifyRmpIn;
import dev.bluebell.hca.command.RmpCommands.QueryRmpIn;
import dev.bluebell.hca.command.RmpCommands.QueryRmpOut;
import dev.bluebell.hca.command.RmpCommands.RmpBitmask;
import dev.bluebell.hca.command.RmpCommands.Rmpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.structure.View;

/**
 * The commands of basic SRQs, which are receive memory pools. Mirrors {@code mlx5_ib srq_cmd.c:
 * create_rmp_cmd} and its neighbours.
 */
final class RmpCommands implements SrqCommands {
  @Override
  public ObjectKind kind() {
    return ObjectKind.RECEIVE_POOL;
  }

  @Override
  public byte[] create(Shape shape) {
    View command = View.command(CreateRmpIn.STRUCTURE, CommandOpcode.CREATE_RMP);
    shape.describe(command.at(CreateRmpIn.CTX).set(Rmpc.STATE, Rmpc.STATE_RDY).at(Rmpc.WQ));
    return command.bytes();
  }

  @Override
  public byte[] arm(int number, int limit) {
    View command =
        View.command(ModifyRmpIn.STRUCTURE, CommandOpcode.MODIFY_RMP)
            .set(ModifyRmpIn.RMPN, number)
            .set(ModifyRmpIn.RMP_STATE, Rmpc.STATE_RDY);
    command.at(ModifyRmpIn.BITMASK).set(RmpBitmask.LWM, 1);
    command.at(ModifyRmpIn.CTX).at(Rmpc.WQ).set(Wq.LWM, limit);
    return command.bytes();
  }

  @Override
  public byte[] query(int number) {
    return View.command(QueryRmpIn.STRUCTURE, CommandOpcode.QUERY_RMP)
        .set(QueryRmpIn.RMPN, number)
        .bytes();
  }

  @Override
  public int limit(byte[] answer) {
    return View.over(answer).at(QueryRmpOut.RMP_CONTEXT).at(Rmpc.WQ).getInt(Wq.LWM);
  }
}
