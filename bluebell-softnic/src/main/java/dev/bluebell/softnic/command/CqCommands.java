package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.allocated;
import static dev.bluebell.softnic.command.CommandFailure.require;
import static dev.bluebell.softnic.command.CommandFailure.requireUnused;
import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.CqCommands.CreateCqOut;
import dev.bluebell.hca.command.CqCommands.DestroyCqIn;
import dev.bluebell.hca.command.CqCommands.ModifyCqIn;
import dev.bluebell.hca.command.CqCommands.ModifyFieldSelect;
import dev.bluebell.hca.command.CqCommands.QueryCqIn;
import dev.bluebell.hca.command.CqCommands.QueryCqOut;
import dev.bluebell.hca.command.CqCommands.ResizeFieldSelect;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.softnic.doorbell.Doorbells;
import dev.bluebell.softnic.doorbell.UarPage;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.CqMemory;
import java.util.ArrayList;
import java.util.List;

/** CREATE_CQ, QUERY_CQ, MODIFY_CQ, DESTROY_CQ. */
final class CqCommands {
  private static final int MODERATION =
      ModifyFieldSelect.PERIOD | ModifyFieldSelect.COUNT | ModifyFieldSelect.PERIOD_MODE;

  private final Chip chip;
  private final Doorbells doorbells;
  private final Inventory inventory;

  CqCommands(Chip chip, Doorbells doorbells, Inventory inventory) {
    this.chip = chip;
    this.doorbells = doorbells;
    this.inventory = inventory;
  }

  View create(View in) {
    View cqc = in.at(CreateCqIn.CQ_CONTEXT);
    int logSize = checkedLogSize(cqc);
    requireValid(
        cqc.getInt(Cqc.CQE_SZ) <= Cqc.CQE_SZ_128_BYTES,
        "cqe_sz %d is not valid: it must be 0 (64 bytes) or 1 (128 bytes)",
        cqc.getInt(Cqc.CQE_SZ));
    checkCompression(cqc);
    requireValid(
        !cqc.isSet(Cqc.CC) || !cqc.isSet(Cqc.CQE_COMP_EN),
        "cc is 1 and cqe_comp_en is 1: a collapsed completion queue has one entry, and compressed"
            + " completions need several; set one of them to 0");
    checkPeriodMode(cqc);
    int vector = cqc.getInt(Cqc.C_EQN) - 1;
    require(
        vector >= 0 && vector < Limits.COMPLETION_VECTORS,
        CommandStatus.BAD_RES,
        "c_eqn %d does not name an event queue; query the number of a completion vector",
        cqc.getInt(Cqc.C_EQN));
    UarPage page = inventory.uarPage(cqc.getInt(Cqc.UAR_PAGE));
    Placement ring = ring(in, cqc, logSize);
    Placement record =
        Placement.of(
            inventory,
            "dbr",
            "dbr_addr",
            cqc.isSet(Cqc.DBR_UMEM_VALID),
            cqc.getInt(Cqc.DBR_UMEM_ID),
            cqc.get(Cqc.DBR_ADDR),
            DoorbellRecord.BYTES,
            DoorbellRecord.BYTES);
    int cqn =
        allocated(inventory.completionQueues, "all %d completion queues are in use (log_max_cq)");
    View context = View.of(Cqc.STRUCTURE);
    cqc.copyTo(context, Cqc.STRUCTURE.bytes());
    CompletionQueue queue =
        new CompletionQueue(
            chip,
            cqn,
            context.bytes(),
            new CqMemory(ring.umem(), ring.address(), record.umem(), record.address()));
    queue.belongTo(in.getInt(CreateCqIn.UID));
    inventory.completionQueues.put(cqn, queue, page::use);
    doorbells.add(queue, page);
    return View.of(CreateCqOut.STRUCTURE).set(CreateCqOut.CQN, cqn);
  }

  private static void checkPeriodMode(View cqc) {
    int mode = cqc.getInt(Cqc.CQ_PERIOD_MODE);
    requireValid(
        mode == Cqc.CQ_PERIOD_MODE_START_FROM_EQE || mode == Cqc.CQ_PERIOD_MODE_START_FROM_CQE,
        "cq_period_mode %d is not valid: it must be 0 (from the last event) or 1 (from the last"
            + " completion)",
        mode);
  }

  private static void checkCompression(View cqc) {
    int layout = cqc.getInt(Cqc.CQE_COMPRESSION_LAYOUT);
    requireValid(
        layout == Cqc.LAYOUT_BASIC || layout == Cqc.LAYOUT_ENHANCED,
        "cqe_compression_layout %d is not valid: it must be 0 (basic) or 1 (enhanced)",
        layout);
    requireValid(
        layout == Cqc.LAYOUT_BASIC || cqc.isSet(Cqc.CQE_COMP_EN),
        "cqe_compression_layout is 1 but cqe_comp_en is 0: enable compression, or set the layout to"
            + " 0");
    int format = cqc.getInt(Cqc.MINI_CQE_RES_FORMAT);
    requireValid(
        !cqc.isSet(Cqc.CQE_COMP_EN)
            || !cqc.isSet(Cqc.MINI_CQE_RES_FORMAT_EXT)
                && (format == Cqc.MINI_CQE_HASH
                    || format == Cqc.MINI_CQE_CSUM
                    || format == Cqc.MINI_CQE_CSUM_STRIDX),
        "mini_cqe_res_format %d with ext %d is not supported: it must be 0 (hash), 1 (checksum) or"
            + " 3 (checksum with stride index); this device reports neither flow tags nor header"
            + " types",
        format,
        cqc.getInt(Cqc.MINI_CQE_RES_FORMAT_EXT));
  }

