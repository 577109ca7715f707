package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.queue.ReceiveQueue;

/**
 * The checked work queue that the context of a pool of receive WQEs describes. The device does not
 * check the signatures that wq_signature announces: no public client writes any into a pool's WQEs.
 *
 * @param domain the domain of the memory keys in its WQEs
 * @param linked whether its WQEs are taken in the order of their links
 * @param striding whether its WQEs are divided into strides
 * @param logStrides log2 of the number of strides of a WQE
 * @param logStrideBytes log2 of the bytes of such a stride
 */
record ReceiveWq(
    ProtectionDomain domain,
    Placement ring,
    Placement record,
    int logStride,
    int logSize,
    boolean linked,
    boolean striding,
    int logStrides,
    int logStrideBytes,
    int limit) {
  /** Smallest stride: the next segment and one data segment. */
  static final int MIN_LOG_STRIDE = 5;

  static ReceiveWq of(Inventory inventory, View wq) {
    int type = wq.getInt(Wq.WQ_TYPE);
    int logSize = wq.getInt(Wq.LOG_WQ_SZ);
    int logStride = wq.getInt(Wq.LOG_WQ_STRIDE);
    requireValid(
        type <= Wq.WQ_TYPE_CYCLIC_STRIDING_RQ,
        "wq_type %d: this device has linked lists (0) and rings (1), also with strides (2, 3)",
        type);
    boolean striding = type >= Wq.WQ_TYPE_LINKED_LIST_STRIDING_RQ;
    int logStrides = logStrides(wq);
    requireValid(
        !striding || logStrides >= Limits.LOG_MIN_STRIDES,
        "log_wqe_num_of_strides 0x%x: a WQE has at least %d strides, which is 0xa",
        wq.getInt(Wq.LOG_WQE_NUM_OF_STRIDES),
        1 << Limits.LOG_MIN_STRIDES);
    requireValid(
        !striding || !wq.isSet(Wq.TWO_BYTE_SHIFT_EN),
        "two_byte_shift_en is 1: it shifts Ethernet frames, which this device does not receive");
    requireValid(
        logStride >= MIN_LOG_STRIDE && 1 << logStride <= Limits.MAX_RECEIVE_WQE_BYTES,
        "log_wq_stride %d: a WQE has 32 to %d bytes",
        logStride,
        Limits.MAX_RECEIVE_WQE_BYTES);
    requireValid(
        logSize <= Limits.LOG_MAX_SRQ_SIZE,
        "log_wq_sz %d is larger than log_max_srq_sz %d",
        logSize,
        Limits.LOG_MAX_SRQ_SIZE);
    ProtectionDomain domain = inventory.domain(wq.getInt(Wq.PD));
    long offset =
        wq.get(Wq.WQ_UMEM_OFFSET)
            + Placement.pageOffsetBytes(wq.getInt(Wq.PAGE_OFFSET), wq.getInt(Wq.LOG_WQ_PG_SZ));
    Placement ring =
        Placement.of(
            inventory,
            "wq",
            "wq_umem_offset, page_offset, log_wq_pg_sz, log_wq_sz, log_wq_stride",
            wq.isSet(Wq.WQ_UMEM_VALID),
            wq.getInt(Wq.WQ_UMEM_ID),
            offset,
            1L << logSize + logStride,
            16);
    Placement record =
        Placement.of(
            inventory,
            "dbr",
            "dbr_addr",
            wq.isSet(Wq.DBR_UMEM_VALID),
            wq.getInt(Wq.DBR_UMEM_ID),
            wq.get(Wq.DBR_ADDR),
            DoorbellRecord.POOL_BYTES,
            DoorbellRecord.POOL_BYTES);
    return new ReceiveWq(
        domain,
        ring,
        record,
        logStride,
        logSize,
        type == Wq.WQ_TYPE_LINKED_LIST || type == Wq.WQ_TYPE_LINKED_LIST_STRIDING_RQ,
        striding,
        logStrides,
        Wq.LOG_WQE_STRIDE_SIZE_OF_0 + wq.getInt(Wq.LOG_WQE_STRIDE_SIZE),
        wq.getInt(Wq.LWM));
  }

  // A signed number of 4 bits: 0 means 2^9 strides.
  private static int logStrides(View wq) {
    int code = wq.getInt(Wq.LOG_WQE_NUM_OF_STRIDES);
    return Wq.LOG_WQE_NUM_OF_STRIDES_OF_0 + (code < 8 ? code : code - 16);
  }

  /** The queue, with the number of its pool. */
  ReceiveQueue queue(int number) {
    ReceiveQueue queue =
        ReceiveQueue.pool(
            ring.umem(),
            ring.address(),
            logStride,
            logSize,
            record.address(),
            linked,
            number,
            domain.number());
    if (striding) {
      queue.divide(logStrides, logStrideBytes);
    }
    queue.setLimit(limit);
    return queue;
  }

  /** Changes the number of users of its domain and memory. */
  void use(int delta) {
    domain.use(delta);
    ring.use(delta);
    record.use(delta);
  }
}
