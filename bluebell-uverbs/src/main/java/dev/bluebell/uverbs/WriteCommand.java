package dev.bluebell.uverbs;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The write commands that are answered, with the sizes that the kernel insists on. Mirrors {@code
 * uverbs_cmd.c: uverbs_def_write_intf}.
 */
enum WriteCommand {
  GET_CONTEXT(0, 8, 8, Uverbs::getContext),
  QUERY_DEVICE(1, 8, 176, (s, c) -> c.reply(DeviceQueries.device(s.hca()))),
  QUERY_PORT(2, 16, 40, (s, c) -> c.reply(DeviceQueries.port(s.hca(), c.in().u8(8)))),
  ALLOC_PD(3, 8, 4, Pd::allocate),
  DEALLOC_PD(4, 4, 0, (s, c) -> Pd.deallocate(s, c.in().u32(0))),
  CREATE_AH(5, 56, 4, Ah::create),
  DESTROY_AH(8, 4, 0, (s, c) -> s.handles().destroy(Ah.class, c.in().u32(0))),
  REG_MR(9, 40, 12, Mr::register),
  REREG_MR(11, 48, 8, Mr::reregister),
  DEREG_MR(13, 4, 0, (s, c) -> s.handles().destroy(Mr.class, c.in().u32(0))),
  CREATE_COMP_CHANNEL(17, 8, 4, Uverbs::createCompletionChannel),
  CREATE_CQ(18, 32, 8, Uverbs::createCq),
  RESIZE_CQ(19, 16, 8, Uverbs::resizeCq),
  DESTROY_CQ(
      20, 16, 8, (s, c) -> c.reply(s.handles().destroy(Cq.class, c.in().u32(8)).eventsReported())),
  CREATE_QP(24, 56, 32, Uverbs::createQp),
  QUERY_QP(25, 16, 128, (s, c) -> c.reply(s.handles().find(Qp.class, c.in().u32(8)).query())),
  MODIFY_QP(26, 112, 0, Uverbs::modifyQp),
  DESTROY_QP(
      27, 16, 4, (s, c) -> c.reply(s.handles().destroy(Qp.class, c.in().u32(8)).eventsReported())),
  CREATE_SRQ(32, 32, 16, Uverbs::createSrq),
  MODIFY_SRQ(
      33,
      16,
      0,
      (s, c) -> s.handles().find(Srq.class, c.in().u32(0)).modify(c.in().u32(4), c.in().u32(12))),
  QUERY_SRQ(34, 16, 16, (s, c) -> c.reply(s.handles().find(Srq.class, c.in().u32(8)).query())),
  DESTROY_SRQ(
      35, 16, 4, (s, c) -> c.reply(s.handles().destroy(Srq.class, c.in().u32(8)).eventsReported())),
  CREATE_XSRQ(39, 48, 16, Uverbs::createExtendedSrq),
  EX_QUERY_DEVICE(1 | Uverbs.EXTENDED, 8, 176, Uverbs::queryDevice),
  EX_CREATE_CQ(18 | Uverbs.EXTENDED, 32, 8, Uverbs::createExtendedCq),
  EX_CREATE_QP(24 | Uverbs.EXTENDED, 56, 32, Uverbs::createExtendedQp),
  EX_MODIFY_QP(26 | Uverbs.EXTENDED, 112, 0, Uverbs::modifyExtendedQp),
  EX_MODIFY_CQ(57 | Uverbs.EXTENDED, 16, 0, Uverbs::modifyCq);

  private static final Map<Integer, WriteCommand> BY_NUMBER = new HashMap<>();

  static {
    for (WriteCommand command : values()) {
      BY_NUMBER.put(command.number, command);
    }
  }

  private final int number;
  private final int requestBytes;
  private final int responseBytes;
  private final Handler handler;

  /** Executes a command. */
  private interface Handler {
    void handle(Session session, WriteCall call) throws IOException;
  }

  WriteCommand(int number, int requestBytes, int responseBytes, Handler handler) {
    this.number = number;
    this.requestBytes = requestBytes;
    this.responseBytes = responseBytes;
    this.handler = handler;
  }

  /** The command with a number, in which bit 31 marks the extended form. */
  static WriteCommand of(int number) {
    @Nullable WriteCommand command = BY_NUMBER.get(number);
    if (command == null) {
      throw new Refusal(
          Errno.EOPNOTSUPP,
          "%s (write command 0x%x)".formatted(lack(number & ~Uverbs.EXTENDED), number));
    }
    return command;
  }

  /** What a command is about that this device has not. */
  private static String lack(int number) {
    return switch (number) {
      case 14, 15, 16 -> "memory windows are not supported yet";
      case 30, 31 -> "multicast is not supported yet";
      case 37, 38, 40 -> "XRC domains and their queue pairs are not supported yet";
      case 50, 51 -> "flow steering is not supported";
      case 52, 53, 54, 55, 56 -> "queues of raw packets are not supported";
      default -> "the call is not supported";
    };
  }

  /** Bytes of input before the driver's. */
  int requestBytes() {
    return requestBytes;
  }

  /** Bytes of output before the driver's. */
  int responseBytes() {
    return responseBytes;
  }

  void execute(Session session, WriteCall call) throws IOException {
    Refusal.require(
        call.in().size() >= requestBytes && call.out().bytes() >= responseBytes,
        Errno.ENOSPC,
        "%s brings %d bytes and has room for %d, which is too little",
        this,
        call.in().size(),
        call.out().bytes());
    handler.handle(session, call);
  }
}
