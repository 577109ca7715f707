package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.allocated;
import static dev.bluebell.softnic.command.CommandFailure.requireUnused;
import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.DomainCommands.AllocXrcdOut;
import dev.bluebell.hca.command.DomainCommands.DeallocXrcdIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.XrcSrqCommands.ArmXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.CreateXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.CreateXrcSrqOut;
import dev.bluebell.hca.command.XrcSrqCommands.DestroyXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.QueryXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.QueryXrcSrqOut;
import dev.bluebell.hca.command.XrcSrqCommands.XrcSrqc;
import dev.bluebell.hca.command.XrcSrqUmems;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.ReceiveQueue;
import dev.bluebell.softnic.transport.connection.ReceiveSource;
import dev.bluebell.softnic.transport.receive.XrcSrq;
import java.util.List;

/** ALLOC_XRCD, DEALLOC_XRCD, CREATE_XRC_SRQ, QUERY_XRC_SRQ, ARM_XRC_SRQ, DESTROY_XRC_SRQ. */
final class XrcCommands {
  private final Inventory inventory;

  XrcCommands(Inventory inventory) {
    this.inventory = inventory;
  }

  View allocateDomain() {
    int number = allocated(inventory.xrcDomains, "all %d XRC domains are in use (log_max_xrcd)");
    inventory.xrcDomains.put(number, new XrcDomain(number));
    return View.of(AllocXrcdOut.STRUCTURE).set(AllocXrcdOut.XRCD, number);
  }

  View deallocateDomain(View in) {
    XrcDomain domain = inventory.xrcDomain(in.getInt(DeallocXrcdIn.XRCD));
    requireUnused(
        domain.users(),
        "XRC domain 0x%x still has queue pairs or XRC SRQs (%d); close them first",
        domain.number());
    inventory.xrcDomains.remove(domain.number());
    return Firmware.ok();
  }

  View create(View in) {
    View srqc = in.at(CreateXrcSrqIn.XRC_SRQ_CONTEXT_ENTRY);
    int logSize = srqc.getInt(XrcSrqc.LOG_XRC_SRQ_SIZE);
    int logStride = srqc.getInt(XrcSrqc.LOG_RQ_STRIDE) + Qpc.LOG_RQ_STRIDE_OF_0;
    for (var field : List.of(XrcSrqc.STATE, XrcSrqc.CONT_SRQ)) {
      requireValid(
          !srqc.isSet(field),
          "%s is %d: it must be 0 for an XRC SRQ of this device",
          field.name(),
          srqc.getInt(field));
    }
    requireValid(
        logStride >= ReceiveWq.MIN_LOG_STRIDE && 1 << logStride <= Limits.MAX_RECEIVE_WQE_BYTES,
        "log_rq_stride %d: a WQE of an XRC SRQ has 32 to %d bytes",
        srqc.getInt(XrcSrqc.LOG_RQ_STRIDE),
        Limits.MAX_RECEIVE_WQE_BYTES);
    ProtectionDomain domain = inventory.domain(srqc.getInt(XrcSrqc.PD));
    XrcDomain xrcDomain = inventory.xrcDomain(srqc.getInt(XrcSrqc.XRCD));
    CompletionQueue completions = inventory.completionQueue("cqn", srqc.getInt(XrcSrqc.CQN));
    Placement ring = ring(in, srqc, 1L << logSize + logStride);
    Placement record =
        Placement.of(
            inventory,
            "dbr",
            "db_record_addr_h, db_record_addr_l",
            srqc.isSet(XrcSrqc.DBR_UMEM_VALID),
            srqc.getInt(XrcSrqUmems.DBR_UMEM_ID),
            srqc.get(XrcSrqUmems.DBR_ADDR),
            DoorbellRecord.POOL_BYTES,
            DoorbellRecord.POOL_BYTES);
    int number = allocated(inventory.xrcSrqs, "all %d XRC SRQs are in use");
    ReceiveQueue queue =
        ReceiveQueue.pool(
            ring.umem(),
            ring.address(),
            logStride,
            logSize,
            record.address(),
            !srqc.isSet(XrcSrqc.BASIC_CYCLIC_RCV_WQE),
            number,
            domain.number());
    queue.setLimit(srqc.getInt(XrcSrqc.LWM));
    View context = View.of(XrcSrqc.STRUCTURE);
    srqc.copyTo(context, XrcSrqc.STRUCTURE.bytes());
    ReceiveSource source = new ReceiveSource(queue, completions, userIndex(srqc, number), true);
    inventory.xrcSrqs.put(
        number,
        new XrcSrq(number, xrcDomain.number(), context.bytes(), source),
        domain::use,
        xrcDomain::use,
        completions::use,
        ring::use,
        record::use);
    return View.of(CreateXrcSrqOut.STRUCTURE).set(CreateXrcSrqOut.XRC_SRQN, number);
  }

  private static int userIndex(View srqc, int number) {
    return srqc.isSet(XrcSrqc.USER_INDEX_EQUAL_XRC_SRQN) ? number : srqc.getInt(XrcSrqc.USER_INDEX);
  }

  private Placement ring(View in, View srqc, long bytes) {
    long offset =
        in.get(XrcSrqUmems.WQ_UMEM_OFFSET)
            + Placement.pageOffsetBytes(
                srqc.getInt(XrcSrqc.PAGE_OFFSET), srqc.getInt(XrcSrqc.LOG_PAGE_SIZE));
    return Placement.of(
        inventory,
        "xrc_srq",
        "xrc_srq_umem_offset, page_offset, log_page_size, log_xrc_srq_size, log_rq_stride",
        in.isSet(CreateXrcSrqIn.XRC_SRQ_UMEM_VALID),
        in.getInt(XrcSrqUmems.WQ_UMEM_ID),
        offset,
        bytes,
        16);
  }

  View query(View in) {
    XrcSrq srq = inventory.xrcSrq(in.getInt(QueryXrcSrqIn.XRC_SRQN));
    View out = View.of(QueryXrcSrqOut.STRUCTURE);
    View context = out.at(QueryXrcSrqOut.XRC_SRQ_CONTEXT_ENTRY);
    View.over(srq.context()).copyTo(context, XrcSrqc.STRUCTURE.bytes());
    context.set(XrcSrqc.LWM, srq.source().queue().limit());
    return out;
  }

  View arm(View in) {
    XrcSrq srq = inventory.xrcSrq(in.getInt(ArmXrcSrqIn.XRC_SRQN));
    requireValid(
        in.getInt(CmdIn.OP_MOD) == ArmXrcSrqIn.OP_MOD_XRC_SRQ,
        "op_mod %d: it must be 1 to arm an XRC SRQ",
        in.getInt(CmdIn.OP_MOD));
    srq.source().queue().setLimit(in.getInt(ArmXrcSrqIn.LWM));
    return Firmware.ok();
  }

  // Messages that name it may still arrive; they are refused from now on.
  View destroy(View in) {
    XrcSrq srq = inventory.xrcSrq(in.getInt(DestroyXrcSrqIn.XRC_SRQN));
    srq.source().queue().end();
    inventory.xrcSrqs.remove(srq.number());
    return Firmware.ok();
  }
}
