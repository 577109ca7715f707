package dev.bluebell.uverbs;

import static dev.bluebell.uverbs.RawProgram.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CmdIn;
import dev.bluebell.hca.command.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.Cqc;
import dev.bluebell.hca.command.CreateCqIn;
import dev.bluebell.hca.command.CreateCqOut;
import dev.bluebell.hca.command.CreateMkeyIn;
import dev.bluebell.hca.command.Mkc;
import dev.bluebell.hca.command.QueryCqIn;
import dev.bluebell.hca.command.QueryCqOut;
import dev.bluebell.hca.command.QueryHcaCapIn;
import dev.bluebell.hca.command.View;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Raw commands of programs: the methods of DevX, and whose objects they may name. */
class DevxTest {
  private static final int GET_CONTEXT = 3;
  private static final int ALLOC_PD = 3;
  private static final int DEVX = 0x1000;
  private static final int OBJECT = 0x1001;
  private static final int UMEM = 0x1002;
  private static final int EVENTS = 0x1005;
  private static final int UAR = 0x1008;
  private static final int DRIVER = 0x1000;
  private static final int OUT_BYTES = 512;

  @TempDir private Path folder;
  private Host host;
  private RawProgram program;
  private RawProgram other;
  private MemorySegment out;

  @BeforeEach
  void open() throws IOException {
    host = new Host(folder);
    program = new RawProgram(host);
    other = new RawProgram(host);
    out = program.memory(OUT_BYTES);
    assertThat(openContext(program, 1)).isZero();
    assertThat(openContext(other, 1)).isZero();
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    program.close();
    other.close();
    host.expectNothingLeft();
    host.close();
  }

  private static long openContext(RawProgram who, int flags) throws IOException {
    MemorySegment request = who.memory(32);
    request.copyFrom(MemorySegment.ofArray(Fields.of(32).u32(8, flags).u64(24, 3).bytes()));
    return who.ioctl(0, GET_CONTEXT, attribute(DRIVER, 32), request.address());
  }

  private static MemorySegment copy(RawProgram who, byte[] bytes) {
    MemorySegment memory = who.memory(bytes.length);
    memory.copyFrom(MemorySegment.ofArray(bytes));
    return memory;
  }

  private long run(RawProgram who, int object, int method, int handle, byte[] command)
      throws IOException {
    MemorySegment in = copy(who, command);
    return who.ioctl(
        object,
        method,
        attribute(DRIVER, 0),
        handle,
        attribute(DRIVER + 1, command.length),
        in.address(),
        attribute(DRIVER + 2, OUT_BYTES),
        out.address());
  }

  /** The handle of a new object, or the error. */
  private long create(RawProgram who, byte[] command) throws IOException {
    MemorySegment in = copy(who, command);
    long[] attributes = {
      attribute(DRIVER, 0), 0,
      attribute(DRIVER + 1, command.length), in.address(),
      attribute(DRIVER + 2, OUT_BYTES), out.address()
    };
    long result = who.ioctl(OBJECT, DRIVER, attributes);
    return result < 0 ? result : attributes[1];
  }

  private View output() {
    return View.over(out.toArray(ValueLayout.JAVA_BYTE));
  }

  private long other(byte[] command) throws IOException {
    MemorySegment in = copy(program, command);
    return program.ioctl(
        DEVX,
        DRIVER,
        attribute(DRIVER, command.length),
        in.address(),
        attribute(DRIVER + 1, OUT_BYTES),
        out.address());
  }

  /** A umem: its handle and its number. */
  private record Registered(int handle, int number) {}

  private Registered umem(RawProgram who, MemorySegment memory) throws IOException {
    MemorySegment number = who.memory(4);
    long[] attributes = {
      attribute(DRIVER, 0), 0,
      attribute(DRIVER + 1, 8), memory.address(),
      attribute(DRIVER + 2, 8), memory.byteSize(),
      attribute(DRIVER + 3, 4), 1,
      attribute(DRIVER + 4, 4), number.address()
    };
    assertThat(who.ioctl(UMEM, DRIVER, attributes)).isZero();
    return new Registered((int) attributes[1], number.get(ValueLayout.JAVA_INT, 0));
  }

