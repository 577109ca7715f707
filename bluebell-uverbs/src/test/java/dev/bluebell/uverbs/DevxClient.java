package dev.bluebell.uverbs;

import static dev.bluebell.uverbs.RawClient.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.CqCommands.CreateCqOut;
import dev.bluebell.hca.command.CqCommands.QueryCqIn;
import dev.bluebell.hca.command.DomainCommands.AllocPdIn;
import dev.bluebell.hca.command.DomainCommands.AllocPdOut;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.RmpCommands.CreateRmpIn;
import dev.bluebell.hca.command.RmpCommands.CreateRmpOut;
import dev.bluebell.hca.command.RmpCommands.Rmpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.command.XrqCommands.CreateXrqIn;
import dev.bluebell.hca.command.XrqCommands.TagMatchingTopologyContext;
import dev.bluebell.hca.command.XrqCommands.Xrqc;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.uverbs.call.ShimChannel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A client of a {@link Host} that sends raw commands. */
final class DevxClient implements AutoCloseable {
  static final int DEVX = 0x1000;
  static final int OBJ = 0x1001;
  static final int UMEM = 0x1002;
  static final int ASYNC_CMD_FD = 0x1004;
  static final int EVENT_FD = 0x1005;
  static final int UAR = 0x1008;

  private static final int CQ = 3;
  private static final int CREATE_QP = 24;
  private static final int UD = 4;
  private static final int DRIVER_BYTES = 32;
  private static final int CQ_FLAG_UAR_PAGE_INDEX = 2;
  private static final int QP_FLAG_UAR_PAGE_INDEX = 1 << 10;

  private static final int HELLO = 0;
  private static final int GET_CONTEXT = 0;
  private static final int REQUEST_BYTES = 40;

  private static final int RESPONSE_BYTES = 80;
  private static final int OUTPUT_BYTES = 0x400;
  private static final int LOCAL_WRITE = 1;
  private static final int LOG_CQ_SIZE = 2;
  private static final int RECORD_OFFSET = 4096;

  private final RawClient raw;
  private final MemorySegment output;
  private long last;

  private DevxClient(RawClient raw) {
    this.raw = raw;
    output = raw.memory(OUTPUT_BYTES);
  }

  /** An object that a command created, with its number on the device. */
  record Made(long handle, int number) {}

  /** Opens a context that may send commands. */
  static DevxClient open(Host host) throws IOException {
    return open(host, 1);
  }

  /** Opens a context that may not send commands. */
  static DevxClient openPlain(Host host) throws IOException {
    return open(host, 0);
  }

  /** Opens an observed context that may send commands. */
  static DevxClient openObserved(Host host, long token) throws IOException {
    RawClient raw = new RawClient(host);
    assertThat(raw.call(HELLO, ShimChannel.PROTOCOL_VERSION, token, 0)).isZero();
    return open(raw, 1);
  }

  /**
   * Opens a context that may not send commands, of a client that may map memory.
   *
   * @param bits options of the greeting
   */
  static DevxClient openMapping(Host host, long bits) throws IOException {
    RawClient raw = new RawClient(host);
    assertThat(raw.call(HELLO, ShimChannel.PROTOCOL_VERSION, 0, bits)).isZero();
    return open(raw, 0);
  }

  private static DevxClient open(Host host, int flags) throws IOException {
    return open(new RawClient(host), flags);
  }

  private static DevxClient open(RawClient raw, int flags) throws IOException {
    byte[] request = Fields.of(REQUEST_BYTES).u32(8 + 8, flags).u64(8 + 24, 3).bytes();
    assertThat(raw.write(GET_CONTEXT, request, raw.memory(RESPONSE_BYTES))).isPositive();
    return new DevxClient(raw);
  }

  RawClient raw() {
    return raw;
  }

