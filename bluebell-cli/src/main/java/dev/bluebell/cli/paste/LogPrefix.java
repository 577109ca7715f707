package dev.bluebell.cli.paste;

import java.util.regex.Pattern;

/** What loggers, mail programs and terminals put in front of a line, and behind it. */
final class LogPrefix {
  private static final Pattern QUOTE = Pattern.compile("^(?:[>|] ?)+");
  private static final Pattern LEVEL = Pattern.compile("^<\\d{1,2}>");

  /** A timestamp or a process in brackets: of the kernel, of {@code dmesg -T}, of UCX. */
  private static final Pattern BRACKETS = Pattern.compile("^\\[[^\\]\\[]{1,80}\\]\\s*");

  private static final Pattern SYSLOG =
      Pattern.compile(
          "^(?:[A-Z][a-z]{2} +\\d{1,2} \\d\\d:\\d\\d:\\d\\d|\\d{4}-\\d\\d-\\d\\dT\\S{8,32}) \\S+ ");

  /** A word with a letter that is no hexadecimal digit, and a colon: {@code cqe_dump:}. */
  private static final Pattern WORD =
      Pattern.compile(
          "^(?!0[xX][0-9a-fA-F]+\\b)[\\w./@\\[\\]-]{0,60}[g-zG-Z_][\\w./@\\[\\]-]{0,60}:\\s+");

  /** What mail programs make of the end of a line. */
  private static final String MAIL_END = "=0A";

  /** Longer lines are of no log. */
  private static final int LONGEST = 4096;

  private static final int MOST = 8;

  private LogPrefix() {}

  /** The line without what was put around it. */
  static String strip(String line) {
    String rest = withoutMailEnd(line.strip());
    if (rest.length() > LONGEST) {
      return rest;
    }
    for (int i = 0; i < MOST; i++) {
      String shorter = rest;
      for (Pattern prefix : new Pattern[] {QUOTE, LEVEL, BRACKETS, SYSLOG, WORD}) {
        shorter = prefix.matcher(shorter).replaceFirst("").stripLeading();
      }
      if (shorter.equals(rest)) {
        break;
      }
      rest = shorter;
    }
    return rest;
  }

  private static String withoutMailEnd(String line) {
    String soft = line.endsWith("=") ? line.substring(0, line.length() - 1) : line;
    return soft.endsWith(MAIL_END) ? soft.substring(0, soft.length() - MAIL_END.length()) : soft;
  }
}
