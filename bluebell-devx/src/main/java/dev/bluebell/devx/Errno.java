package dev.bluebell.devx;

import dev.bluebell.hca.command.CommandStatus;

/** Error numbers of Linux for refused calls. */
final class Errno {
  static final int EPERM = 1;
  static final int ENOENT = 2;
  static final int EINTR = 4;
  static final int EIO = 5;
  static final int ENXIO = 6;
  static final int EBADF = 9;
  static final int EAGAIN = 11;
  static final int ENOMEM = 12;
  static final int EACCES = 13;
  static final int EBUSY = 16;
  static final int ENODEV = 19;
  static final int EINVAL = 22;
  static final int ENOTTY = 25;
  static final int ENOSPC = 28;
  static final int ENODATA = 61;
  static final int EOVERFLOW = 75;
  static final int EPROTONOSUPPORT = 93;
  static final int EOPNOTSUPP = 95;
  static final int EREMOTEIO = 121;

  private Errno() {}

  /** The name, or the number if it is not listed here. */
  static String name(int errno) {
    return switch (errno) {
      case EPERM -> "EPERM";
      case ENOENT -> "ENOENT";
      case EINTR -> "EINTR";
      case EIO -> "EIO";
      case ENXIO -> "ENXIO";
      case EBADF -> "EBADF";
      case EAGAIN -> "EAGAIN";
      case ENOMEM -> "ENOMEM";
      case EACCES -> "EACCES";
      case EBUSY -> "EBUSY";
      case ENODEV -> "ENODEV";
      case EINVAL -> "EINVAL";
      case ENOTTY -> "ENOTTY";
      case ENOSPC -> "ENOSPC";
      case ENODATA -> "ENODATA";
      case EOVERFLOW -> "EOVERFLOW";
      case EPROTONOSUPPORT -> "EPROTONOSUPPORT";
      case EOPNOTSUPP -> "EOPNOTSUPP";
      case EREMOTEIO -> "EREMOTEIO";
      default -> "errno " + errno;
    };
  }

  /**
   * A command status with the same meaning: inverts {@code mlx5/core/cmd.c: cmd_status_to_err},
   * which maps several statuses to one error number.
   */
  static int status(int errno) {
    return switch (errno) {
      case EBUSY -> CommandStatus.RES_BUSY;
      case ENOMEM, ENOSPC -> CommandStatus.LIM_ERR;
      case EAGAIN -> CommandStatus.NO_RES;
      case EIO -> CommandStatus.INT_ERR;
      case EOPNOTSUPP, EPROTONOSUPPORT, ENOTTY -> CommandStatus.BAD_OP;
      default -> CommandStatus.BAD_PARAM;
    };
  }
}
