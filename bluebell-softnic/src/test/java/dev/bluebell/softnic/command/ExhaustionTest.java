package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.DctCommands.CreateDctIn;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.DomainCommands.AllocPdIn;
import dev.bluebell.hca.command.DomainCommands.AllocXrcdIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.RmpCommands.CreateRmpIn;
import dev.bluebell.hca.command.RmpCommands.Rmpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.command.XrcSrqCommands.CreateXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.XrcSrqc;
import dev.bluebell.hca.command.XrcSrqUmems;
import dev.bluebell.hca.command.XrqCommands.CreateXrqIn;
import dev.bluebell.hca.command.XrqCommands.Xrqc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.doorbell.UarPage;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.Umem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tables that are full. Their entries are all the same object, because only their number counts.
 */
class ExhaustionTest {
  private static final Client OWNER = new Engine(() -> 0, new DeviceTime(), null).own();

  private final FirmwareRig rig = new FirmwareRig();
  private final MemorySegment memory = Arena.ofAuto().allocate(1 << 16, 4096);

  private static <T> void fill(ObjectTable<T> table, T object) {
    for (int number = table.allocate(); number >= 0; number = table.allocate()) {
      table.put(number, object);
    }
  }

  private static void expectFull(Firmware.Answer answer, String... named) {
    assertThat(View.over(answer.output()).getInt(CmdOut.STATUS)).isEqualTo(CommandStatus.NO_RES);
    assertThat(answer.explanation()).contains(named);
  }

  @Test
  void protectionDomainsRunOut() {
    fill(rig.inventory.domains, new ProtectionDomain(1, OWNER));
    expectFull(
        rig.execute(View.command(AllocPdIn.STRUCTURE, CommandOpcode.ALLOC_PD).bytes()),
        "all 65535 protection domains");
  }

  @Test
  void dcTargetsRunOut() {
    rig.inventory.domains.put(1, new ProtectionDomain(1, OWNER));
    int cqn = create(cqCommand());
    Umem umem = rig.firmware.registerUmem(memory);
    View pool = View.command(CreateRmpIn.STRUCTURE, CommandOpcode.CREATE_RMP);
    pool.at(CreateRmpIn.CTX)
        .set(Rmpc.STATE, 1)
        .at(Rmpc.WQ)
        .set(Wq.PD, 1)
        .set(Wq.LOG_WQ_STRIDE, 5)
        .set(Wq.WQ_UMEM_VALID, true)
        .set(Wq.WQ_UMEM_ID, umem.number())
        .set(Wq.DBR_UMEM_VALID, true)
        .set(Wq.DBR_UMEM_ID, umem.number())
        .set(Wq.DBR_ADDR, 4096);
    View command = View.command(CreateDctIn.STRUCTURE, CommandOpcode.CREATE_DCT);
    command
        .at(CreateDctIn.DCT_CONTEXT_ENTRY)
        .set(Dctc.PD, 1)
        .set(Dctc.CQN, cqn)
        .set(Dctc.SRQN_XRQN, create(pool))
        .set(Dctc.MTU, 1)
        .set(Dctc.PORT, 1);
    int dctn = create(command);
    fill(rig.inventory.targets, rig.inventory.targets.find(dctn));
    expectFull(rig.execute(command.bytes()), "all 65536 DC targets");
  }

  @Test
  void uarPagesRunOut() {
    fill(rig.inventory.uarPages, new UarPage(1));
    expectFull(rig.attempt(rig.firmware::allocateUar), "all 65535 UAR pages");
  }

  @Test
  void umemsRunOut() {
    fill(rig.inventory.umems, new Umem(1, memory));
    expectFull(
        rig.attempt(() -> rig.firmware.registerUmem(memory)), "all 1048575 umems", "log_max_umem");
  }

  @Test
  @Tag("slow")
  void memoryKeysRunOut() {
    rig.inventory.domains.put(1, new ProtectionDomain(1, OWNER));
    Umem umem = new Umem(0, memory);
    byte[] context = View.of(Mkc.STRUCTURE).bytes();
    for (int index = rig.inventory.keys.allocateIndex();
        index >= 0;
        index = rig.inventory.keys.allocateIndex()) {
      rig.inventory.keys.put(new MemoryKey(index << 8, context, umem, 0, 0));
    }
    expectFull(
        rig.attempt(() -> rig.firmware.registerMemory(1, memory, 0, 0)),
        "all memory keys",
        "log_max_mkey");
  }

  /** The command with which a raw queue would be created on a device of this rig. */
  private View cqCommand() {
    UarPage page = rig.firmware.allocateUar();
    Umem umem = rig.firmware.registerUmem(memory);
    View command = View.command(CreateCqIn.STRUCTURE, CommandOpcode.CREATE_CQ);
    command.set(CreateCqIn.CQ_UMEM_ID, umem.number()).set(CreateCqIn.CQ_UMEM_VALID, true);
    command
        .at(CreateCqIn.CQ_CONTEXT)
        .set(Cqc.DBR_UMEM_ID, umem.number())
        .set(Cqc.DBR_UMEM_VALID, true)
        .set(Cqc.DBR_ADDR, 4096)
        .set(Cqc.UAR_PAGE, page.number())
        .set(Cqc.C_EQN, 1);
    return command;
  }

  private int create(View command) {
    Firmware.Answer answer = rig.execute(command.bytes());
    assertThat(answer.explanation()).isEmpty();
    return View.over(answer.output()).getInt(ObjectKind.NUMBER);
  }

  @Test
  void completionQueuesRunOut() {
    View command = cqCommand();
    int cqn = create(command);
    fill(rig.inventory.completionQueues, rig.inventory.completionQueues.find(cqn));
    expectFull(rig.execute(command.bytes()), "all 64512 completion queues", "log_max_cq");
  }

