package dev.bluebell.uverbs;

import static dev.bluebell.uverbs.RawClient.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.CqCommands.CreateCqOut;
import dev.bluebell.hca.command.CqCommands.QueryCqOut;
import dev.bluebell.hca.command.DomainCommands.AllocPdIn;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyOut;
import dev.bluebell.hca.command.QpCommands.AttachToMcgIn;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.CreateQpOut;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.XrqCommands.CreateXrqOut;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.uverbs.DevxClient.Made;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Raw commands of clients: the methods of DevX and their refusals. */
class DevxTest extends Hosted {
  private static final long NO_HANDLE = 987654;

  private DevxClient client;

  @BeforeEach
  void open() throws IOException {
    client = DevxClient.open(host);
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    client.close();
    host.expectNothingLeft();
  }

  private static byte[] allocateDomain() {
    return View.command(AllocPdIn.STRUCTURE, CommandOpcode.ALLOC_PD).bytes();
  }

  private static byte[] queryCapabilities() {
    return View.command(QueryHcaCapIn.STRUCTURE, CommandOpcode.QUERY_HCA_CAP)
        .set(CmdIn.OP_MOD, 1)
        .bytes();
  }

  // ---- commands

  @Test
  void aQueryIsAnsweredByTheDevice() throws IOException {
    assertThat(client.other(queryCapabilities())).isZero();
    View capabilities = client.output().at(new Area("capability", 16, CmdHcaCap.STRUCTURE));
    assertThat(capabilities.isSet(CmdHcaCap.RC)).isTrue();
    assertThat(capabilities.isSet(CmdHcaCap.DP_ORDERING_OOO_ALL_UD)).isFalse();
  }

  @Test
  void aContextThatWasNotOpenedForDevxSendsNoCommands() throws IOException {
    try (DevxClient plain = DevxClient.openPlain(host)) {
      assertThat(plain.other(queryCapabilities())).isEqualTo(-Errno.EINVAL);
      assertThat(plain.create(allocateDomain())).isEqualTo(-Errno.EINVAL);
      assertThat(plain.refusedUmem(plain.raw().memory(4096).address(), 4096))
          .isEqualTo(-Errno.EINVAL);
      assertThat(plain.eventQueue(0)).isEqualTo(-Errno.EINVAL);
    }
  }

