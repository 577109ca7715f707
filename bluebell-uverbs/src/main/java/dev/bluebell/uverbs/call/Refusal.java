package dev.bluebell.uverbs.call;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.uverbs.Errno;
import java.io.IOException;

/**
 * Thrown to refuse a call: the error number that the client sees, and a sentence with the reason.
 */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int errno;
  private final String call;

  public Refusal(int errno, String why) {
    this(errno, why, "");
  }

  private Refusal(int errno, String why, String call) {
    super(why, null, false, false);
    this.errno = errno;
    this.call = call;
  }

  /**
   * This refusal as one of a call, such as "ibv_modify_qp of QP 0x40", unless it is one of a call
   * already.
   */
  public Refusal in(String refusedCall) {
    return call.isEmpty() ? new Refusal(errno, String.valueOf(getMessage()), refusedCall) : this;
  }

  /**
   * The refusal of a call because the device refused a command of the kernel. Mirrors {@code
   * mlx5/core/cmd.c: cmd_status_to_err}.
   */
  public static Refusal of(HcaException refusal) {
    int errno =
        switch (refusal.status()) {
          case CommandStatus.RES_BUSY -> Errno.EBUSY;
          case CommandStatus.LIM_ERR -> Errno.ENOMEM;
          case CommandStatus.NO_RES -> Errno.EAGAIN;
          case CommandStatus.INT_ERR,
              CommandStatus.BAD_SYS_STATE,
              CommandStatus.BAD_INP_LEN,
              CommandStatus.BAD_OUTP_LEN ->
              Errno.EIO;
          default -> Errno.EINVAL;
        };
    return new Refusal(errno, String.valueOf(refusal.getMessage()));
  }

  /**
   * The refusal of a call because the device refused a command of the client; the client finds the
   * status in the output.
   */
  public static Refusal byDevice(HcaException refusal) {
    return new Refusal(Errno.EREMOTEIO, String.valueOf(refusal.getMessage()));
  }

  /**
   * The refusal of a call because the kernel gave the device process no memory or descriptor.
   *
   * @param what the device process needed, such as "memory for a queue"
   */
  public static Refusal byKernel(String what, IOException why) {
    return new Refusal(
        Errno.ENOMEM,
        ("the kernel gave the device process no %s: %s; end other processes, or raise the ulimit"
                + " of the device process")
            .formatted(what, why.getMessage()));
  }

  /** The error number, positive. */
  public int errno() {
    return errno;
  }

  /** The refused call; "a call of the client" when it is not known. */
  public String call() {
    return call.isEmpty() ? "a call of the client" : call;
  }

  /** Throws unless {@code condition} holds. */
  public static void require(boolean condition, int errno, String format, Object... arguments) {
    if (!condition) {
      throw new Refusal(errno, format.formatted(arguments));
    }
  }
}
