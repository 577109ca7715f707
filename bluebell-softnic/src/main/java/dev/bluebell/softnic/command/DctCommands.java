package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.allocated;
import static dev.bluebell.softnic.command.CommandFailure.require;
import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.DctCommands.ArmDctIn;
import dev.bluebell.hca.command.DctCommands.CreateDctIn;
import dev.bluebell.hca.command.DctCommands.CreateDctOut;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.DctCommands.DestroyDctIn;
import dev.bluebell.hca.command.DctCommands.DrainDctIn;
import dev.bluebell.hca.command.DctCommands.QueryDctIn;
import dev.bluebell.hca.command.DctCommands.QueryDctOut;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.port.Port;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.transport.Network;
import dev.bluebell.softnic.transport.connection.ReceiveSource;
import dev.bluebell.softnic.transport.dynamic.DcTarget;

/** CREATE_DCT, QUERY_DCT, DRAIN_DCT, ARM_DCT_FOR_KEY_VIOLATION, DESTROY_DCT. */
final class DctCommands {
  private final Chip chip;
  private final Engine engine;
  private final Inventory inventory;
  private final Network network;

  DctCommands(Chip chip, Engine engine, Inventory inventory, Network network) {
    this.chip = chip;
    this.engine = engine;
    this.inventory = inventory;
    this.network = network;
  }

  View create(View in) {
    View dctc = in.at(CreateDctIn.DCT_CONTEXT_ENTRY);
    check(dctc);
    ProtectionDomain domain = inventory.domain(dctc.getInt(Dctc.PD));
    CompletionQueue completions = inventory.completionQueue("cqn", dctc.getInt(Dctc.CQN));
    ScatterToCqe.checkTarget(dctc.getInt(Dctc.CS_RES), completions);
    ReceivePool pool = inventory.receivePool("srqn_xrqn", dctc.getInt(Dctc.SRQN_XRQN));
    int dctn = allocated(inventory.targets, "all %d DC targets are in use");
    View context = View.of(Dctc.STRUCTURE);
    dctc.copyTo(context, Dctc.STRUCTURE.bytes());
    context.set(Dctc.DC_ACCESS_KEY_VIOLATION_COUNT, 0);
    ReceiveSource source =
        new ReceiveSource(pool.queue(), completions, dctc.getInt(Dctc.USER_INDEX), true);
    inventory.targets.put(
        dctn,
        new DcTarget(chip, network.fabric(), dctn, context.bytes(), source, Limits.LOG_MAX_READS),
        domain::use,
        completions::use,
        pool::use);
    return View.of(CreateDctOut.STRUCTURE).set(CreateDctOut.DCTN, dctn);
  }

  private void check(View dctc) {
    int state = dctc.getInt(Dctc.STATE);
    requireValid(
        state == Dctc.STATE_ACTIVE, "state %d: a DC target must be created active (0)", state);
    int port = dctc.getInt(Dctc.PORT);
    requireValid(port == Port.NUMBER, "port %d: this device has port 1 only", port);
    QpTransition.checkPartition(dctc.getInt(Dctc.PKEY_INDEX), inventory.port);
    int mtu = dctc.getInt(Dctc.MTU);
    QpTransition.checkMtu(mtu, inventory.port.mtuCode());
    String empty = inventory.port.whyNotAt(dctc.getInt(Dctc.MY_ADDR_INDEX));
    requireValid(empty.isEmpty(), "my_addr_index %s", empty);
    requireValid(
        !dctc.isSet(Dctc.OFFLOAD_TYPE),
        "offload_type is %d: this device supports only 0",
        dctc.getInt(Dctc.OFFLOAD_TYPE));
    QpTransition.checkOrder(dctc.isSet(Dctc.DP_ORDERING_0), dctc.isSet(Dctc.DP_ORDERING_1));
  }

  View query(View in) {
    DcTarget target = inventory.target(in.getInt(QueryDctIn.DCTN));
    View out = View.of(QueryDctOut.STRUCTURE);
    View dctc = out.at(QueryDctOut.DCT_CONTEXT_ENTRY);
    View.over(target.context()).copyTo(dctc, Dctc.STRUCTURE.bytes());
    dctc.set(Dctc.STATE, target.isDrained() ? Dctc.STATE_DRAINED : Dctc.STATE_ACTIVE)
        .set(Dctc.DC_ACCESS_KEY_VIOLATION_COUNT, target.violations());
    return out;
  }

  View drain(View in) {
    inventory.target(in.getInt(DrainDctIn.DCTN)).drain();
    return Firmware.ok();
  }

  View arm(View in) {
    inventory.target(in.getInt(ArmDctIn.DCT_NUMBER)).arm();
    return Firmware.ok();
  }

  View destroy(View in) {
    DcTarget target = inventory.target(in.getInt(DestroyDctIn.DCTN));
    require(
        target.isDrained(),
        CommandStatus.BAD_RES_STATE,
        "DCT 0x%x is active; drain it first (DRAIN_DCT)",
        target.number());
    target.release(engine);
    inventory.targets.remove(target.number());
    return Firmware.ok();
  }
}
