package dev.bluebell.verbs.command;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.CqCommands.ModifyCqIn;
import dev.bluebell.hca.command.CqCommands.ModifyFieldSelect;
import dev.bluebell.hca.command.CqCommands.ResizeFieldSelect;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.CqeCompression;

/** The commands that change completion queues: functions from values to command bytes. */
public final class CompletionCommands {
  private CompletionCommands() {}

  /** Value of cqe_compression_layout. */
  public static int layout(CqeCompression compression) {
    return compression == CqeCompression.ENHANCED ? Cqc.LAYOUT_ENHANCED : Cqc.LAYOUT_BASIC;
  }

  /** Value of cqe_sz. */
  public static int cqeSize(int cqeBytes) {
    return cqeBytes == Cqe.BYTES_128 ? Cqc.CQE_SZ_128_BYTES : Cqc.CQE_SZ_64_BYTES;
  }

  /**
   * MODIFY_CQ with other moderation of events.
   *
   * @param umem that of the current ring: Linux marks it as valid in each MODIFY_CQ
   */
  public static byte[] moderate(int cqn, int umem, int count, int micros) {
    View command = modify(cqn, umem);
    command
        .at(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT_MODIFY_FIELD_SELECT)
        .set(
            ModifyFieldSelect.MODIFY_FIELD_SELECT,
            ModifyFieldSelect.PERIOD | ModifyFieldSelect.COUNT);
    command.at(ModifyCqIn.CQ_CONTEXT).set(Cqc.CQ_MAX_COUNT, count).set(Cqc.CQ_PERIOD, micros);
    return command.bytes();
  }

  /** MODIFY_CQ with a new ring; its umem is in the same field as in CREATE_CQ. */
  public static byte[] resize(int cqn, int umem, int logEntries, int cqeBytes) {
    View command =
        modify(cqn, umem)
            .set(CmdIn.OP_MOD, ModifyCqIn.OP_MOD_RESIZE)
            .set(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT, ResizeFieldSelect.RING)
            .set(ModifyCqIn.CQ_UMEM_VALID, true);
    command
        .at(ModifyCqIn.CQ_CONTEXT)
        .set(Cqc.LOG_CQ_SIZE, logEntries)
        .set(Cqc.CQE_SZ, cqeSize(cqeBytes));
    return command.bytes();
  }

  private static View modify(int cqn, int umem) {
    return View.command(ModifyCqIn.STRUCTURE, CommandOpcode.MODIFY_CQ)
        .set(ModifyCqIn.CQN, cqn)
        .set(CreateCqIn.CQ_UMEM_ID, umem);
  }
}
