package dev.bluebell.cli.tap;

import dev.bluebell.hca.command.Cqc;
import dev.bluebell.hca.command.CreateCqIn;
import dev.bluebell.hca.command.CreateQpIn;
import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.wqe.ControlSegment;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/** Reads from the commands that create queues where their rings lie. */
final class QueueLocation {
  private QueueLocation() {}

  /** False of XRC targets. */
  static boolean hasSendQueue(byte[] createQp) {
    return !View.over(createQp).at(CreateQpIn.QPC).isSet(Qpc.NO_SQ);
  }

  /** The send queue lies behind the receive queue. */
  static MemorySegment sendQueue(byte[] createQp, Map<Integer, MemorySegment> umems) {
    View command = View.over(createQp);
    View qpc = command.at(CreateQpIn.QPC);
    long receiveBytes =
        qpc.getInt(Qpc.RQ_TYPE) == Qpc.RQ_TYPE_REGULAR
            ? 1L
                << qpc.getInt(Qpc.LOG_RQ_SIZE)
                    + qpc.getInt(Qpc.LOG_RQ_STRIDE)
                    + Qpc.LOG_RQ_STRIDE_OF_0
            : 0;
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

  private static MemorySegment umem(Map<Integer, MemorySegment> umems, int number) {
    MemorySegment memory = umems.get(number);
    if (memory == null) {
      throw new IllegalArgumentException("umem %d was not registered here".formatted(number));
    }
    return memory;
  }
}