  @Test
  void aCommandWithoutAWholeHeaderIsRefused() throws IOException {
    assertThat(client.other(new byte[15])).isEqualTo(-Errno.EINVAL);
    assertThat(client.create(new byte[3])).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void aCommandThatIsShorterThanItsFormatIsRefusedByTheDevice() throws IOException {
    byte[] header = View.over(new byte[16]).set(CmdIn.OPCODE, CommandOpcode.CREATE_CQ).bytes();
    assertThat(client.create(header)).isEqualTo(-Errno.EREMOTEIO);
    assertThat(client.output().getInt(CmdOut.STATUS)).isEqualTo(CommandStatus.BAD_INP_LEN);
  }

  @Test
  void aCommandThatCreatesAnObjectIsNoQuery() throws IOException {
    assertThat(client.other(allocateDomain())).isEqualTo(-Errno.EINVAL);
    assertThat(host.objects()).isEmpty();
  }

  @Test
  void aCommandThatBelongsToNoObjectIsTheDevicesToRefuse() throws IOException {
    for (int opcode : List.of(CommandOpcode.QUERY_VNIC_ENV, CommandOpcode.GENERAL_START + 0xff)) {
      byte[] command = View.over(new byte[64]).set(CmdIn.OPCODE, opcode).bytes();
      assertThat(client.other(command)).isEqualTo(-Errno.EREMOTEIO);
      assertThat(client.output().getInt(CmdOut.STATUS)).isEqualTo(CommandStatus.BAD_OP);
    }
  }

  @Test
  void aCommandThatCreatesNoObjectCannotBeSentAsACreation() throws IOException {
    assertThat(client.create(queryCapabilities())).isEqualTo(-Errno.EINVAL);
    byte[] unknown = View.over(new byte[64]).set(CmdIn.OPCODE, 0xfff).bytes();
    assertThat(client.create(unknown)).isEqualTo(-Errno.EINVAL);
  }

  // ---- objects

  @Test
  void anObjectIsCreatedQueriedAndDestroyed() throws IOException {
    Made queue = client.createCq(client.umem());
    assertThat(client.query(queue.handle(), DevxClient.queryCq(queue.number()))).isZero();
    assertThat(client.output().at(QueryCqOut.CQ_CONTEXT).getInt(Cqc.LOG_CQ_SIZE)).isEqualTo(2);
    assertThat(client.destroy(queue.handle())).isZero();
    assertThat(client.query(queue.handle(), DevxClient.queryCq(queue.number())))
        .isEqualTo(-Errno.ENOENT);
  }

  @Test
  void aHandleThatNamesNothingOrAnotherKindIsRefused() throws IOException {
    Made umem = client.umem();
    assertThat(client.destroy(NO_HANDLE)).isEqualTo(-Errno.ENOENT);
    assertThat(client.modify(NO_HANDLE, DevxClient.queryCq(1))).isEqualTo(-Errno.ENOENT);
    assertThat(client.destroy(umem.handle())).isEqualTo(-Errno.EINVAL);
    assertThat(client.query(umem.handle(), DevxClient.queryCq(1))).isEqualTo(-Errno.EINVAL);
    assertThat(client.deregister(client.domain().handle())).isEqualTo(-Errno.EINVAL);
  }

  /** As in the kernel, where the mapping of the page ends later; UCX frees in this order. */
  @Test
  void aUarPageCanBeFreedBeforeTheQueueThatRingsThere() throws IOException {
    Made umem = client.umem();
    Made uar = client.uar();
    Made queue = client.made(CreateCqOut.CQN, client.cq(umem, uar));
    assertThat(client.freeUar(uar.handle())).isZero();
    assertThat(client.freeUar(uar.handle())).isEqualTo(-Errno.ENOENT);
    assertThat(client.create(client.cq(umem, uar))).isNegative();
    assertThat(uarPages()).isEqualTo(1);
    assertThat(client.destroy(queue.handle())).isZero();
    assertThat(client.freeUar(client.uar().handle())).isZero();
    assertThat(uarPages()).isZero();
  }

  private long uarPages() {
    return host.objects().stream().filter(line -> line.startsWith("UAR ")).count();
  }

  @Test
  void aReceivePoolKeepsItsDomain() throws IOException {
    Made domain = client.domain();
    Made pool = client.createPool(domain, client.umem());
    assertThat(client.destroy(domain.handle())).isEqualTo(-Errno.EBUSY);
    assertThat(client.destroy(pool.handle())).isZero();
    assertThat(client.destroy(domain.handle())).isZero();
  }

  @Test
  void aQueuePairReceivesFromATagMatchingQueueAndKeepsIt() throws IOException {
    Made domain = client.domain();
    Made umem = client.umem();
    Made queue = client.createCq(umem);
    Made xrq = client.made(CreateXrqOut.XRQN, DevxClient.xrq(domain, umem, queue));
    assertThat(client.create(client.matchingQp(domain, umem, queue, xrq.number() + 1)))
        .isEqualTo(-Errno.EINVAL);
    Made pair = client.made(CreateQpOut.QPN, client.matchingQp(domain, umem, queue, xrq.number()));
    assertThat(client.destroy(xrq.handle())).isEqualTo(-Errno.EBUSY);
    assertThat(client.destroy(pair.handle())).isZero();
    assertThat(client.destroy(queue.handle())).isEqualTo(-Errno.EBUSY);
    assertThat(client.destroy(xrq.handle())).isZero();
    assertThat(client.destroy(queue.handle())).isZero();
  }

  @Test
  void aMemoryKeyKeepsItsUmemAndItsDomain() throws IOException {
    Made domain = client.domain();
    Made umem = client.umem();
    Made key = client.made(CreateMkeyOut.MKEY_INDEX, DevxClient.mkey(domain, umem));
    assertThat(client.destroy(domain.handle())).isEqualTo(-Errno.EBUSY);
    assertThat(client.deregister(umem.handle())).isEqualTo(-Errno.EBUSY);
    assertThat(client.destroy(key.handle())).isZero();
    assertThat(client.destroy(domain.handle())).isZero();
    assertThat(client.deregister(umem.handle())).isZero();
  }

  @Test
  void anObjectWhoseNumberCannotBeReturnedEndsWithTheContext() throws IOException {
    byte[] command = allocateDomain();
    long result =
        client
            .raw()
            .ioctl(
                DevxClient.OBJ,
                0x1000,
                attribute(0x1000, 0),
                0,
                attribute(0x1001, command.length),
                client.bytes(command).address(),
                attribute(0x1002, 16),
                0x10000);
    assertThat(result).isEqualTo(-Errno.EFAULT);
  }

  private Made datagramQueuePair() throws IOException {
    Made umem = client.umem();
    Made queue = client.createCq(client.umem());
    View command =
        View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP)
            .set(CreateQpIn.WQ_UMEM_ID, umem.number());
    command
        .at(CreateQpIn.QPC)
        .set(Qpc.ST, ServiceType.UD.code())
        .set(Qpc.PD, client.domain().number())
        .set(Qpc.NO_SQ, true)
        .set(Qpc.LOG_RQ_SIZE, 2)
        .set(Qpc.LOG_RQ_STRIDE, 2)
        .set(Qpc.CQN_SND, queue.number())
        .set(Qpc.CQN_RCV, queue.number())
        .set(Qpc.UAR_PAGE, client.uar().number())
        .set(Qpc.DBR_UMEM_ID, umem.number())
        .set(Qpc.DBR_ADDR, 4096);
    return client.made(CreateQpOut.QPN, command.bytes());
  }

