package dev.bluebell.uverbs;

import dev.bluebell.hca.HcaException;
import java.util.function.Supplier;

/**
 * Commands that a program sends as they are, and what of DevX belongs to no object. Mirrors {@code
 * mlx5_ib devx.c: UVERBS_METHOD_MLX5_IB_METHOD_DEVX_OTHER} and its neighbours.
 */
final class DevxCommand {
  private static final int CMD_IN = 0x1000;
  private static final int CMD_OUT = 0x1001;
  private static final int VECTOR = 0x1000;
  private static final int EQN = 0x1001;
  private static final int HEADER_BYTES = 16;

  private DevxCommand() {}

  /** The command that a call brings. */
  static byte[] of(IoctlCall call, int attribute) {
    byte[] command = call.structure(attribute, 0).bytes();
    Refusal.require(
        command.length >= HEADER_BYTES,
        Errno.EINVAL,
        "a command of %d bytes has no header",
        command.length);
    return command;
  }

  /** Executes a command; when the device refuses, the program gets to see its output. */
  static <T> T run(IoctlCall call, int out, Supplier<T> command) {
    try {
      return command.get();
    } catch (HcaException refusal) {
      call.put(out, Fields.over(refusal.output()));
      throw new Refusal(Errno.EREMOTEIO, String.valueOf(refusal.getMessage()));
    }
  }

  static void other(Session session, IoctlCall call) {
    session.requireDevx();
    byte[] command = of(call, CMD_IN);
    call.put(CMD_OUT, Fields.over(run(call, CMD_OUT, () -> session.hca().execute(command))));
  }

  static void queryEqn(Session session, IoctlCall call) {
    session.requireDevx();
    int vector = call.handle(VECTOR);
    Refusal.require(
        vector >= 0 && vector < session.hca().completionVectors(),
        Errno.EINVAL,
        "completion vector %d",
        vector);
    call.putInt(EQN, session.hca().eventQueueNumber(vector));
  }
}
