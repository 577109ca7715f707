package dev.bluebell.hca.text;

/** Puts numbers of things into sentences. */
public final class Counted {
  private Counted() {}

  /**
   * A number and its noun: "1 queue pair", "2 queue pairs".
   *
   * @param thing the noun in the singular; the plural adds an s
   */
  public static String of(long count, String thing) {
    return of(count, thing, thing + "s");
  }

  /** The same for a noun with another plural: "1 retry", "2 retries". */
  public static String of(long count, String one, String several) {
    return count + " " + (count == 1 ? one : several);
  }
}
