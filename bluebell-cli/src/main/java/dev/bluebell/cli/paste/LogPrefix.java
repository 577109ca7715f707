package dev.bluebell.cli.paste;

import java.util.regex.Pattern;

/** Marks that terminals, mail programs and web pages add to lines. */
final class LogPrefix {
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]{0,20}[A-Za-z]");
  private static final Pattern SPACE = Pattern.compile("[\u00a0\u2007\u202f\u3000\u200b\ufeff]");

  // Possessive: a greedy repetition recurses once for each mark.
  private static final Pattern QUOTE = Pattern.compile("^(?:[>|+] ?)++");
  private static final Pattern TAG = Pattern.compile("</?[a-zA-Z][^<>]{0,200}>");

  /** The end of a line as mail programs encode it. */
  private static final String MAIL_END = "=0A";

  private LogPrefix() {}

  /** The line without colours, and with plain spaces. */
  static String clean(String line) {
    String plain = line.indexOf('\u001b') < 0 ? line : COLOUR.matcher(line).replaceAll("");
    return SPACE.matcher(plain).replaceAll(" ");
  }

  /** The line without marks of quotation before it, and without the line break of a mail. */
  static String strip(String line) {
    return QUOTE.matcher(withoutMailEnd(line.strip())).replaceFirst("").strip();
  }

  /** The text of a line of a mail or of a web page, to be joined with its neighbours. */
  static String text(String line) {
    String shown =
        TAG.matcher(line)
            .replaceAll("")
            .replace("&gt;", ">")
            .replace("&lt;", "<")
            .replace("&amp;", "&")
            .replace("&nbsp;", " ");
    return strip(shown);
  }

  /** True if a mail program broke the line here, which stands for no space. */
  static boolean isBroken(String line) {
    return line.endsWith("=") && !line.endsWith(MAIL_END + "=");
  }

  private static String withoutMailEnd(String line) {
    String soft = line.endsWith("=") ? line.substring(0, line.length() - 1) : line;
    return soft.endsWith(MAIL_END) ? soft.substring(0, soft.length() - MAIL_END.length()) : soft;
  }
}
