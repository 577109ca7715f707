package dev.bluebell.report.guide;

/**
 * A mistake behind a failure.
 *
 * @param what the mistake, as half a sentence
 * @param page name of its page in {@code docs/failures}, without {@code .md}
 */
public record Cause(String what, String page) {

  /** Path of its page. */
  public String file() {
    return "docs/failures/%s.md".formatted(page);
  }
}
