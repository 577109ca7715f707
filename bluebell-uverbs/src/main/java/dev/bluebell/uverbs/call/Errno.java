package dev.bluebell.uverbs.call;

/** The error numbers of Linux with which calls are refused. */
public final class Errno {
  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int EIO = 5;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EFAULT = 14;
  public static final int EBUSY = 16;
  public static final int EINVAL = 22;
  static final int EMFILE = 24;
  public static final int ENOTTY = 25;
  public static final int ENOSPC = 28;
  public static final int ENODATA = 61;
  public static final int EPROTO = 71;
  public static final int EBADF = 9;
  public static final int EOPNOTSUPP = 95;
  public static final int EPROTONOSUPPORT = 93;
  public static final int EREMOTEIO = 121;

  public static final int EACCES = 13;
  public static final int ENODEV = 19;
  public static final int ENOSYS = 38;
  public static final int EAFNOSUPPORT = 97;
  public static final int EADDRINUSE = 98;
  public static final int EADDRNOTAVAIL = 99;
  public static final int EISCONN = 106;
  public static final int ETIMEDOUT = 110;

  private Errno() {}

  /** The name of an error number, or the number if it is not listed here. */
  public static String name(int errno) {
    return switch (errno) {
      case EPERM -> "EPERM";
      case ENOENT -> "ENOENT";
      case EIO -> "EIO";
      case EAGAIN -> "EAGAIN";
      case ENOMEM -> "ENOMEM";
      case EFAULT -> "EFAULT";
      case EBUSY -> "EBUSY";
      case EINVAL -> "EINVAL";
      case EMFILE -> "EMFILE";
      case ENOTTY -> "ENOTTY";
      case ENOSPC -> "ENOSPC";
      case ENODATA -> "ENODATA";
      case EPROTO -> "EPROTO";
      case EBADF -> "EBADF";
      case EOPNOTSUPP -> "EOPNOTSUPP";
      case EPROTONOSUPPORT -> "EPROTONOSUPPORT";
      case EREMOTEIO -> "EREMOTEIO";
      case EACCES -> "EACCES";
      case ENODEV -> "ENODEV";
      case ENOSYS -> "ENOSYS";
      case EAFNOSUPPORT -> "EAFNOSUPPORT";
      case EADDRINUSE -> "EADDRINUSE";
      case EADDRNOTAVAIL -> "EADDRNOTAVAIL";
      case EISCONN -> "EISCONN";
      case ETIMEDOUT -> "ETIMEDOUT";
      default -> "error %d".formatted(errno);
    };
  }
}
