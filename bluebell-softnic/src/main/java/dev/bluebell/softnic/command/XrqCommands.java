package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.allocated;
import static dev.bluebell.softnic.command.CommandFailure.require;
import static dev.bluebell.softnic.command.CommandFailure.requireUnused;
import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.command.XrqCommands.ArmXrqIn;
import dev.bluebell.hca.command.XrqCommands.CreateXrqIn;
import dev.bluebell.hca.command.XrqCommands.CreateXrqOut;
import dev.bluebell.hca.command.XrqCommands.DestroyXrqIn;
import dev.bluebell.hca.command.XrqCommands.QueryXrqIn;
import dev.bluebell.hca.command.XrqCommands.QueryXrqOut;
import dev.bluebell.hca.command.XrqCommands.TagMatchingTopologyContext;
import dev.bluebell.hca.command.XrqCommands.Xrqc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.TagList;
import dev.bluebell.softnic.queue.TagMatching;

/** CREATE_XRQ, QUERY_XRQ, ARM_XRQ, DESTROY_XRQ: shared receive queues that match tags. */
final class XrqCommands {
  private final Inventory inventory;

  // Number of XRQs, which is limited because each reserves room for its whole list.
  private int count;

  XrqCommands(Inventory inventory) {
    this.inventory = inventory;
  }

  View create(View in) {
    View xrqc = in.at(CreateXrqIn.XRQ_CONTEXT);
    View topology = xrqc.at(Xrqc.TAG_MATCHING_TOPOLOGY_CONTEXT);
    int logList = topology.getInt(TagMatchingTopologyContext.LOG_MATCHING_LIST_SZ);
    requireValid(
        xrqc.getInt(Xrqc.STATE) == 0,
        "state %d: an XRQ must be created in state GOOD (0)",
        xrqc.getInt(Xrqc.STATE));
    requireValid(
        xrqc.getInt(Xrqc.TOPOLOGY) == Xrqc.TOPOLOGY_TAG_MATCHING,
        "topology %d: this device has only XRQs for tag matching (1)",
        xrqc.getInt(Xrqc.TOPOLOGY));
    requireValid(
        xrqc.getInt(Xrqc.OFFLOAD) <= Xrqc.OFFLOAD_RNDV,
        "offload %d is not valid: it must be none (0) or rendezvous (1)",
        xrqc.getInt(Xrqc.OFFLOAD));
    requireValid(
        !xrqc.isSet(Xrqc.DC), "dc is 1: this device matches tags of reliable connections only");
    require(
        count < 1 << Limits.LOG_MAX_XRQ,
        CommandStatus.NO_RES,
        "all %d XRQs are in use (log_max_xrq)",
        1 << Limits.LOG_MAX_XRQ);
    CompletionQueue completions = inventory.completionQueue("cqn", xrqc.getInt(Xrqc.CQN));
    ReceiveWq wq = ReceiveWq.of(inventory, xrqc.at(Xrqc.WQ));
    int xrqn =
        allocated(inventory.receivePools, "all numbers of receive pools and XRQs are in use");
    View context = View.of(Xrqc.STRUCTURE);
    xrqc.copyTo(context, Xrqc.STRUCTURE.bytes());
    TagMatching tags =
        new TagMatching(
            xrqn,
            new TagList(logList, topology.getInt(TagMatchingTopologyContext.APPEND_NEXT_INDEX)),
            completions,
            xrqc.getInt(Xrqc.USER_INDEX),
            xrqc.getInt(Xrqc.OFFLOAD) == Xrqc.OFFLOAD_RNDV);
    inventory.receivePools.put(
        xrqn, ReceivePool.of(wq, xrqn, context.bytes(), tags), wq::use, completions::use);
    count++;
    return View.of(CreateXrqOut.STRUCTURE).set(CreateXrqOut.XRQN, xrqn);
  }

  View query(View in) {
    int number = in.getInt(QueryXrqIn.XRQN);
    TagMatching tags = inventory.tagMatching(number);
    ReceivePool pool = inventory.receiver("xrqn", number);
    View out = View.of(QueryXrqOut.STRUCTURE);
    View context = out.at(QueryXrqOut.XRQ_CONTEXT);
    View.over(pool.context()).copyTo(context, Xrqc.STRUCTURE.bytes());
    context.at(Xrqc.WQ).set(Wq.LWM, pool.queue().limit());
    context
        .at(Xrqc.TAG_MATCHING_TOPOLOGY_CONTEXT)
        .set(TagMatchingTopologyContext.APPEND_NEXT_INDEX, tags.list().appendIndex())
        .set(TagMatchingTopologyContext.SW_PHASE_CNT, tags.list().handled())
        .set(TagMatchingTopologyContext.HW_PHASE_CNT, tags.list().unexpected());
    return out;
  }

  View arm(View in) {
    TagMatching tags = inventory.tagMatching(in.getInt(ArmXrqIn.XRQN));
    inventory.receiver("xrqn", tags.number()).queue().setLimit(in.getInt(ArmXrqIn.LWM));
    return Firmware.ok();
  }

  View destroy(View in) {
    TagMatching tags = inventory.tagMatching(in.getInt(DestroyXrqIn.XRQN));
    ReceivePool pool = inventory.receiver("xrqn", tags.number());
    requireUnused(
        pool.users()[0], "XRQ 0x%x still serves queue pairs (%d); close them first", pool.number());
    count--;
    inventory.receivePools.remove(pool.number());
    return Firmware.ok();
  }
}
