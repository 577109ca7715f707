package dev.bluebell.verbs.tag;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.XrqCommands.ArmXrqIn;
import dev.bluebell.hca.command.XrqCommands.CreateXrqIn;
import dev.bluebell.hca.command.XrqCommands.TagMatchingTopologyContext;
import dev.bluebell.hca.command.XrqCommands.Xrqc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.command.QueuePairCommands;
import dev.bluebell.verbs.command.ReceiveEntries;
import dev.bluebell.verbs.command.SharedReceiveCommands;
import dev.bluebell.verbs.object.DeviceCapabilities;
import dev.bluebell.verbs.object.QueueResources;

/** The commands of tag-matching queues: functions from values to command bytes. */
public final class TagMatchingCommands {
  private TagMatchingCommands() {}

  /**
   * CREATE_XRQ of a linked list that matches tags.
   *
   * @param rendezvous whether the device fetches the payload of messages that offer it
   */
  public static byte[] create(
      ReceiveEntries entries, int completions, int userIndex, int logTags, boolean rendezvous) {
    View command = View.command(CreateXrqIn.STRUCTURE, CommandOpcode.CREATE_XRQ);
    View context =
        command
            .at(CreateXrqIn.XRQ_CONTEXT)
            .set(Xrqc.TOPOLOGY, Xrqc.TOPOLOGY_TAG_MATCHING)
            .set(Xrqc.OFFLOAD, rendezvous ? Xrqc.OFFLOAD_RNDV : 0)
            .set(Xrqc.USER_INDEX, userIndex)
            .set(Xrqc.CQN, completions);
    context
        .at(Xrqc.TAG_MATCHING_TOPOLOGY_CONTEXT)
        .set(TagMatchingTopologyContext.LOG_MATCHING_LIST_SZ, logTags);
    SharedReceiveCommands.setQueue(context.at(Xrqc.WQ), entries);
    return command.bytes();
  }

  /**
   * CREATE_QP of a queue pair whose send requests the device itself generates.
   *
   * @param receives queue that it receives from
   * @param resources required but never used
   */
  public static byte[] createTarget(
      TagMatchingReceiveQueueImpl receives, QueueResources resources) {
    View command = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    command
        .set(CreateQpIn.WQ_UMEM_ID, resources.memory().umem().number())
        .set(CreateQpIn.WQ_UMEM_VALID, true)
        .at(CreateQpIn.QPC)
        .set(Qpc.ST, ServiceType.RC.code())
        .set(Qpc.PM_STATE, Qpc.PM_STATE_MIGRATED)
        .set(Qpc.OFFLOAD_TYPE, Qpc.OFFLOAD_TYPE_RNDV)
        .set(Qpc.PD, receives.domain().number())
        .set(Qpc.LOG_MSG_MAX, QueuePairCommands.LOG_MSG_MAX)
        .set(Qpc.LOG_ACK_REQ_FREQ, QueuePairCommands.LOG_ACK_REQ_FREQ)
        .set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_SHARED)
        .set(Qpc.SRQN_RMPN_XRQN, receives.number())
        .set(Qpc.NO_SQ, true)
        .set(Qpc.TS_FORMAT, DeviceCapabilities.timestampFormat(receives.device().attributes()))
        .set(Qpc.UAR_PAGE, resources.register().page())
        .set(Qpc.USER_INDEX, receives.userIndex())
        .set(Qpc.CQN_SND, receives.completions().number())
        .set(Qpc.CQN_RCV, receives.completions().number())
        .set(Qpc.DBR_UMEM_ID, resources.record().umem())
        .set(Qpc.DBR_UMEM_VALID, true)
        .set(Qpc.DBR_ADDR, resources.record().offset());
    return command.bytes();
  }

  /** ARM_XRQ with another limit; 0 for none. */
  public static byte[] limit(int number, int limit) {
    return View.command(ArmXrqIn.STRUCTURE, CommandOpcode.ARM_XRQ)
        .set(ArmXrqIn.XRQN, number)
        .set(ArmXrqIn.LWM, limit)
        .bytes();
  }
}