  private static byte[] attach(int qpn) {
    return View.command(AttachToMcgIn.STRUCTURE, CommandOpcode.ATTACH_TO_MCG)
        .set(AttachToMcgIn.QPN, qpn)
        .setBytes(AttachToMcgIn.MULTICAST_GID, Gid.ofIpv4(0xef01_0203).bytes())
        .bytes();
  }

  @Test
  void aModificationThatTheKernelDoesNotPassOnIsRefused() throws IOException {
    Made pair = datagramQueuePair();
    for (int opcode :
        List.of(
            CommandOpcode.ATTACH_TO_MCG,
            CommandOpcode.DETACH_FROM_MCG,
            CommandOpcode.SQD2RTS_QP,
            CommandOpcode.DRAIN_DCT)) {
      byte[] command = View.over(attach(pair.number())).set(CmdIn.OPCODE, opcode).bytes();
      assertThat(client.modify(pair.handle(), command))
          .as(CommandOpcode.name(opcode))
          .isEqualTo(-Errno.EINVAL);
    }
  }

  @Test
  void aQueuePairIsInAGroupAsLongAsTheObjectThatAttachedIt() throws IOException {
    Made pair = datagramQueuePair();
    assertThat(client.create(attach(pair.number() + 1))).isEqualTo(-Errno.EINVAL);
    Made first = client.made(CreateQpOut.QPN, attach(pair.number()));
    assertThat(client.destroy(first.handle())).isZero();
    assertThat(client.destroy(first.handle())).isEqualTo(-Errno.ENOENT);
    Made second = client.made(CreateQpOut.QPN, attach(pair.number()));
    assertThat(client.modify(second.handle(), attach(pair.number()))).isEqualTo(-Errno.EINVAL);
    Made third = client.made(CreateQpOut.QPN, attach(pair.number()));
    assertThat(client.destroy(third.handle())).isZero();
    assertThat(client.destroy(second.handle())).as("not attached").isNegative();
    assertThat(client.destroy(pair.handle())).isZero();
    assertThat(client.destroy(second.handle())).as("the queue pair is gone").isZero();
  }

  @Test
  void aQueuePairThatEndsWithItsContextLeavesItsGroups() throws IOException {
    Made pair = datagramQueuePair();
    for (int i = 0; i < 2; i++) {
      assertThat(client.create(attach(pair.number()))).isZero();
    }
  }

  // ---- memory
  @Test
  void memoryThatTheClientLacksIsAFault() throws IOException {
    assertThat(client.refusedUmem(0x10000, 4096)).isEqualTo(-Errno.EFAULT);
    assertThat(client.refusedUmem(0x10000, 0)).isEqualTo(-Errno.EINVAL);
    assertThat(client.refusedUmem(-4096, 4096)).isEqualTo(-Errno.EINVAL);
    assertThat(client.refusedUmem(Long.MAX_VALUE, 2)).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void memoryOfAQueueIsBusyUntilTheQueueIsGone() throws IOException {
    Made umem = client.umem();
    Made queue = client.createCq(umem);
    assertThat(client.deregister(umem.handle())).isEqualTo(-Errno.EBUSY);
    assertThat(client.destroy(queue.handle())).isZero();
    assertThat(client.deregister(umem.handle())).isZero();
  }

  @Test
  void aCommandMayLeaveTheUmemValidBitsUnset() throws IOException {
    byte[] command = client.cq(client.umem(), client.uar());
    View.over(command)
        .set(CreateCqIn.CQ_UMEM_VALID, false)
        .at(CreateCqIn.CQ_CONTEXT)
        .set(Cqc.DBR_UMEM_VALID, false);
    assertThat(client.create(command)).isZero();
  }

  @Test
  void aQueueThatReachesOutsideItsMemoryIsRefused() throws IOException {
    byte[] command = client.cq(client.umem(), client.uar());
    View.over(command).set(CreateCqIn.CQ_UMEM_OFFSET, 8192);
    assertThat(client.create(command)).isEqualTo(-Errno.EREMOTEIO);
    View.over(command).set(CreateCqIn.CQ_UMEM_OFFSET, -64);
    assertThat(client.create(command)).isEqualTo(-Errno.EREMOTEIO);
  }
}