  MemorySegment bytes(byte... bytes) {
    MemorySegment memory = raw.memory(Math.max(1, bytes.length));
    memory.asSlice(0, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
    return memory;
  }

  /** The device's answer to the last command. */
  View output() {
    return View.over(output.toArray(ValueLayout.JAVA_BYTE));
  }

  /** A method of attributes HANDLE, CMD_IN and CMD_OUT; its result, negative when refused. */
  long onObject(int method, long handle, byte... command) throws IOException {
    output.fill((byte) 0);
    long[] attributes = {
      attribute(0x1000, 0),
      handle,
      attribute(0x1001, command.length),
      bytes(command).address(),
      attribute(0x1002, OUTPUT_BYTES),
      output.address()
    };
    long result = raw.ioctl(OBJ, method, attributes);
    last = attributes[1];
    return result;
  }

  /** The object that the last command created. */
  Made last(Field number) {
    return new Made(last, output().getInt(number));
  }

  /** DEVX.OTHER. */
  long other(byte... command) throws IOException {
    output.fill((byte) 0);
    return raw.ioctl(
        DEVX,
        0x1000,
        attribute(0x1000, command.length),
        bytes(command).address(),
        attribute(0x1001, OUTPUT_BYTES),
        output.address());
  }

  long create(byte... command) throws IOException {
    return onObject(0x1000, 0, command);
  }

  long modify(long handle, byte... command) throws IOException {
    return onObject(0x1002, handle, command);
  }

  long query(long handle, byte... command) throws IOException {
    return onObject(0x1003, handle, command);
  }

  long destroy(long handle) throws IOException {
    return raw.ioctl(OBJ, 0x1001, attribute(0x1000, 0), handle);
  }

  Made made(Field number, byte... command) throws IOException {
    assertThat(create(command)).isZero();
    return last(number);
  }

  Made domain() throws IOException {
    return made(AllocPdOut.PD, View.command(AllocPdIn.STRUCTURE, CommandOpcode.ALLOC_PD).bytes());
  }

  /** Registers two pages; one is for a ring and the other for a doorbell record. */
  Made umem() throws IOException {
    return umem(raw.memory(2 * RECORD_OFFSET).address(), 2 * RECORD_OFFSET);
  }

  Made umem(long address, long length) throws IOException {
    MemorySegment number = raw.memory(4);
    long[] attributes = umemAttributes(address, length, number);
    assertThat(raw.ioctl(UMEM, 0x1000, attributes)).isZero();
    return new Made(attributes[1], number.get(ValueLayout.JAVA_INT, 0));
  }

  long refusedUmem(long address, long length) throws IOException {
    return raw.ioctl(UMEM, 0x1000, umemAttributes(address, length, raw.memory(4)));
  }

  private static long[] umemAttributes(long address, long length, MemorySegment number) {
    return new long[] {
      attribute(0x1000, 0),
      0,
      attribute(0x1001, 8),
      address,
      attribute(0x1002, 8),
      length,
      attribute(0x1003, 4),
      LOCAL_WRITE,
      attribute(0x1004, 4),
      number.address()
    };
  }

  long deregister(long umem) throws IOException {
    return raw.ioctl(UMEM, 0x1001, attribute(0x1000, 0), umem);
  }

  Made uar() throws IOException {
    MemorySegment out = raw.memory(24);
    long[] attributes = {
      attribute(0x1000, 0),
      0,
      attribute(0x1001, 4),
      0,
      attribute(0x1002, 8),
      out.address(),
      attribute(0x1003, 4),
      out.address() + 8,
      attribute(0x1004, 4),
      out.address() + 16
    };
    assertThat(raw.ioctl(UAR, 0x1000, attributes)).isZero();
    return new Made(attributes[1], out.get(ValueLayout.JAVA_INT, 16));
  }

  /** Number of the event queue of a completion vector; negative when refused. */
  long eventQueue(int vector) throws IOException {
    MemorySegment number = raw.memory(4);
    long result =
        raw.ioctl(
            DEVX, 0x1002, attribute(0x1000, 4), vector, attribute(0x1001, 4), number.address());
    return result < 0 ? result : number.get(ValueLayout.JAVA_INT, 0);
  }

  /** Frees a UAR page. */
  long freeUar(long handle) throws IOException {
    return raw.ioctl(UAR, 0x1001, attribute(0x1000, 0), handle);
  }

  /** CREATE_CQ of four entries at the start of a umem. */
  byte[] cq(Made umem, Made uar) throws IOException {
    View command = View.command(CreateCqIn.STRUCTURE, CommandOpcode.CREATE_CQ);
    command
        .set(CreateCqIn.CQ_UMEM_ID, umem.number())
        .set(CreateCqIn.CQ_UMEM_VALID, true)
        .at(CreateCqIn.CQ_CONTEXT)
        .set(Cqc.DBR_UMEM_ID, umem.number())
        .set(Cqc.DBR_UMEM_VALID, true)
        .set(Cqc.DBR_ADDR, RECORD_OFFSET)
        .set(Cqc.LOG_CQ_SIZE, LOG_CQ_SIZE)
        .set(Cqc.UAR_PAGE, uar.number())
        .set(Cqc.C_EQN, eventQueue(0));
    return command.bytes();
  }

  static byte[] queryCq(int number) {
    return View.command(QueryCqIn.STRUCTURE, CommandOpcode.QUERY_CQ)
        .set(QueryCqIn.CQN, number)
        .bytes();
  }

  /** CREATE_MKEY for reading a page of a umem. */
  static byte[] mkey(Made domain, Made umem) {
    View command = View.command(CreateMkeyIn.STRUCTURE, CommandOpcode.CREATE_MKEY);
    command
        .set(CreateMkeyIn.MKEY_UMEM_VALID, true)
        .set(CreateMkeyIn.MKEY_UMEM_ID, umem.number())
        .at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY)
        .set(Mkc.ACCESS_MODE_1_0, 1)
        .set(Mkc.QPN, 0xffffff)
        .set(Mkc.LR, true)
        .set(Mkc.PD, domain.number())
        .set(Mkc.LEN, 4096)
        .set(Mkc.LOG_PAGE_SIZE, 12)
        .set(Mkc.TRANSLATIONS_OCTWORD_SIZE, 1);
    return command.bytes();
  }

