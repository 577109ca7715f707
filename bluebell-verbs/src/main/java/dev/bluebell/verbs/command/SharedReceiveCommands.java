package dev.bluebell.verbs.command;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.RmpCommands.CreateRmpIn;
import dev.bluebell.hca.command.RmpCommands.ModifyRmpIn;
import dev.bluebell.hca.command.RmpCommands.RmpBitmask;
import dev.bluebell.hca.command.RmpCommands.Rmpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.structure.View;

/** The commands of shared receive queues: functions from values to command bytes. */
public final class SharedReceiveCommands {
  private SharedReceiveCommands() {}

  /** CREATE_RMP of a linked list. */
  public static byte[] create(ReceiveEntries entries) {
    View command = View.command(CreateRmpIn.STRUCTURE, CommandOpcode.CREATE_RMP);
    View context = command.at(CreateRmpIn.CTX).set(Rmpc.STATE, Rmpc.STATE_RDY);
    setQueue(context.at(Rmpc.WQ), entries);
    return command.bytes();
  }

  /** CREATE_RMP of a linked list whose entries have strides. */
  public static byte[] createStriding(ReceiveEntries entries, int logStrides, int logStrideBytes) {
    View command = View.over(create(entries));
    command
        .at(CreateRmpIn.CTX)
        .at(Rmpc.WQ)
        .set(Wq.WQ_TYPE, Wq.WQ_TYPE_LINKED_LIST_STRIDING_RQ)
        .set(Wq.LOG_WQE_NUM_OF_STRIDES, logStrides - Wq.LOG_WQE_NUM_OF_STRIDES_OF_0 & 0xf)
        .set(Wq.LOG_WQE_STRIDE_SIZE, logStrideBytes - Wq.LOG_WQE_STRIDE_SIZE_OF_0);
    return command.bytes();
  }

  /** Describes a linked list of receive entries in a work queue context. */
  public static void setQueue(View wq, ReceiveEntries entries) {
    wq.set(Wq.WQ_TYPE, Wq.WQ_TYPE_LINKED_LIST)
        .set(Wq.PD, entries.domain())
        .set(Wq.LOG_WQ_SZ, entries.shape().logEntries())
        .set(Wq.LOG_WQ_STRIDE, entries.shape().logStride())
        .set(Wq.WQ_UMEM_VALID, true)
        .set(Wq.WQ_UMEM_ID, entries.memory().umem().number())
        .set(Wq.DBR_UMEM_VALID, true)
        .set(Wq.DBR_UMEM_ID, entries.record().umem())
        .set(Wq.DBR_ADDR, entries.record().offset());
  }

  /** MODIFY_RMP with another limit; 0 for none. */
  public static byte[] limit(int number, int limit) {
    View command =
        View.command(ModifyRmpIn.STRUCTURE, CommandOpcode.MODIFY_RMP)
            .set(ModifyRmpIn.RMPN, number)
            .set(ModifyRmpIn.RMP_STATE, Rmpc.STATE_RDY);
    command.at(ModifyRmpIn.BITMASK).set(RmpBitmask.LWM, true);
    command.at(ModifyRmpIn.CTX).at(Rmpc.WQ).set(Wq.LWM, limit);
    return command.bytes();
  }
}
