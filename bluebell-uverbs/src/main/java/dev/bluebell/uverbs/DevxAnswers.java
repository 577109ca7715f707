package dev.bluebell.uverbs;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import java.io.IOException;
import java.util.Arrays;

/**
 * Files in which the program finds the answers to queries that it does not wait for. Mirrors {@code
 * mlx5_user_ioctl_verbs.h: mlx5_ib_uapi_devx_async_cmd_hdr}: a number of the program's choice, and
 * the output.
 */
final class DevxAnswers {
  private static final int FD = 0x1000;

  private static final int HANDLE = 0x1000;
  private static final int CMD_IN = 0x1001;
  private static final int ANSWERS_FD = 0x1002;
  private static final int WR_ID = 0x1003;
  private static final int OUT_LEN = 0x1004;

  private static final int MAX_OUTPUT_BYTES = 0xffff;

  private DevxAnswers() {}

  static void open(Session session, IoctlCall call) throws IOException {
    session.requireDevx();
    call.putHandle(
        FD,
        EventFile.open(session, EventFile.Kind.DEVX_ANSWERS, Long.BYTES + MAX_OUTPUT_BYTES).fd());
  }

  // The device answers at once; whether it refused, the program learns from the output.
  static void query(Session session, IoctlCall call) {
    session.requireDevx();
    HcaObject object = session.handles().find(Handles.OnDevice.class, call.handle(HANDLE)).object();
    byte[] command = DevxCommand.of(call, CMD_IN);
    EventFile file = EventFile.find(session, EventFile.Kind.DEVX_ANSWERS, call.handle(ANSWERS_FD));
    int outputBytes = call.handle(OUT_LEN) & MAX_OUTPUT_BYTES;
    Refusal.require(
        file.pipe().flush(),
        Errno.EAGAIN,
        "the answers in descriptor %d must be read before there can be more",
        file.fd());
    byte[] output;
    try {
      output = object.query(command);
    } catch (HcaException refusal) {
      output = refusal.output();
    }
    file.pipe()
        .write(
            Fields.of(Long.BYTES + outputBytes)
                .u64(0, call.number(WR_ID))
                .bytes(Long.BYTES, Arrays.copyOf(output, outputBytes))
                .bytes());
  }
}
