package dev.bluebell.verbs;

import dev.bluebell.hca.command.ArmXrqIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CreateXrqIn;
import dev.bluebell.hca.command.TagMatchingTopologyContext;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.command.Xrqc;

/** The commands of tag-matching queues: functions from values to command bytes. */
final class TagMatchingCommands {
  private TagMatchingCommands() {}

  /** CREATE_XRQ of a linked list that matches tags, without rendezvous. */
  static byte[] create(
      int domain,
      int completions,
      int userIndex,
      QueueMemory memory,
      DoorbellRecordPool.Record record,
      SharedReceiveShape shape,
      int logTags) {
    View command = View.command(CreateXrqIn.STRUCTURE, CommandOpcode.CREATE_XRQ);
    View context =
        command
            .at(CreateXrqIn.XRQ_CONTEXT)
            .set(Xrqc.TOPOLOGY, Xrqc.TOPOLOGY_TAG_MATCHING)
            .set(Xrqc.USER_INDEX, userIndex)
            .set(Xrqc.CQN, completions);
    context
        .at(Xrqc.TAG_MATCHING_TOPOLOGY_CONTEXT)
        .set(TagMatchingTopologyContext.LOG_MATCHING_LIST_SZ, logTags);
    SharedReceiveCommands.setQueue(context.at(Xrqc.WQ), domain, memory, record, shape);
    return command.bytes();
  }

  /** ARM_XRQ with another limit; 0 for none. */
  static byte[] limit(int number, int limit) {
    return View.command(ArmXrqIn.STRUCTURE, CommandOpcode.ARM_XRQ)
        .set(ArmXrqIn.XRQN, number)
        .set(ArmXrqIn.LWM, limit)
        .bytes();
  }
}
