package dev.bluebell.uverbs;

import static dev.bluebell.uverbs.DevxProgram.DEVX;
import static dev.bluebell.uverbs.RawProgram.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.AllocPdIn;
import dev.bluebell.hca.command.Area;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CmdIn;
import dev.bluebell.hca.command.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.Cqc;
import dev.bluebell.hca.command.CreateCqIn;
import dev.bluebell.hca.command.CreateMkeyOut;
import dev.bluebell.hca.command.QueryCqOut;
import dev.bluebell.hca.command.QueryHcaCapIn;
import dev.bluebell.hca.command.View;
import dev.bluebell.uverbs.DevxProgram.Made;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that programs send as they are: the methods of DevX, and what each refuses. */
class DevxTest {
  private static final long NO_HANDLE = 987654;

  @TempDir private Path folder;
  private Host host;
  private DevxProgram program;

  @BeforeEach
  void open() throws IOException {
    host = new Host(folder);
    program = DevxProgram.open(host);
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    program.close();
    host.expectNothingLeft();
    host.close();
  }

  private static byte[] allocateDomain() {
    return View.command(AllocPdIn.STRUCTURE, CommandOpcode.ALLOC_PD).bytes();
  }

  private static byte[] queryCapabilities() {
    return View.command(QueryHcaCapIn.STRUCTURE, CommandOpcode.QUERY_HCA_CAP)
        .set(QueryHcaCapIn.OP_MOD, 1)
        .bytes();
  }

  // ---- commands

  @Test
  void aQueryIsAnsweredByTheDevice() throws IOException {
    assertThat(program.other(queryCapabilities())).isZero();
    View capabilities = program.output().at(new Area("capability", 16, CmdHcaCap.STRUCTURE));
    assertThat(capabilities.isSet(CmdHcaCap.RC)).isTrue();
    assertThat(capabilities.isSet(CmdHcaCap.DCT)).isFalse();
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
    assertThat(program.other(allocateDomain())).isEqualTo(-Errno.EREMOTEIO);
    assertThat(program.output().getInt(CmdOut.STATUS)).isEqualTo(CommandStatus.BAD_OP);
    assertThat(host.objects()).isEmpty();
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

  // ---- event queues, event channels

  @Test
  void aCompletionVectorHasAnEventQueue() throws IOException {
    assertThat(program.eventQueue(0)).isPositive();
    assertThat(program.eventQueue(-1)).isEqualTo(-Errno.EINVAL);
    assertThat(program.eventQueue(1 << 20)).isEqualTo(-Errno.EINVAL);
  }

  private long[] openChannel(long flags) throws IOException {
    long[] attributes = {attribute(0x1000, 0), 0, attribute(0x1001, 4), flags};
    return new long[] {
      program.raw().ioctl(DevxProgram.EVENT_FD, 0x1000, attributes), attributes[1]
    };
  }

  private long subscribe(long fd, long object, int type) throws IOException {
    return program
        .raw()
        .ioctl(
            DEVX,
            0x1003,
            attribute(0x1000, 0),
            fd,
            attribute(0x1001, 0),
            object,
            attribute(0x1002, 2),
            type,
            attribute(0x1004, 8),
            77);
  }

  @Test
  void anEventChannelTakesEventsOfObjectsOfItsContext() throws IOException {
    long[] channel = openChannel(0);
    assertThat(channel[0]).isZero();
    Made queue = program.createCq(program.umem());
    assertThat(subscribe(channel[1], queue.handle(), 0)).isZero();
    assertThat(subscribe(channel[1], NO_HANDLE, 0)).isEqualTo(-Errno.ENOENT);
    assertThat(subscribe(NO_HANDLE, queue.handle(), 0)).isEqualTo(-Errno.EBADF);
  }

  @Test
  void anEventChannelHasNoOtherFlagsThanToOmitData() throws IOException {
    assertThat(openChannel(1)[0]).isZero();
    assertThat(openChannel(2)[0]).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void aCompletionChannelTakesNoEventsOfCommands() throws IOException {
    MemorySegment out = program.raw().memory(4);
    assertThat(program.raw().write(17, Fields.of(8).bytes(), out)).isPositive();
    Made queue = program.createCq(program.umem());
    assertThat(subscribe(out.get(ValueLayout.JAVA_INT, 0), queue.handle(), 0))
        .isEqualTo(-Errno.EBADF);
  }

  // ---- queries that nobody waits for

  private long openAnswers() throws IOException {
    long[] attributes = {attribute(0x1000, 0), 0};
    assertThat(program.raw().ioctl(DevxProgram.ASYNC_CMD_FD, 0x1000, attributes)).isZero();
    return attributes[1];
  }

  private long queryLater(long fd, Made queue, byte[] command, int room) throws IOException {
    return program
        .raw()
        .ioctl(
            DevxProgram.OBJ,
            0x1004,
            attribute(0x1000, 0),
            queue.handle(),
            attribute(0x1001, command.length),
            program.bytes(command).address(),
            attribute(0x1002, 0),
            fd,
            attribute(0x1003, 8),
            0x1122334455L,
            attribute(0x1004, 2),
            room);
  }

  @Test
  void theAnswersOfQueriesAreReadOneByOne() throws IOException {
    long fd = openAnswers();
    Made queue = program.createCq(program.umem());
    int room = QueryCqOut.STRUCTURE.bytes();
    assertThat(queryLater(fd, queue, DevxProgram.queryCq(queue.number()), room)).isZero();
    assertThat(queryLater(fd, queue, DevxProgram.queryCq(queue.number() + 1), 16)).isZero();

    byte[] first = Descriptors.read((int) fd, 4096);
    assertThat(first).hasSize(8 + room);
    assertThat(Fields.over(first).u64(0)).isEqualTo(0x1122334455L);
    View output = View.over(Arrays.copyOfRange(first, 8, first.length));
    assertThat(output.getInt(CmdOut.STATUS)).isZero();
    assertThat(output.at(QueryCqOut.CQ_CONTEXT).getInt(Cqc.LOG_CQ_SIZE)).isEqualTo(2);

    byte[] second = Descriptors.read((int) fd, 4096);
    assertThat(second).hasSize(8 + 16);
    assertThat(View.over(Arrays.copyOfRange(second, 8, 24)).getInt(CmdOut.STATUS)).isPositive();
  }

  @Test
  void queriesWaitUntilTheirAnswersAreRead() throws IOException {
    long fd = openAnswers();
    Made queue = program.createCq(program.umem());
    int kept = 0;
    long result = 0;
    while (result == 0) {
      result = queryLater(fd, queue, DevxProgram.queryCq(queue.number()), 0xffff);
      kept += result == 0 ? 1 : 0;
      assertThat(kept).isLessThan(1000);
    }
    assertThat(result).isEqualTo(-Errno.EAGAIN);
    for (int i = 0; i < kept; i++) {
      assertThat(Descriptors.read((int) fd, 1 << 17)).hasSize(8 + 0xffff);
      assertThat(queryLater(fd, queue, DevxProgram.queryCq(queue.number()), 8)).isZero();
    }
  }

  @Test
  void aFileOfAnotherKindTakesNoAnswers() throws IOException {
    Made queue = program.createCq(program.umem());
    assertThat(queryLater(openChannel(0)[1], queue, DevxProgram.queryCq(queue.number()), 16))
        .isEqualTo(-Errno.EBADF);
  }
}