  private long deregister(Registered umem) throws IOException {
    return program.ioctl(UMEM, DRIVER + 1, attribute(DRIVER, 0), umem.handle());
  }

  private int uar(RawProgram who) throws IOException {
    MemorySegment page = who.memory(4);
    long[] attributes = {
      attribute(DRIVER, 0), 0,
      attribute(DRIVER + 1, 4), 1,
      attribute(DRIVER + 2, 8), who.memory(8).address(),
      attribute(DRIVER + 3, 4), who.memory(4).address(),
      attribute(DRIVER + 4, 4), page.address()
    };
    assertThat(who.ioctl(UAR, DRIVER, attributes)).isZero();
    return page.get(ValueLayout.JAVA_INT, 0);
  }

  private int eqn() throws IOException {
    MemorySegment eqn = program.memory(4);
    assertThat(
            program.ioctl(
                DEVX, DRIVER + 2, attribute(DRIVER, 4), 0, attribute(DRIVER + 1, 4), eqn.address()))
        .isZero();
    return eqn.get(ValueLayout.JAVA_INT, 0);
  }

  /** A completion queue in a umem whose valid bits are left out, as UCX leaves them. */
  private byte[] queue(int umem, int uar) throws IOException {
    View command =
        View.command(CreateCqIn.STRUCTURE, CommandOpcode.CREATE_CQ)
            .set(CreateCqIn.CQ_UMEM_ID, umem)
            .set(CreateCqIn.CQ_UMEM_OFFSET, 64);
    command
        .at(CreateCqIn.CQ_CONTEXT)
        .set(Cqc.DBR_UMEM_ID, umem)
        .set(Cqc.DBR_ADDR, 0)
        .set(Cqc.LOG_CQ_SIZE, 4)
        .set(Cqc.UAR_PAGE, uar)
        .set(Cqc.C_EQN, eqn());
    return command.bytes();
  }

  private static byte[] queryCq(int cqn) {
    return View.command(QueryCqIn.STRUCTURE, CommandOpcode.QUERY_CQ)
        .set(QueryCqIn.CQN, cqn)
        .bytes();
  }

  private static byte[] queryCaps() {
    return View.command(QueryHcaCapIn.STRUCTURE, CommandOpcode.QUERY_HCA_CAP)
        .set(QueryHcaCapIn.OP_MOD, 1)
        .bytes();
  }

  @Test
  void aContextThatDidNotAskForItTakesNoCommands() throws IOException {
    try (RawProgram plain = new RawProgram(host)) {
      assertThat(openContext(plain, 0)).isZero();
      assertThat(create(plain, queryCaps())).isEqualTo(-Errno.EINVAL);
    }
  }

  @Test
  void capabilitiesAreThoseOfTheDevice() throws IOException {
    assertThat(other(queryCaps())).isZero();
    byte[] caps = out.asSlice(16).toArray(ValueLayout.JAVA_BYTE);
    assertThat(View.over(caps).isSet(CmdHcaCap.RC)).isTrue();
    assertThat(View.over(caps).isSet(CmdHcaCap.DCT)).isFalse();
  }

  @Test
  void whatTheDeviceRefusesShowsItsStatus() throws IOException {
    assertThat(other(View.over(new byte[16]).set(CmdIn.OPCODE, CommandOpcode.CREATE_EQ).bytes()))
        .isEqualTo(-Errno.EREMOTEIO);
    assertThat(output().getInt(CmdOut.STATUS)).isEqualTo(CommandStatus.BAD_OP);
  }

