package dev.bluebell.server;

/**
 * The messages of a preload library, and of Java clients that use the connection manager as it
 * does: four words of 8 bytes {kind, a, b, c} in the byte order of the machine.
 */
public final class ShimProtocol {
  public static final int VERSION = 8;
  public static final int WORDS = 4;

  /** A greeting that opens a device file: version, token of an observer, bits. */
  public static final int HELLO = 0;

  /** An ioctl of the client: its number, and the address of its argument. */
  public static final int IOCTL = 1;

  /** A write of the client: nothing, the address, the number of bytes. */
  public static final int WRITE = 2;

  /** A counter query: the port, followed by the counter's name. */
  public static final int COUNTER = 4;

  /** A report of something that the client did not find, followed by its name. */
  public static final int MISSING = 5;

  /** A greeting that opens the connection manager instead of a device file. */
  public static final int MANAGER = 6;

  /** The answer to a request: the result, or minus an error number of Linux. */
  public static final int RESULT = 0;

  private ShimProtocol() {}
}
