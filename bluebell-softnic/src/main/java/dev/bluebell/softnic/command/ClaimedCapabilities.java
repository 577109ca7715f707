package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.DctCommands.CreateDctIn;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpCommands.QpcExt;
import dev.bluebell.hca.command.QpTransitions.Init2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.XrqCommands.CreateXrqIn;
import dev.bluebell.hca.command.XrqCommands.TagMatchingTopologyContext;
import dev.bluebell.hca.command.XrqCommands.Xrqc;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.option.Profile;
import dev.bluebell.softnic.port.Port;

/**
 * The general capabilities that the device claims, limited by its {@link Profile}; refuses commands
 * that need more.
 */
final class ClaimedCapabilities {
  private final View general;

  ClaimedCapabilities(Profile profile, Port port) {
    general = HcaCommands.general(port, profile);
  }

  private void need(boolean asked, Field capability, String what) {
    requireValid(
        !asked || general.isSet(capability),
        "%s: this device, or a card of its profile, does not have the capability %s",
        what,
        capability.name());
  }

  private void atMost(View context, Field field, Field capability) {
    requireValid(
        context.get(field) <= general.get(capability),
        "%s %d is larger than %d (%s)",
        field.name(),
        context.get(field),
        general.get(capability),
        capability.name());
  }

  /** Refuses a command that needs a capability which is not claimed. */
  void check(View in) {
    switch (in.getInt(CmdIn.OPCODE)) {
      case CommandOpcode.CREATE_CQ -> completionQueue(in.at(CreateCqIn.CQ_CONTEXT));
      case CommandOpcode.CREATE_XRQ -> tags(in.at(CreateXrqIn.XRQ_CONTEXT));
      case CommandOpcode.CREATE_QP -> initiator(in.at(CreateQpIn.QPC));
      case CommandOpcode.CREATE_DCT -> {
        View context = in.at(CreateDctIn.DCT_CONTEXT_ENTRY);
        order(context.isSet(Dctc.DP_ORDERING_1), CmdHcaCap.DP_ORDERING_OOO_ALL_DC);
      }
      case CommandOpcode.INIT2INIT_QP ->
          need(
              in.at(Init2initQpIn.QPC_DATA_EXT).isSet(QpcExt.MMO),
              CmdHcaCap.DMA_MMO_QP,
              "mmo is 1");
      case CommandOpcode.INIT2RTR_QP ->
          order(in.at(Init2rtrQpIn.QPC).isSet(Qpc.DP_ORDERING_1), CmdHcaCap.DP_ORDERING_OOO_ALL_RC);
      default -> {
        // Other commands need only capabilities that every card has.
      }
    }
  }

  private void order(boolean all, Field capability) {
    need(all, capability, "dp_ordering is 2, all out of order");
  }

  private void completionQueue(View context) {
    boolean compressed = context.isSet(Cqc.CQE_COMP_EN);
    need(compressed, CmdHcaCap.CQE_COMPRESSION, "cqe_comp_en is 1");
    need(
        compressed && context.getInt(Cqc.CQE_COMPRESSION_LAYOUT) == Cqc.LAYOUT_ENHANCED,
        CmdHcaCap.ENHANCED_CQE_COMPRESSION,
        "cqe_compression_layout is 1, enhanced");
  }

  private void tags(View context) {
    need(true, CmdHcaCap.TAG_MATCHING, "a tag-matching queue");
    atMost(
        context.at(Xrqc.TAG_MATCHING_TOPOLOGY_CONTEXT),
        TagMatchingTopologyContext.LOG_MATCHING_LIST_SZ,
        CmdHcaCap.LOG_TAG_MATCHING_LIST_SZ);
  }

  private void initiator(View context) {
    if (context.getInt(Qpc.ST) == ServiceType.DCI.code()) {
      atMost(context, Qpc.LOG_NUM_DCI_STREAM_CHANNELS, CmdHcaCap.LOG_MAX_DCI_STREAM_CHANNELS);
      atMost(context, Qpc.LOG_NUM_DCI_ERRORED_STREAMS, CmdHcaCap.LOG_MAX_DCI_ERRORED_STREAMS);
    }
  }
}
