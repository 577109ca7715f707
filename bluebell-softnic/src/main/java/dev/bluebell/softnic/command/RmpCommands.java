package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.allocated;
import static dev.bluebell.softnic.command.CommandFailure.require;
import static dev.bluebell.softnic.command.CommandFailure.requireUnused;
import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.RmpCommands.CreateRmpIn;
import dev.bluebell.hca.command.RmpCommands.CreateRmpOut;
import dev.bluebell.hca.command.RmpCommands.DestroyRmpIn;
import dev.bluebell.hca.command.RmpCommands.ModifyRmpIn;
import dev.bluebell.hca.command.RmpCommands.QueryRmpIn;
import dev.bluebell.hca.command.RmpCommands.QueryRmpOut;
import dev.bluebell.hca.command.RmpCommands.RmpBitmask;
import dev.bluebell.hca.command.RmpCommands.Rmpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.structure.View;

/** CREATE_RMP, QUERY_RMP, MODIFY_RMP, DESTROY_RMP. */
final class RmpCommands {
  private final Inventory inventory;

  RmpCommands(Inventory inventory) {
    this.inventory = inventory;
  }

  View create(View in) {
    View rmpc = in.at(CreateRmpIn.CTX);
    requireValid(
        rmpc.getInt(Rmpc.STATE) == Rmpc.STATE_RDY,
        "state %d: a receive pool must be created in state RDY (1)",
        rmpc.getInt(Rmpc.STATE));
    ReceiveWq wq = ReceiveWq.of(inventory, rmpc.at(Rmpc.WQ));
    int rmpn = allocated(inventory.receivePools, "all receive pools are in use");
    View context = View.of(Rmpc.STRUCTURE);
    rmpc.copyTo(context, Rmpc.STRUCTURE.bytes());
    inventory.receivePools.put(rmpn, ReceivePool.of(wq, rmpn, context.bytes(), null), wq::use);
    return View.of(CreateRmpOut.STRUCTURE).set(CreateRmpOut.RMPN, rmpn);
  }

  View query(View in) {
    View out = View.of(QueryRmpOut.STRUCTURE);
    ReceivePool pool = inventory.receivePool("rmpn", in.getInt(QueryRmpIn.RMPN));
    View context = out.at(QueryRmpOut.RMP_CONTEXT);
    View.over(pool.context()).copyTo(context, Rmpc.STRUCTURE.bytes());
    context.at(Rmpc.WQ).set(Wq.LWM, pool.queue().limit());
    return out;
  }

  View modify(View in) {
    ReceivePool pool = inventory.receivePool("rmpn", in.getInt(ModifyRmpIn.RMPN));
    require(
        in.getInt(ModifyRmpIn.RMP_STATE) == Rmpc.STATE_RDY,
        CommandStatus.BAD_RES_STATE,
        "rmp_state %d: the receive pool is in state RDY (1)",
        in.getInt(ModifyRmpIn.RMP_STATE));
    if (in.at(ModifyRmpIn.BITMASK).isSet(RmpBitmask.LWM)) {
      pool.queue().setLimit(in.at(ModifyRmpIn.CTX).at(Rmpc.WQ).getInt(Wq.LWM));
    }
    return Firmware.ok();
  }

  View destroy(View in) {
    ReceivePool pool = inventory.receivePool("rmpn", in.getInt(DestroyRmpIn.RMPN));
    requireUnused(
        pool.users()[0], "RMP 0x%x still serves queue pairs (%d); close them first", pool.number());
    inventory.receivePools.remove(pool.number());
    return Firmware.ok();
  }
}
