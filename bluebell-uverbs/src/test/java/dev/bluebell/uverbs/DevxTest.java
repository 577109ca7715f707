package dev.bluebell.uverbs;

import static dev.bluebell.uverbs.RawProgram.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.CqCommands.QueryCqOut;
import dev.bluebell.hca.command.DomainCommands.AllocPdIn;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyOut;
import dev.bluebell.hca.command.QpCommands.CreateQpOut;
import dev.bluebell.hca.command.XrqCommands.CreateXrqOut;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.View;
import dev.bluebell.uverbs.DevxProgram.Made;
import dev.bluebell.uverbs.call.Errno;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands that programs send as they are: the methods of DevX, and what each refuses. */
class DevxTest extends Hosted {
  private static final long NO_HANDLE = 987654;

  private DevxProgram program;

  @BeforeEach
  void open() throws IOException {
    program = DevxProgram.open(host);
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    program.close();
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
    assertThat(program.other(queryCapabilities())).isZero();
    View capabilities = program.output().at(new Area("capability", 16, CmdHcaCap.STRUCTURE));
    assertThat(capabilities.isSet(CmdHcaCap.RC)).isTrue();
    assertThat(capabilities.isSet(CmdHcaCap.DP_ORDERING_OOO_ALL_UD)).isFalse();
  }

  @Test
  void aContextThatWasNotOpenedForItSendsNoCommands() throws IOException {
    try (DevxProgram plain = DevxProgram.openPlain(host)) {
      assertThat(plain.other(queryCapabilities())).isEqualTo(-Errno.EINVAL);
      assertThat(plain.create(allocateDomain())).isEqualTo(-Errno.EINVAL);
      assertThat(plain.refusedUmem(plain.raw().memory(4096).address(), 4096))
          .isEqualTo(-Errno.EINVAL);
      assertThat(plain.eventQueue(0)).isEqualTo(-Errno.EINVAL);
    }
  }

