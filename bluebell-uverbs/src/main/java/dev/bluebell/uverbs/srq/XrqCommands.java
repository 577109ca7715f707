package dev.bluebell.uverbs.srq;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.command.XrqCommands.ArmXrqIn;
import dev.bluebell.hca.command.XrqCommands.CreateXrqIn;
import dev.bluebell.hca.command.XrqCommands.QueryXrqIn;
import dev.bluebell.hca.command.XrqCommands.QueryXrqOut;
import dev.bluebell.hca.command.XrqCommands.TagMatchingTopologyContext;
import dev.bluebell.hca.command.XrqCommands.Xrqc;
import dev.bluebell.hca.structure.View;

/**
 * The commands of SRQs that match tags. Mirrors {@code mlx5_ib srq_cmd.c: create_xrq_cmd} and its
 * neighbours.
 *
 * @param userIndex by which completions identify the SRQ
 * @param logTags log2 of the size of the tag list
 */
record XrqCommands(int cqn, int userIndex, int logTags) implements SrqCommands {
  @Override
  public ObjectKind kind() {
    return ObjectKind.TAG_MATCHING_QUEUE;
  }

  @Override
  public byte[] create(Shape shape) {
    View command = View.command(CreateXrqIn.STRUCTURE, CommandOpcode.CREATE_XRQ);
    View context =
        command
            .at(CreateXrqIn.XRQ_CONTEXT)
            .set(Xrqc.TOPOLOGY, Xrqc.TOPOLOGY_TAG_MATCHING)
            .set(Xrqc.OFFLOAD, Xrqc.OFFLOAD_RNDV)
            .set(Xrqc.USER_INDEX, userIndex)
            .set(Xrqc.CQN, cqn);
    context
        .at(Xrqc.TAG_MATCHING_TOPOLOGY_CONTEXT)
        .set(TagMatchingTopologyContext.LOG_MATCHING_LIST_SZ, logTags);
    shape.describe(context.at(Xrqc.WQ));
    return command.bytes();
  }

  @Override
  public byte[] arm(int number, int limit) {
    return View.command(ArmXrqIn.STRUCTURE, CommandOpcode.ARM_XRQ)
        .set(ArmXrqIn.XRQN, number)
        .set(ArmXrqIn.LWM, limit)
        .bytes();
  }

  @Override
  public byte[] query(int number) {
    return View.command(QueryXrqIn.STRUCTURE, CommandOpcode.QUERY_XRQ)
        .set(QueryXrqIn.XRQN, number)
        .bytes();
  }

  @Override
  public int limit(byte[] answer) {
    return View.over(answer).at(QueryXrqOut.XRQ_CONTEXT).at(Xrqc.WQ).getInt(Wq.LWM);
  }
}
