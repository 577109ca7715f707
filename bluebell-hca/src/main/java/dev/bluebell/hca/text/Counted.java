package dev.bluebell.hca.text;

import java.util.regex.Pattern;

/** Puts numbers of things into sentences. */
public final class Counted {
  /** Begins with a vowel, also in speech: RDMA is spelled, UMR begins like "you". */
  private static final Pattern VOWEL =
      Pattern.compile("[aeioAEIO].*|(?:RDMA|RC|XRC|MMO)(?![A-Za-z]).*");

  private Counted() {}

  /** A thing with its indefinite article: "a SEND", "an RDMA_READ". */
  public static String a(String thing) {
    return (VOWEL.matcher(thing).matches() ? "an " : "a ") + thing;
  }

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