  /** Changes CREATE_MKEY so that its key names device memory. */
  static void inDeviceMemory(byte[] mkey, long address) {
    View.over(mkey)
        .set(CreateMkeyIn.MKEY_UMEM_VALID, false)
        .at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY)
        .set(Mkc.ACCESS_MODE_4_2, 1)
        .set(Mkc.START_ADDR, address);
  }

  /**
   * Creates a CQ by the call of verbs, in which only the kernel names umems; negative when refused.
   *
   * @param cqe entries, less one
   * @param offset of the doorbell record in a page of its own
   * @param channel descriptor of the completion channel; -1 for none
   */
  long verbsCq(Made uar, int cqe, int offset, int channel) throws IOException {
    byte[] driver =
        Fields.of(DRIVER_BYTES)
            .u64(0, raw.memory(64 * (cqe + 1)).address())
            .u64(8, raw.memory(RECORD_OFFSET).address() + offset)
            .u32(16, 64)
            .u16(22, CQ_FLAG_UAR_PAGE_INDEX)
            .u16(24, uar.number())
            .bytes();
    long[] attributes = {
      attribute(0, 0),
      0,
      attribute(1, 4),
      cqe,
      attribute(2, 8),
      99,
      attribute(3, 0),
      channel,
      attribute(4, 4),
      0,
      attribute(5, 4),
      0,
      attribute(6, 4),
      raw.memory(4).address(),
      attribute(0x1000, DRIVER_BYTES),
      bytes(driver).address(),
      attribute(0x1001, 8),
      raw.memory(8).address()
    };
    long result = raw.ioctl(CQ, 0, attributes);
    last = attributes[1];
    return result;
  }

  /**
   * Creates a UD QP without receives by the call of verbs; negative when refused.
   *
   * @param domain handle of its protection domain
   * @param queue handle of its CQ
   */
  long verbsQp(int domain, long queue, Made uar) throws IOException {
    byte[] request =
        Fields.of(56 + 56)
            .u32(16, domain)
            .u32(20, (int) queue)
            .u32(24, (int) queue)
            .u32(32, 1)
            .u8(53, UD)
            .u64(56, raw.memory(RECORD_OFFSET).address())
            .u64(64, raw.memory(RECORD_OFFSET).address())
            .u32(72, 4)
            .u32(84, QP_FLAG_UAR_PAGE_INDEX)
            .u32(92, uar.number())
            .bytes();
    MemorySegment out = raw.memory(64);
    long result = raw.write(CREATE_QP, request, out);
    last = out.get(ValueLayout.JAVA_INT, 0);
    return result;
  }

  /** The handle of the object that the last call created. */
  long lastHandle() {
    return last;
  }

  Made createCq(Made umem) throws IOException {
    return made(CreateCqOut.CQN, cq(umem, uar()));
  }

  /** A linked list of four receive requests. */
  Made createPool(Made domain, Made umem) throws IOException {
    return made(CreateRmpOut.RMPN, pool(domain, umem));
  }

  /** CREATE_RMP for {@link #createPool}. */
  static byte[] pool(Made domain, Made umem) {
    View command = View.command(CreateRmpIn.STRUCTURE, CommandOpcode.CREATE_RMP);
    command
        .at(CreateRmpIn.CTX)
        .set(Rmpc.STATE, 1)
        .at(Rmpc.WQ)
        .set(Wq.PD, domain.number())
        .set(Wq.LOG_WQ_SZ, 2)
        .set(Wq.LOG_WQ_STRIDE, 5)
        .set(Wq.WQ_UMEM_ID, umem.number())
        .set(Wq.DBR_UMEM_ID, umem.number())
        .set(Wq.DBR_ADDR, RECORD_OFFSET);
    return command.bytes();
  }

  /** CREATE_XRQ of a queue with four receive requests and four tags. */
  static byte[] xrq(Made domain, Made umem, Made queue) {
    View command = View.command(CreateXrqIn.STRUCTURE, CommandOpcode.CREATE_XRQ);
    View context =
        command
            .at(CreateXrqIn.XRQ_CONTEXT)
            .set(Xrqc.TOPOLOGY, Xrqc.TOPOLOGY_TAG_MATCHING)
            .set(Xrqc.OFFLOAD, Xrqc.OFFLOAD_RNDV)
            .set(Xrqc.CQN, queue.number());
    context
        .at(Xrqc.TAG_MATCHING_TOPOLOGY_CONTEXT)
        .set(TagMatchingTopologyContext.LOG_MATCHING_LIST_SZ, 2);
    context
        .at(Xrqc.WQ)
        .set(Wq.PD, domain.number())
        .set(Wq.LOG_WQ_SZ, 2)
        .set(Wq.LOG_WQ_STRIDE, 5)
        .set(Wq.WQ_UMEM_ID, umem.number())
        .set(Wq.DBR_UMEM_ID, umem.number())
        .set(Wq.DBR_ADDR, RECORD_OFFSET);
    return command.bytes();
  }

  /** CREATE_QP of a queue pair that receives from a tag-matching queue and sends nothing. */
  byte[] matchingQp(Made domain, Made umem, Made queue, int xrqn) throws IOException {
    View command =
        View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP)
            .set(CreateQpIn.WQ_UMEM_ID, umem.number());
    command
        .at(CreateQpIn.QPC)
        .set(Qpc.PD, domain.number())
        .set(Qpc.NO_SQ, true)
        .set(Qpc.OFFLOAD_TYPE, Qpc.OFFLOAD_TYPE_RNDV)
        .set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_SHARED)
        .set(Qpc.SRQN_RMPN_XRQN, xrqn)
        .set(Qpc.CQN_SND, queue.number())
        .set(Qpc.CQN_RCV, queue.number())
        .set(Qpc.UAR_PAGE, uar().number())
        .set(Qpc.DBR_UMEM_ID, umem.number())
        .set(Qpc.DBR_ADDR, RECORD_OFFSET);
    return command.bytes();
  }

  @Override
  public void close() {
    raw.close();
  }
}
