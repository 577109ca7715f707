package dev.bluebell.uverbs.devx;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.DevxAbi.DevxAsyncCmdFdAllocAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjAsyncQueryAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.Mlx5DevxAsyncCmdHdr;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.event.EventFile;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;
import java.util.Arrays;

/**
 * Files from which the client reads the answers to asynchronous queries. Mirrors {@code
 * mlx5_user_ioctl_verbs.h: mlx5_ib_uapi_devx_async_cmd_hdr}: a number of the client's choice, and
 * the output.
 */
public final class DevxAnswers {
  private static final int HEADER_BYTES = Mlx5DevxAsyncCmdHdr.STRUCTURE.bytes();
  private static final int MAX_OUTPUT_BYTES = 0xffff;

  private DevxAnswers() {}

  public static void open(Session session, IoctlCall call) throws IOException {
    session.requireDevx();
    call.putHandle(
        DevxAsyncCmdFdAllocAttrs.HANDLE,
        EventFile.open(session, EventFile.Kind.DEVX_ANSWERS, HEADER_BYTES + MAX_OUTPUT_BYTES).fd());
  }

  // The device answers at once; the output tells the client whether it refused.
  public static void query(Session session, IoctlCall call) {
    session.requireDevx();
    HcaObject object = DevxCommand.object(session, call, DevxObjAsyncQueryAttrs.HANDLE);
    byte[] command = DevxCommand.of(call, DevxObjAsyncQueryAttrs.CMD_IN);
    EventFile file =
        EventFile.find(
            session, EventFile.Kind.DEVX_ANSWERS, call.handle(DevxObjAsyncQueryAttrs.FD));
    int outputBytes = call.handle(DevxObjAsyncQueryAttrs.OUT_LEN) & MAX_OUTPUT_BYTES;
    byte[] output;
    try {
      output = object.query(command);
    } catch (HcaException refusal) {
      output = refusal.output();
    }
    // Not kept for later: the client waits for its answer, and need not call again.
    boolean fits =
        file.pipe()
            .offer(
                View.of(Mlx5DevxAsyncCmdHdr.STRUCTURE, outputBytes)
                    .set(Mlx5DevxAsyncCmdHdr.WR_ID, call.number(DevxObjAsyncQueryAttrs.WR_ID))
                    .put(HEADER_BYTES, Arrays.copyOf(output, outputBytes))
                    .bytes());
    Refusal.require(
        fits,
        Errno.EAGAIN,
        "the answers in descriptor %d must be read before there can be more",
        file.fd());
  }
}
