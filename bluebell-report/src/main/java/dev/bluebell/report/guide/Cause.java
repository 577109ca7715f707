package dev.bluebell.report.guide;

/**
 * A likely cause of a failure.
 *
 * @param what the cause, as half a sentence
 * @param file path of its page in the repository, possibly with a section
 */
public record Cause(String what, String file) {
  private static final String MISTAKES = "docs/failures/";

  /**
   * A mistake of an application.
   *
   * @param page name of its page in {@code docs/failures}, without {@code .md}
   */
  static Cause mistake(String what, String page) {
    return new Cause(what, MISTAKES + page + ".md");
  }

  /**
   * A cause outside the application, in the machine or the network.
   *
   * @param section anchor in {@code docs/card-failures.md}
   */
  static Cause outside(String what, String section) {
    return new Cause(what, "docs/card-failures.md#" + section);
  }

  /** The link to its page from another page of {@code docs/failures}. */
  public String link() {
    return file.startsWith(MISTAKES)
        ? file.substring(MISTAKES.length())
        : file.replace("docs/", "../");
  }

  /** Whether this is a mistake of an application, which {@code docs/failures} shows. */
  public boolean isMistake() {
    return file.startsWith(MISTAKES);
  }
}
