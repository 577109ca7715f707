package dev.bluebell.cli.output;

import picocli.CommandLine.Help.Ansi;

/** Text styles, used on a terminal only. */
public final class Style {
  private Style() {}

  /** Green. */
  public static String good(String text) {
    return Ansi.AUTO.string("@|green " + text + "|@");
  }

  /** Bold red. */
  public static String bad(String text) {
    return Ansi.AUTO.string("@|bold,red " + text + "|@");
  }

  /** Bold. */
  public static String heading(String text) {
    return Ansi.AUTO.string("@|bold " + text + "|@");
  }
}