  @Test
  void aCommandWithoutAWholeHeaderIsRefused() throws IOException {
    assertThat(program.other(new byte[15])).isEqualTo(-Errno.EINVAL);
    assertThat(program.create(new byte[3])).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void aCommandThatIsShorterThanItsFormatIsRefusedByTheDevice() throws IOException {
    byte[] header = View.over(new byte[16]).set(CmdIn.OPCODE, CommandOpcode.CREATE_CQ).bytes();
    assertThat(program.create(header)).isEqualTo(-Errno.EREMOTEIO);
    assertThat(program.output().getInt(CmdOut.STATUS)).isEqualTo(CommandStatus.BAD_INP_LEN);
  }

  @Test
  void whatCreatesAnObjectIsNoQuery() throws IOException {
    assertThat(program.other(allocateDomain())).isEqualTo(-Errno.EINVAL);
    assertThat(host.objects()).isEmpty();
  }

  @Test
  void aCommandThatBelongsToNoObjectIsTheDevicesToRefuse() throws IOException {
    for (int opcode : List.of(CommandOpcode.QUERY_VNIC_ENV, CommandOpcode.GENERAL_START + 0xff)) {
      byte[] command = View.over(new byte[64]).set(CmdIn.OPCODE, opcode).bytes();
      assertThat(program.other(command)).isEqualTo(-Errno.EREMOTEIO);
      assertThat(program.output().getInt(CmdOut.STATUS)).isEqualTo(CommandStatus.BAD_OP);
    }
  }

  @Test
  void whatCreatesNothingMakesNoObject() throws IOException {
    assertThat(program.create(queryCapabilities())).isEqualTo(-Errno.EINVAL);
    byte[] unknown = View.over(new byte[64]).set(CmdIn.OPCODE, 0xfff).bytes();
    assertThat(program.create(unknown)).isEqualTo(-Errno.EINVAL);
  }

  // ---- objects

  @Test
  void anObjectIsCreatedQueriedAndDestroyed() throws IOException {
    Made queue = program.createCq(program.umem());
    assertThat(program.query(queue.handle(), DevxProgram.queryCq(queue.number()))).isZero();
    assertThat(program.output().at(QueryCqOut.CQ_CONTEXT).getInt(Cqc.LOG_CQ_SIZE)).isEqualTo(2);
    assertThat(program.destroy(queue.handle())).isZero();
    assertThat(program.query(queue.handle(), DevxProgram.queryCq(queue.number())))
        .isEqualTo(-Errno.ENOENT);
  }

  @Test
  void aHandleThatNamesNothingOrAnotherKindIsRefused() throws IOException {
    Made umem = program.umem();
    assertThat(program.destroy(NO_HANDLE)).isEqualTo(-Errno.ENOENT);
    assertThat(program.modify(NO_HANDLE, DevxProgram.queryCq(1))).isEqualTo(-Errno.ENOENT);
    assertThat(program.destroy(umem.handle())).isEqualTo(-Errno.EINVAL);
    assertThat(program.query(umem.handle(), DevxProgram.queryCq(1))).isEqualTo(-Errno.EINVAL);
    assertThat(program.deregister(program.domain().handle())).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void aReceivePoolKeepsItsDomain() throws IOException {
    Made domain = program.domain();
    Made pool = program.createPool(domain, program.umem());
    assertThat(program.destroy(domain.handle())).isEqualTo(-Errno.EBUSY);
    assertThat(program.destroy(pool.handle())).isZero();
    assertThat(program.destroy(domain.handle())).isZero();
  }

  @Test
  void aQueuePairReceivesFromATagMatchingQueueAndKeepsIt() throws IOException {
    Made domain = program.domain();
    Made umem = program.umem();
    Made queue = program.createCq(umem);
    Made xrq = program.made(CreateXrqOut.XRQN, DevxProgram.xrq(domain, umem, queue));
    assertThat(program.create(program.matchingQp(domain, umem, queue, xrq.number() + 1)))
        .isEqualTo(-Errno.EINVAL);
    Made pair =
        program.made(CreateQpOut.QPN, program.matchingQp(domain, umem, queue, xrq.number()));
    assertThat(program.destroy(xrq.handle())).isEqualTo(-Errno.EBUSY);
    assertThat(program.destroy(pair.handle())).isZero();
    assertThat(program.destroy(queue.handle())).isEqualTo(-Errno.EBUSY);
    assertThat(program.destroy(xrq.handle())).isZero();
    assertThat(program.destroy(queue.handle())).isZero();
  }

  @Test
  void aMemoryKeyKeepsItsUmemAndItsDomain() throws IOException {
    Made domain = program.domain();
    Made umem = program.umem();
    Made key = program.made(CreateMkeyOut.MKEY_INDEX, DevxProgram.mkey(domain, umem));
    assertThat(program.destroy(domain.handle())).isEqualTo(-Errno.EBUSY);
    assertThat(program.deregister(umem.handle())).isEqualTo(-Errno.EBUSY);
    assertThat(program.destroy(key.handle())).isZero();
    assertThat(program.destroy(domain.handle())).isZero();
    assertThat(program.deregister(umem.handle())).isZero();
  }

  @Test
  void anObjectWhoseNumberCanNotBeToldGoesWithTheContext() throws IOException {
    byte[] command = allocateDomain();
    long result =
        program
            .raw()
            .ioctl(
                DevxProgram.OBJ,
                0x1000,
                attribute(0x1000, 0),
                0,
                attribute(0x1001, command.length),
                program.bytes(command).address(),
                attribute(0x1002, 16),
                0x10000);
    assertThat(result).isEqualTo(-Errno.EFAULT);
  }

  // ---- memory

  @Test
  void memoryThatTheProgramLacksIsAFault() throws IOException {
    assertThat(program.refusedUmem(0x10000, 4096)).isEqualTo(-Errno.EFAULT);
    assertThat(program.refusedUmem(0x10000, 0)).isEqualTo(-Errno.EINVAL);
    assertThat(program.refusedUmem(-4096, 4096)).isEqualTo(-Errno.EINVAL);
    assertThat(program.refusedUmem(Long.MAX_VALUE, 2)).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void memoryOfAQueueIsBusyUntilTheQueueIsGone() throws IOException {
    Made umem = program.umem();
    Made queue = program.createCq(umem);
    assertThat(program.deregister(umem.handle())).isEqualTo(-Errno.EBUSY);
    assertThat(program.destroy(queue.handle())).isZero();
    assertThat(program.deregister(umem.handle())).isZero();
  }

  @Test
  void aCommandMayLeaveOutThatItsUmemsAreValid() throws IOException {
    byte[] command = program.cq(program.umem(), program.uar());
    View.over(command)
        .set(CreateCqIn.CQ_UMEM_VALID, false)
        .at(CreateCqIn.CQ_CONTEXT)
        .set(Cqc.DBR_UMEM_VALID, false);
    assertThat(program.create(command)).isZero();
  }

  @Test
  void aQueueThatReachesOutsideItsMemoryIsRefused() throws IOException {
    byte[] command = program.cq(program.umem(), program.uar());
    View.over(command).set(CreateCqIn.CQ_UMEM_OFFSET, 8192);
    assertThat(program.create(command)).isEqualTo(-Errno.EREMOTEIO);
    View.over(command).set(CreateCqIn.CQ_UMEM_OFFSET, -64);
    assertThat(program.create(command)).isEqualTo(-Errno.EREMOTEIO);
  }
}
