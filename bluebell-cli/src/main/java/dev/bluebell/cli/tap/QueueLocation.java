package dev.bluebell.cli.tap;

import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ControlSegment;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/** Finds the memory of queues in the commands that create them. */
final class QueueLocation {
  private QueueLocation() {}

  /** False for XRC targets. */
  static boolean hasSendQueue(byte[] createQp) {
    return !View.over(createQp).at(CreateQpIn.QPC).isSet(Qpc.NO_SQ);
  }

  private static long receiveBytes(View qpc) {
    return qpc.getInt(Qpc.RQ_TYPE) == Qpc.RQ_TYPE_REGULAR
        ? 1L << qpc.getInt(Qpc.LOG_RQ_SIZE) + qpc.getInt(Qpc.LOG_RQ_STRIDE) + Qpc.LOG_RQ_STRIDE_OF_0
        : 0;
  }

  static QueuePlaces places(
      byte[] createQp, Map<Integer, MemorySegment> umems, Map<Integer, Long> pages) {
    View qpc = View.over(createQp).at(CreateQpIn.QPC);
    int page = qpc.getInt(Qpc.UAR_PAGE);
    return new QueuePlaces(
        umem(umems, qpc.getInt(Qpc.DBR_UMEM_ID))
            .asSlice(qpc.get(Qpc.DBR_ADDR), DoorbellRecord.BYTES),
        page,
        pages.getOrDefault(page, 0L));
  }

  /** The send queue follows the receive queue. */
  static MemorySegment sendQueue(byte[] createQp, Map<Integer, MemorySegment> umems) {
    View command = View.over(createQp);
    View qpc = command.at(CreateQpIn.QPC);
    long receiveBytes = receiveBytes(qpc);
    long bytes = (long) ControlSegment.WQEBB_BYTES << qpc.getInt(Qpc.LOG_SQ_SIZE);
    return umem(umems, command.getInt(CreateQpIn.WQ_UMEM_ID))
        .asSlice(command.get(CreateQpIn.WQ_UMEM_OFFSET) + receiveBytes, bytes);
  }

  static MemorySegment completionQueue(byte[] createCq, Map<Integer, MemorySegment> umems) {
    View command = View.over(createCq);
    View cqc = command.at(CreateCqIn.CQ_CONTEXT);
    long entry = cqc.getInt(Cqc.CQE_SZ) == Cqc.CQE_SZ_128_BYTES ? Cqe.BYTES_128 : Cqe.BYTES;
    return umem(umems, command.getInt(CreateCqIn.CQ_UMEM_ID))
        .asSlice(command.get(CreateCqIn.CQ_UMEM_OFFSET), entry << cqc.getInt(Cqc.LOG_CQ_SIZE));
  }

  static MemorySegment completionRecord(byte[] createCq, Map<Integer, MemorySegment> umems) {
    View cqc = View.over(createCq).at(CreateCqIn.CQ_CONTEXT);
    return umem(umems, cqc.getInt(Cqc.DBR_UMEM_ID))
        .asSlice(cqc.get(Cqc.DBR_ADDR), DoorbellRecord.BYTES);
  }

  private static MemorySegment umem(Map<Integer, MemorySegment> umems, int number) {
    MemorySegment memory = umems.get(number);
    if (memory == null) {
      throw new IllegalArgumentException("umem %d was not registered here".formatted(number));
    }
    return memory;
  }
}