  @Test
  void aCommandWithoutAHeaderIsInvalid() throws IOException {
    assertThat(other(new byte[12])).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void aQueueLivesInAUmem() throws IOException {
    Registered umem = umem(program, program.memory(8192));
    long handle = create(program, queue(umem.number(), uar(program)));
    assertThat(handle).isPositive();
    int cqn = output().getInt(CreateCqOut.CQN);
    assertThat(run(program, OBJECT, DRIVER + 3, (int) handle, queryCq(cqn))).isZero();
    assertThat(output().at(QueryCqOut.CQ_CONTEXT).getInt(Cqc.LOG_CQ_SIZE)).isEqualTo(4);
    assertThat(deregister(umem)).isEqualTo(-Errno.EBUSY);
    assertThat(program.ioctl(OBJECT, DRIVER + 1, attribute(DRIVER, 0), handle)).isZero();
    assertThat(deregister(umem)).isZero();
  }

  @Test
  void aQueryOfAnotherObjectIsRefused() throws IOException {
    Registered umem = umem(program, program.memory(8192));
    long handle = create(program, queue(umem.number(), uar(program)));
    int cqn = output().getInt(CreateCqOut.CQN);
    assertThat(run(program, OBJECT, DRIVER + 3, (int) handle, queryCq(cqn + 1)))
        .isEqualTo(-Errno.EREMOTEIO);
  }

  @Test
  void umemsOfOthersCanNotBeNamed() throws IOException {
    Registered foreign = umem(other, other.memory(8192));
    assertThat(create(program, queue(foreign.number(), uar(program)))).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void registersOfOthersCanNotBeNamed() throws IOException {
    Registered umem = umem(program, program.memory(8192));
    assertThat(create(program, queue(umem.number(), uar(other)))).isEqualTo(-Errno.EINVAL);
    assertThat(deregister(umem)).as("nothing keeps it").isZero();
  }

  @Test
  void aMemoryKeyReachesAUmem() throws IOException {
    MemorySegment domain = program.memory(8);
    MemorySegment number = program.memory(4);
    domain.fill((byte) 0);
    assertThat(program.write(ALLOC_PD, new byte[8], domain)).isPositive();
    assertThat(
            program.ioctl(
                1,
                DRIVER,
                attribute(DRIVER, 0),
                domain.get(ValueLayout.JAVA_INT, 0),
                attribute(DRIVER + 1, 4),
                number.address()))
        .isZero();
    Registered umem = umem(program, program.memory(8192));
    View command =
        View.command(CreateMkeyIn.STRUCTURE, CommandOpcode.CREATE_MKEY)
            .set(CreateMkeyIn.MKEY_UMEM_ID, umem.number());
    command
        .at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY)
        .set(Mkc.ACCESS_MODE_1_0, 1)
        .set(Mkc.PD, number.get(ValueLayout.JAVA_INT, 0))
        .set(Mkc.LR, true)
        .set(Mkc.QPN, 0xffffff)
        .set(Mkc.LEN, 8192);
    long handle = create(program, command.bytes());
    assertThat(handle).isPositive();
    assertThat(deregister(umem)).isEqualTo(-Errno.EBUSY);
    assertThat(program.ioctl(OBJECT, DRIVER + 1, attribute(DRIVER, 0), handle)).isZero();
    assertThat(deregister(umem)).isZero();
  }

  @Test
  void memoryThatIsNotThereIsAFault() throws IOException {
    long[] attributes = {
      attribute(DRIVER, 0), 0,
      attribute(DRIVER + 1, 8), 0x10000,
      attribute(DRIVER + 2, 8), 4096,
      attribute(DRIVER + 3, 4), 1,
      attribute(DRIVER + 4, 4), out.address()
    };
    assertThat(program.ioctl(UMEM, DRIVER, attributes)).isEqualTo(-Errno.EFAULT);
  }

  @Test
  void eventsOfAnObjectGoToAChannel() throws IOException {
    Registered umem = umem(program, program.memory(8192));
    long handle = create(program, queue(umem.number(), uar(program)));
    long[] channel = {attribute(DRIVER, 0), 0, attribute(DRIVER + 1, 4), 1};
    assertThat(program.ioctl(EVENTS, DRIVER, channel)).isZero();
    assertThat(subscribe((int) channel[1], handle)).isZero();
    assertThat(subscribe(12345, handle)).isEqualTo(-Errno.EBADF);
    assertThat(subscribe((int) channel[1], 777)).isEqualTo(-Errno.ENOENT);
  }

  private long subscribe(int channel, long object) throws IOException {
    return program.ioctl(
        DEVX,
        DRIVER + 3,
        attribute(DRIVER, 0),
        channel,
        attribute(DRIVER + 1, 0),
        object,
        attribute(DRIVER + 2, 2),
        HcaEvent.CQ_ERROR,
        attribute(DRIVER + 4, 8),
        42);
  }
}
