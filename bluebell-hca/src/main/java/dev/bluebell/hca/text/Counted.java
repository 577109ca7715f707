package dev.bluebell.hca.text;

/** Numbers of things, as sentences have them. */
public final class Counted {
  private Counted() {}

  /**
   * Such as "1 queue pair" and "2 queue pairs".
   *
   * @param thing in the singular; its plural ends with a further s
   */
  public static String of(long count, String thing) {
    return of(count, thing, thing + "s");
  }

  /** The same for other plurals. */
  public static String of(long count, String one, String several) {
    return count + " " + (count == 1 ? one : several);
  }
}
