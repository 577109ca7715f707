package dev.bluebell.verbs.pair;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.command.QueuePairCommands;
import dev.bluebell.verbs.command.QueuePairShape;
import dev.bluebell.verbs.object.DeviceCapabilities;
import dev.bluebell.verbs.object.DoorbellRecordPool;
import dev.bluebell.verbs.object.QueueResources;
import dev.bluebell.verbs.receive.SharedReceives;
import dev.bluebell.verbs.value.Sizes;

/** The command that creates a queue pair of any service. */
final class CreateQueuePair {
  private CreateQueuePair() {}

  /**
   * CREATE_QP. In memory, the send queue directly follows the receive queue.
   *
   * @param userIndex the user index that completions carry
   */
  static byte[] command(QueuePairPlan plan, QueueResources resources, int userIndex) {
    QueuePairShape shape = plan.shape();
    SharedReceives shared = plan.uses().sharedReceives();
    DoorbellRecordPool.Record record = resources.record();
    View command = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    command
        .set(CreateQpIn.WQ_UMEM_ID, resources.memory().umem().number())
        .set(CreateQpIn.WQ_UMEM_VALID, true);
    View qpc = command.at(CreateQpIn.QPC);
    qpc.set(Qpc.ST, plan.service().code())
        .set(Qpc.PM_STATE, Qpc.PM_STATE_MIGRATED)
        .set(Qpc.PD, plan.uses().domain().number())
        .set(Qpc.LOG_MSG_MAX, QueuePairCommands.LOG_MSG_MAX)
        .set(Qpc.LOG_SQ_SIZE, shape.logSendWqebbs())
        .set(Qpc.TS_FORMAT, DeviceCapabilities.timestampFormat(plan.device().attributes()))
        .set(Qpc.UAR_PAGE, resources.register().page())
        .set(Qpc.USER_INDEX, userIndex)
        .set(Qpc.CQN_SND, plan.uses().sendCompletions().number())
        .set(Qpc.CQN_RCV, plan.uses().receiveCompletions().number())
        .set(Qpc.LOG_ACK_REQ_FREQ, QueuePairCommands.LOG_ACK_REQ_FREQ)
        .set(Qpc.DBR_UMEM_ID, record.umem())
        .set(Qpc.DBR_UMEM_VALID, true)
        .set(Qpc.DBR_ADDR, record.offset())
        .set(Qpc.CS_REQ, csReq(plan.features().answersInCqe()))
        .set(Qpc.CS_RES, csRes(plan.features().receivesInCqe()))
        .set(Qpc.WQ_SIGNATURE, plan.features().signatures())
        .set(Qpc.CD_MASTER, plan.channel().master())
        .set(Qpc.CD_SLAVE_SEND, plan.channel().managedSends())
        .set(Qpc.CD_SLAVE_RECEIVE, plan.channel().managedReceives())
        .set(Qpc.LOG_NUM_DCI_STREAM_CHANNELS, Sizes.log2Floor(plan.streams().streams()))
        .set(Qpc.LOG_NUM_DCI_ERRORED_STREAMS, Sizes.log2Floor(plan.streams().failures()));
    if (shape.hasReceiveQueue()) {
      qpc.set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_REGULAR)
          .set(Qpc.LOG_RQ_SIZE, shape.logReceives())
          .set(Qpc.LOG_RQ_STRIDE, shape.logReceiveStride() - Qpc.LOG_RQ_STRIDE_OF_0);
    } else if (shared != null) {
      qpc.set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_SHARED).set(Qpc.SRQN_RMPN_XRQN, shared.number());
    } else {
      // XRC requests themselves name their shared receive queues, whatever the peer.
      boolean named = plan.service() == ServiceType.XRC;
      qpc.set(Qpc.RQ_TYPE, named ? Qpc.RQ_TYPE_SHARED : Qpc.RQ_TYPE_NONE);
    }
    return command.bytes();
  }

  /** cs_req, {@code qp.h: MLX5_REQ_SCAT_DATA32_CQE, MLX5_REQ_SCAT_DATA64_CQE}. */
  private static int csReq(int bytes) {
    return 0x11 * csRes(bytes);
  }

  /** cs_res, {@code qp.h: MLX5_RES_SCAT_DATA32_CQE, MLX5_RES_SCAT_DATA64_CQE}. */
  private static int csRes(int bytes) {
    return bytes / 32;
  }
}