  @Test
  void queuePairsRunOut() {
    View cq = cqCommand();
    int cqn = create(cq);
    int pd = create(View.command(AllocPdIn.STRUCTURE, CommandOpcode.ALLOC_PD));
    View command = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    long umem = cq.get(CreateCqIn.CQ_UMEM_ID);
    command.set(CreateQpIn.WQ_UMEM_ID, umem).set(CreateQpIn.WQ_UMEM_VALID, true);
    command
        .at(CreateQpIn.QPC)
        .set(Qpc.PD, pd)
        .set(Qpc.RQ_TYPE, 3)
        .set(Qpc.UAR_PAGE, cq.at(CreateCqIn.CQ_CONTEXT).get(Cqc.UAR_PAGE))
        .set(Qpc.CQN_SND, cqn)
        .set(Qpc.CQN_RCV, cqn)
        .set(Qpc.DBR_UMEM_ID, umem)
        .set(Qpc.DBR_UMEM_VALID, true)
        .set(Qpc.DBR_ADDR, 8192);
    int qpn = create(command);
    fill(rig.inventory.queuePairs, rig.inventory.queuePairs.find(qpn));
    expectFull(rig.execute(command.bytes()), "all 131008 queue pairs", "log_max_qp");
  }

  @Test
  void xrcDomainsRunOut() {
    fill(rig.inventory.xrcDomains, new XrcDomain(1));
    expectFull(
        rig.execute(View.command(AllocXrcdIn.STRUCTURE, CommandOpcode.ALLOC_XRCD).bytes()),
        "all 65535 XRC domains",
        "log_max_xrcd");
  }

  @Test
  void xrcSrqsRunOut() {
    View cq = cqCommand();
    int cqn = create(cq);
    int pd = create(View.command(AllocPdIn.STRUCTURE, CommandOpcode.ALLOC_PD));
    int xrcd = create(View.command(AllocXrcdIn.STRUCTURE, CommandOpcode.ALLOC_XRCD));
    View command = View.command(CreateXrcSrqIn.STRUCTURE, CommandOpcode.CREATE_XRC_SRQ);
    long umem = cq.get(CreateCqIn.CQ_UMEM_ID);
    command
        .set(XrcSrqUmems.WQ_UMEM_ID, umem)
        .set(CreateXrcSrqIn.XRC_SRQ_UMEM_VALID, true)
        .at(CreateXrcSrqIn.XRC_SRQ_CONTEXT_ENTRY)
        .set(XrcSrqc.LOG_RQ_STRIDE, 1)
        .set(XrcSrqc.PD, pd)
        .set(XrcSrqc.XRCD, xrcd)
        .set(XrcSrqc.CQN, cqn)
        .set(XrcSrqUmems.DBR_UMEM_ID, umem)
        .set(XrcSrqc.DBR_UMEM_VALID, true)
        .set(XrcSrqUmems.DBR_ADDR, 8192);
    int srqn = create(command);
    fill(rig.inventory.xrcSrqs, rig.inventory.xrcSrqs.find(srqn));
    expectFull(rig.execute(command.bytes()), "all 32768 XRC SRQs");
  }

  /** The command with which a receive pool would be created on a device of this rig. */
  private View poolCommand() {
    Umem umem = rig.firmware.registerUmem(memory);
    int pd = create(View.command(AllocPdIn.STRUCTURE, CommandOpcode.ALLOC_PD));
    View command = View.command(CreateRmpIn.STRUCTURE, CommandOpcode.CREATE_RMP);
    command
        .at(CreateRmpIn.CTX)
        .set(Rmpc.STATE, 1)
        .at(Rmpc.WQ)
        .set(Wq.WQ_TYPE, 1)
        .set(Wq.PD, pd)
        .set(Wq.LOG_WQ_STRIDE, 5)
        .set(Wq.WQ_UMEM_ID, umem.number())
        .set(Wq.WQ_UMEM_VALID, true)
        .set(Wq.DBR_UMEM_ID, umem.number())
        .set(Wq.DBR_UMEM_VALID, true)
        .set(Wq.DBR_ADDR, 4096);
    return command;
  }

  @Test
  void receivePoolsRunOut() {
    View command = poolCommand();
    int rmpn = create(command);
    fill(rig.inventory.receivePools, rig.inventory.receivePools.find(rmpn));
    expectFull(rig.execute(command.bytes()), "all receive pools");
    View xrq = xrqCommand(command);
    expectFull(rig.execute(xrq.bytes()), "all numbers of receive pools and XRQs");
  }

  /** The command with which an XRQ would be created over the work queue of a receive pool. */
  private View xrqCommand(View pool) {
    View xrq = View.command(CreateXrqIn.STRUCTURE, CommandOpcode.CREATE_XRQ);
    View context =
        xrq.at(CreateXrqIn.XRQ_CONTEXT)
            .set(Xrqc.TOPOLOGY, Xrqc.TOPOLOGY_TAG_MATCHING)
            .set(Xrqc.CQN, create(cqCommand()));
    pool.at(CreateRmpIn.CTX).at(Rmpc.WQ).copyTo(context.at(Xrqc.WQ), Wq.STRUCTURE.bytes());
    return xrq;
  }

  @Test
  void tagMatchingQueuesRunOut() {
    View xrq = xrqCommand(poolCommand());
    for (int i = 0; i < 1 << Limits.LOG_MAX_XRQ; i++) {
      create(xrq);
    }
    expectFull(rig.execute(xrq.bytes()), "all 1024 XRQs", "log_max_xrq");
  }
}