  private static int checkedLogSize(View cqc) {
    int logSize = cqc.getInt(Cqc.LOG_CQ_SIZE);
    requireValid(
        logSize <= Limits.LOG_MAX_CQ_SIZE,
        "log_cq_size %d is larger than log_max_cq_sz %d",
        logSize,
        Limits.LOG_MAX_CQ_SIZE);
    return logSize;
  }

  private Placement ring(View in, View cqc, int logSize) {
    long offset =
        in.get(CreateCqIn.CQ_UMEM_OFFSET)
            + Placement.pageOffsetBytes(cqc.getInt(Cqc.PAGE_OFFSET), cqc.getInt(Cqc.LOG_PAGE_SIZE));
    return Placement.of(
        inventory,
        "cq",
        "cq_umem_offset, page_offset, log_page_size, log_cq_size, cqe_sz",
        in.isSet(CreateCqIn.CQ_UMEM_VALID),
        in.getInt(CreateCqIn.CQ_UMEM_ID),
        offset,
        1L << CompletionQueue.logStride(cqc) + logSize,
        Cqe.BYTES);
  }

  View query(View in) {
    CompletionQueue queue = inventory.completionQueue("cqn", in.getInt(QueryCqIn.CQN));
    View out = View.of(QueryCqOut.STRUCTURE);
    View.over(queue.currentContext()).copyTo(out.at(QueryCqOut.CQ_CONTEXT), Cqc.STRUCTURE.bytes());
    return out;
  }

  View modify(View in) {
    CompletionQueue queue = inventory.completionQueue("cqn", in.getInt(ModifyCqIn.CQN));
    if (in.getInt(CmdIn.OP_MOD) == ModifyCqIn.OP_MOD_RESIZE) {
      return resize(queue, in);
    }
    int select =
        in.at(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT_MODIFY_FIELD_SELECT)
            .getInt(ModifyFieldSelect.MODIFY_FIELD_SELECT);
    requireValid(
        in.getInt(CmdIn.OP_MOD) == 0,
        "op_mod %d is neither modify (0) nor resize (1)",
        in.getInt(CmdIn.OP_MOD));
    requireValid(
        (select & ~MODERATION) == 0,
        "modify_field_select 0x%x: this device changes cq_period, cq_max_count and cq_period_mode"
            + " only (0x13)",
        select);
    View cqc = in.at(ModifyCqIn.CQ_CONTEXT);
    if ((select & ModifyFieldSelect.PERIOD_MODE) != 0) {
      checkPeriodMode(cqc);
    }
    queue.moderate(cqc, moderation(select));
    return Firmware.ok();
  }

  private static List<Field> moderation(int select) {
    List<Field> fields = new ArrayList<>();
    if ((select & ModifyFieldSelect.PERIOD) != 0) {
      fields.add(Cqc.CQ_PERIOD);
    }
    if ((select & ModifyFieldSelect.COUNT) != 0) {
      fields.add(Cqc.CQ_MAX_COUNT);
    }
    if ((select & ModifyFieldSelect.PERIOD_MODE) != 0) {
      fields.add(Cqc.CQ_PERIOD_MODE);
    }
    return fields;
  }

  // Software copies unconsumed CQEs until it finds the CQE at the old ring's end; see libmlx5 cq.c:
  // mlx5_cq_resize_copy_cqes. The new ring's umem is in the same field as in CREATE_CQ.
  private View resize(CompletionQueue queue, View in) {
    View cqc = in.at(ModifyCqIn.CQ_CONTEXT);
    int select = in.getInt(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT);
    requireValid(
        select == ResizeFieldSelect.RING,
        "resize_field_select 0x%x: a new ring needs size, page offset and page size (0x7)",
        select);
    requireValid(
        CompletionQueue.logStride(cqc) == queue.logStride(),
        "cqe_sz %d: the entry size of CQ 0x%x cannot change",
        cqc.getInt(Cqc.CQE_SZ),
        queue.number());
    requireValid(
        !queue.isCollapsed(),
        "CQ 0x%x is collapsed (cc is 1): the entry that ends the old ring would replace its newest"
            + " completion; create another queue instead",
        queue.number());
    int logSize = checkedLogSize(cqc);
    queue.settle();
    int unconsumed = queue.unconsumed();
    require(
        queue.hasRoom() && unconsumed + 1 <= 1 << logSize,
        CommandStatus.BAD_RES_STATE,
        "log_cq_size %d: CQ 0x%x holds %s, and needs room for one more, which marks the end; poll"
            + " first",
        logSize,
        queue.number(),
        Counted.of(unconsumed, "completion"));
    Placement ring = ring(in, cqc, logSize);
    queue.resize(ring.umem(), ring.address(), logSize);
    return Firmware.ok();
  }

  View destroy(View in) {
    CompletionQueue queue = inventory.completionQueue("cqn", in.getInt(DestroyCqIn.CQN));
    requireUnused(
        queue.users(),
        "CQ 0x%x still serves queues (%d); close the queue pairs first",
        queue.number());
    doorbells.remove(queue, inventory.uarPage(queue.uarPage()));
    queue.release();
    inventory.completionQueues.remove(queue.number());
    chip.explanations().forget(queue.number());
    return Firmware.ok();
  }
}
