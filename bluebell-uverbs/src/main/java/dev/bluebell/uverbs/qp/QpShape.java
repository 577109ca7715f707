package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.hca.uverbs.QpAbi.Mlx5CreateQp;
import dev.bluebell.hca.uverbs.QpAbi.QpCap;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.ReceiveSignatureSegment;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.pages.SharedRanges;
import dev.bluebell.uverbs.session.ContextRegisters;
import dev.bluebell.uverbs.session.Session;
import dev.bluebell.uverbs.srq.Srq;
import dev.bluebell.uverbs.uar.Uar;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The places of the queues of a QP, and their sizes. Mirrors {@code mlx5_ib qp.c: set_rq_size,
 * set_user_buf_size}.
 *
 * @param register on which its doorbells ring
 * @param sends WQEBBs of the send queue; 0 for none
 * @param receives entries of the receive queue; 0 for none of its own
 * @param signed whether every WQE has a signature
 * @param shared the shared receive queue; the QP has no receive queue of its own then
 */
record QpShape(
    SharedRanges.Place rings,
    SharedRanges.Place record,
    ContextRegisters.Register register,
    int sends,
    int receives,
    int logReceiveStride,
    boolean signed,
    @Nullable Srq shared) {
  private static final int MAX_WQEBBS = 1 << 15;

  /** Shares the memory that a request names with the device. */
  static QpShape share(Session session, QpRequest request, QpType type) throws IOException {
    View driver = request.driver();
    int sends = driver.getInt(Mlx5CreateQp.SQ_WQE_COUNT);
    boolean hasOwn = type.receives() && request.srq().isEmpty();
    int receives =
        hasOwn && request.capabilities().isSet(QpCap.MAX_RECV_WR)
            ? driver.getInt(Mlx5CreateQp.RQ_WQE_COUNT)
            : 0;
    int shift = driver.getInt(Mlx5CreateQp.RQ_WQE_SHIFT);
    Refusal.require(
        sends == 0 || isPowerOfTwo(sends) && sends <= MAX_WQEBBS,
        Errno.EINVAL,
        "sq_wqe_count %d is not a power of two up to %d",
        sends,
        MAX_WQEBBS);
    Refusal.require(
        receives == 0
            || isPowerOfTwo(receives) && receives <= MAX_WQEBBS && shift >= 4 && shift <= 9,
        Errno.EINVAL,
        "a receive queue can't have rq_wqe_count %d and rq_wqe_shift %d",
        receives,
        shift);
    @Nullable Srq shared =
        type.receives() && request.srq().isPresent()
            ? shared(session, request.srq().getAsInt())
            : null;
    boolean signed = (request.driverFlags() & Mlx5.QP_FLAG_SIGNATURE) != 0;
    long bytes = ((long) receives << shift) + ((long) sends << ControlSegment.LOG_WQEBB_BYTES);
    ContextRegisters.Register register = register(session, request);
    SharedRanges ranges = session.ranges();
    long recordAddress = driver.get(Mlx5CreateQp.DB_ADDR);
    SharedRanges.Place record;
    try {
      record = ranges.share("QP doorbell record", recordAddress, DoorbellRecord.BYTES);
    } catch (IOException | RuntimeException e) {
      register.release().run();
      throw e;
    }
    try {
      // A queue pair without queues has no buffer, but the command must name a umem.
      SharedRanges.Place rings =
          bytes == 0
              ? ranges.share("QP", recordAddress, DoorbellRecord.BYTES)
              : ranges.share("QP buffer", driver.get(Mlx5CreateQp.BUF_ADDR), bytes);
      return new QpShape(rings, record, register, sends, receives, shift, signed, shared);
    } catch (IOException | RuntimeException e) {
      record.release(true);
      register.release().run();
      throw e;
    }
  }

  private static ContextRegisters.Register register(Session session, QpRequest request)
      throws IOException {
    int flags = request.driverFlags();
    int named = request.driver().getInt(Mlx5CreateQp.BFREG_INDEX);
    if ((flags & Mlx5.QP_FLAG_UAR_PAGE_INDEX) != 0) {
      return ContextRegisters.Register.of(Uar.require(session, named));
    }
    return (flags & Mlx5.QP_FLAG_BFREG_INDEX) != 0
        ? ContextRegisters.Register.of(session.registers().mapped(named))
        : session.registers().take();
  }

  private static Srq shared(Session session, int handle) {
    Srq srq = session.handles().find(Srq.class, handle);
    Refusal.require(
        !srq.isOfXrc(),
        Errno.EINVAL,
        "SRQ 0x%x is of XRC, and a QP that receives in it is an XRC target",
        srq.number());
    return srq;
  }

  private static boolean isPowerOfTwo(int value) {
    return value > 0 && (value & value - 1) == 0;
  }

  /** True when it receives from a tag-matching queue. */
  boolean matchesTags() {
    return shared != null && shared.matchesTags();
  }

  /** Data segments of a receive; a signature replaces the first. */
  int receiveSegments() {
    int bytes = (1 << logReceiveStride) - (signed ? ReceiveSignatureSegment.BYTES : 0);
    return bytes / DataSegment.BYTES;
  }

  /** Returns the memory, once no queue lies in it. */
  void release(boolean alive) throws IOException {
    record.release(alive);
    rings.release(alive);
    register.release().run();
  }
}
