package dev.bluebell.connect.cm;

import java.io.IOException;

/** The connection manager refused a command. */
final class CmRefusal extends IOException {
  private static final long serialVersionUID = 1;

  // Error numbers of Linux.
  private static final int ENOENT = 2;
  private static final int EIO = 5;
  static final int EAGAIN = 11;
  private static final int ENOMEM = 12;
  private static final int EACCES = 13;
  private static final int ENODEV = 19;
  private static final int EINVAL = 22;
  private static final int EADDRINUSE = 98;
  private static final int EADDRNOTAVAIL = 99;

  /**
   * @param what the command failed to do, such as "listening at …"
   * @param errno error number of Linux
   */
  CmRefusal(String what, int errno) {
    super("%s failed: %s".formatted(what, why(errno)));
  }

  private static String why(int errno) {
    return switch (errno) {
      case ENOENT, EINVAL ->
          "the connection manager no longer has this connection, or rejects the command (errno %d)"
              .formatted(errno);
      case EIO -> "the device process has ended, or the device is closed (EIO)";
      case ENOMEM -> "the process has reached its limit of connections (ENOMEM)";
      case EACCES -> "the port is for privileged processes (EACCES); choose 1024 or higher";
      case ENODEV -> "no RDMA device has a route to it (ENODEV)";
      case EADDRINUSE -> "the port is in use (EADDRINUSE)";
      case EADDRNOTAVAIL -> "no RDMA device has the address (EADDRNOTAVAIL)";
      default -> "errno %d".formatted(errno);
    };
  }
}
