package dev.bluebell.cli.paste;

import java.util.regex.Pattern;

/** Prefixes and suffixes that loggers, mail programs and terminals add to a line. */
final class LogPrefix {
  private static final Pattern QUOTE = Pattern.compile("^(?:[>|] ?)+");
  private static final Pattern LEVEL = Pattern.compile("^<\\d{1,2}>");

  /** A bracketed timestamp or process: of the kernel, of {@code dmesg -T}, of UCX. */
  private static final Pattern BRACKETS = Pattern.compile("^\\[[^\\]\\[]{1,80}\\]\\s*");

  private static final Pattern SYSLOG =
      Pattern.compile(
          "^(?:[A-Z][a-z]{2} +\\d{1,2} \\d\\d:\\d\\d:\\d\\d|\\d{4}-\\d\\d-\\d\\dT\\S{8,32}) \\S+ ");

  /** A word with a colon that is not hexadecimal, such as {@code cqe_dump:}. */
  private static final Pattern WORD =
      Pattern.compile(
          "^(?!0[xX][0-9a-fA-F]+\\b)[\\w./@\\[\\]-]{0,60}[g-zG-Z_][\\w./@\\[\\]-]{0,60}:\\s+");

  /** The end of a line as mail programs encode it. */
  private static final String MAIL_END = "=0A";

  /** Lines of logs are shorter than this. */
  private static final int LONGEST = 4096;

  private static final int MOST = 8;

  private LogPrefix() {}

  /** The line without prefixes and suffixes. */
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
