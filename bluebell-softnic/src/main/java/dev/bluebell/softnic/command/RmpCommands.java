package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.require;

import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CreateRmpIn;
import dev.bluebell.hca.command.CreateRmpOut;
import dev.bluebell.hca.command.DestroyRmpIn;
import dev.bluebell.hca.command.ModifyRmpIn;
import dev.bluebell.hca.command.QueryRmpIn;
import dev.bluebell.hca.command.QueryRmpOut;
import dev.bluebell.hca.command.RmpBitmask;
import dev.bluebell.hca.command.Rmpc;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.command.Wq;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.softnic.queue.ReceiveQueue;

/** CREATE_RMP, QUERY_RMP, MODIFY_RMP, DESTROY_RMP. */
final class RmpCommands {
  /** Smallest stride: the next segment and one data segment. */
  private static final int MIN_LOG_STRIDE = 5;

  private final Inventory inventory;

  RmpCommands(Inventory inventory) {
    this.inventory = inventory;
  }

  View create(View in) {
    View rmpc = in.at(CreateRmpIn.CTX);
    View wq = rmpc.at(Rmpc.WQ);
    int type = wq.getInt(Wq.WQ_TYPE);
    int logSize = wq.getInt(Wq.LOG_WQ_SZ);
    int logStride = wq.getInt(Wq.LOG_WQ_STRIDE);
    require(
        rmpc.getInt(Rmpc.STATE) == Rmpc.STATE_RDY,
        CommandStatus.BAD_PARAM,
        "state %d: a receive pool is created in state RDY (1)",
        rmpc.getInt(Rmpc.STATE));
    require(
        type <= Wq.WQ_TYPE_CYCLIC_STRIDING_RQ,
        CommandStatus.BAD_PARAM,
        "wq_type %d: this device has linked lists (0) and rings (1), also with strides (2, 3)",
        type);
    boolean striding = type >= Wq.WQ_TYPE_LINKED_LIST_STRIDING_RQ;
    int logStrides = logStrides(wq);
    require(
        !striding || logStrides >= Limits.LOG_MIN_STRIDES,
        CommandStatus.BAD_PARAM,
        "log_wqe_num_of_strides 0x%x: a WQE has at least %d strides, which is 0xa",
        wq.getInt(Wq.LOG_WQE_NUM_OF_STRIDES),
        1 << Limits.LOG_MIN_STRIDES);
    require(
        !striding || !wq.isSet(Wq.TWO_BYTE_SHIFT_EN),
        CommandStatus.BAD_PARAM,
        "two_byte_shift_en is 1: only frames are shifted, and this device receives none");
    require(
        !wq.isSet(Wq.WQ_SIGNATURE),
        CommandStatus.BAD_PARAM,
        "wq_signature is 1: this device does not check signatures");
    require(
        logStride >= MIN_LOG_STRIDE && 1 << logStride <= Limits.MAX_RECEIVE_WQE_BYTES,
        CommandStatus.BAD_PARAM,
        "log_wq_stride %d: a WQE has 32 to %d bytes",
        logStride,
        Limits.MAX_RECEIVE_WQE_BYTES);
    require(
        logSize <= Limits.LOG_MAX_SRQ_SIZE,
        CommandStatus.BAD_PARAM,
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
    int rmpn = inventory.receivePools.allocate();
    require(rmpn >= 0, CommandStatus.NO_RES, "all receive pools are in use");
    View context = View.of(Rmpc.STRUCTURE);
    rmpc.copyTo(context, Rmpc.STRUCTURE.bytes());
    boolean linked = type == Wq.WQ_TYPE_LINKED_LIST || type == Wq.WQ_TYPE_LINKED_LIST_STRIDING_RQ;
    ReceiveQueue queue =
        striding
            ? ReceiveQueue.stridingPool(
                ring.umem(),
                ring.address(),
                logStride,
                logSize,
                record.address(),
                linked,
                rmpn,
                domain.number(),
                logStrides,
                Wq.LOG_WQE_STRIDE_SIZE_OF_0 + wq.getInt(Wq.LOG_WQE_STRIDE_SIZE))
            : ReceiveQueue.pool(
                ring.umem(),
                ring.address(),
                logStride,
                logSize,
                record.address(),
                linked,
                rmpn,
                domain.number());
    inventory.receivePools.put(
        rmpn,
        new ReceivePool(
            rmpn, context.bytes(), domain, queue, ring.umem(), record.umem(), new int[1]));
    domain.use(1);
    ring.umem().use();
    record.umem().use();
    return View.of(CreateRmpOut.STRUCTURE).set(CreateRmpOut.RMPN, rmpn);
  }

  // A number of 4 bits with a sign: 0 are 2^9 strides.
  private static int logStrides(View wq) {
    int code = wq.getInt(Wq.LOG_WQE_NUM_OF_STRIDES);
    return Wq.LOG_WQE_NUM_OF_STRIDES_OF_0 + (code < 8 ? code : code - 16);
  }

  View query(View in) {
    View out = View.of(QueryRmpOut.STRUCTURE);
    ReceivePool pool = inventory.receivePool("rmpn", in.getInt(QueryRmpIn.RMPN));
    View context = out.at(QueryRmpOut.RMP_CONTEXT);
    View.over(pool.context()).copyTo(context, Rmpc.STRUCTURE.bytes());
    context.at(Rmpc.WQ).set(Wq.LWM, pool.queue().limit());
    return out;
  }

  View modify(View in) {
    ReceivePool pool = inventory.receivePool("rmpn", in.getInt(ModifyRmpIn.RMPN));
    require(
        in.getInt(ModifyRmpIn.RMP_STATE) == Rmpc.STATE_RDY,
        CommandStatus.BAD_RES_STATE,
        "rmp_state %d: the receive pool is in state RDY (1)",
        in.getInt(ModifyRmpIn.RMP_STATE));
    if (in.at(ModifyRmpIn.BITMASK).isSet(RmpBitmask.LWM)) {
      pool.queue().setLimit(in.at(ModifyRmpIn.CTX).at(Rmpc.WQ).getInt(Wq.LWM));
    }
    return Firmware.ok();
  }

  View destroy(View in) {
    ReceivePool pool = inventory.receivePool("rmpn", in.getInt(DestroyRmpIn.RMPN));
    require(
        pool.users()[0] == 0,
        CommandStatus.RES_BUSY,
        "RMP 0x%x still serves %d queue pairs; close them first",
        pool.number(),
        pool.users()[0]);
    pool.domain().use(-1);
    pool.ringMemory().release();
    pool.recordMemory().release();
    inventory.receivePools.remove(pool.number());
    return Firmware.ok();
  }
}
