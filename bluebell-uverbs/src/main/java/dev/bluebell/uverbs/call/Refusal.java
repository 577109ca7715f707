package dev.bluebell.uverbs.call;

/** A call that is refused, with the error number that the program sees. */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int errno;

  public Refusal(int errno, String why) {
    super(why, null, false, false);
    this.errno = errno;
  }

  public int errno() {
    return errno;
  }

  /** Refuses unless {@code condition} holds. */
  public static void require(boolean condition, int errno, String format, Object... arguments) {
    if (!condition) {
      throw new Refusal(errno, format.formatted(arguments));
    }
  }
}
