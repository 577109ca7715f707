package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.ConstantNames;

/** The error numbers of Linux with which calls are refused. */
public final class Errno {
  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int EINTR = 4;
  public static final int EIO = 5;
  public static final int ENXIO = 6;
  public static final int EBADF = 9;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EFAULT = 14;
  public static final int EBUSY = 16;
  public static final int ENODEV = 19;
  public static final int EINVAL = 22;
  public static final int EMFILE = 24;
  public static final int ENOTTY = 25;
  public static final int ENOSPC = 28;
  public static final int ENOSYS = 38;
  public static final int ENODATA = 61;
  public static final int EPROTO = 71;
  public static final int EOVERFLOW = 75;
  public static final int EPROTONOSUPPORT = 93;
  public static final int EOPNOTSUPP = 95;
  public static final int EAFNOSUPPORT = 97;
  public static final int EADDRINUSE = 98;
  public static final int EADDRNOTAVAIL = 99;
  public static final int ENETUNREACH = 101;
  public static final int EISCONN = 106;
  public static final int ETIMEDOUT = 110;
  public static final int EHOSTUNREACH = 113;
  public static final int EREMOTEIO = 121;

  private static final ConstantNames NAMES = new ConstantNames(Errno.class, "errno %d");

  private Errno() {}

  /** The name of an error number, or the number if it is not listed here. */
  public static String name(int errno) {
    return NAMES.of(errno);
  }
}
