package dev.bluebell.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fields of a WQE that an explanation calls wrong: those that it names with the value that they
 * have in the WQE. An explanation of something else, such as the peer's receive, names other
 * values.
 */
final class WrongFields {
  /** The part of an explanation that describes the whole request, before the wrong field. */
  private static final Pattern CONTEXT =
      Pattern.compile("\\(opcode [^,]+, ds \\d+\\)|\\(byte_count \\d+\\)");

  /**
   * A name and its value. After "of" and "for" comes a value for comparison, which is not wrong.
   */
  private static final Pattern MENTION =
      Pattern.compile(
          "(?<!\\bof )(?<!\\bfor )\\b([a-z][a-z_]*)(?: in the control segment)?(?: is)?"
              + " (0x[0-9a-f]+|\\d+)\\b");

  private static final Pattern ITEM = Pattern.compile("(\\S+)=(\\S+)");
  private static final Pattern DATA_SEGMENT = Pattern.compile("\\bdata segment (\\d+)\\b");

  /** A line of a data segment; devices number the inline segments among them too. */
  private static final Pattern SEGMENT = Pattern.compile("\\s*(?:data|inline) ");

  /** Names in the text of a WQE, by the names in explanations, where they differ. */
  private static final Map<String, String> OTHER_NAMES =
      Map.of("qp_num", "qpn", "wqe_index", "index");

  private final List<Named> wrong = new ArrayList<>();

  /** Number of the data segment that is wrong; empty when the explanation names none. */
  private final String dataSegment;

  /** A field in an explanation, with its name in the text of a WQE. */
  private record Named(String name, String value) {}

  private WrongFields(String sentence) {
    Matcher mention = MENTION.matcher(CONTEXT.matcher(sentence).replaceAll(""));
    while (mention.find()) {
      String name = mention.group(1);
      wrong.add(new Named(OTHER_NAMES.getOrDefault(name, name), mention.group(2)));
    }
    Matcher segment = DATA_SEGMENT.matcher(sentence);
    dataSegment = segment.find() ? segment.group(1) : "";
  }

  /**
   * Returns a WQE as elements, with its wrong fields marked.
   *
   * @param wqe in the text form of {@link dev.bluebell.hca.text.WqeText}
   * @param sentence explanation of the failure
   */
  static Html mark(String wqe, String sentence) {
    return new WrongFields(sentence).mark(wqe);
  }

  private Html mark(String wqe) {
    StringBuilder marked = new StringBuilder();
    int segment = 0;
    for (String line : wqe.strip().lines().toList()) {
      boolean isSegment = SEGMENT.matcher(line).lookingAt();
      boolean isOther = isSegment && !dataSegment.isEmpty() && !dataSegment.equals("" + segment++);
      int comment = line.indexOf('#');
      String items = comment < 0 ? line : line.substring(0, comment);
      marked.append(isOther ? Html.escaped(items) : markItems(items));
      marked.append(Html.escaped(line.substring(items.length()))).append('\n');
    }
    return new Html().addElements("<pre class=\"wqe\">" + marked + "</pre>");
  }

  private String markItems(String items) {
    StringBuilder marked = new StringBuilder();
    Matcher item = ITEM.matcher(items);
    int done = 0;
    while (item.find()) {
      if (isWrong(item.group(1), item.group(2))) {
        marked.append(Html.escaped(items.substring(done, item.start())));
        marked.append("<mark>").append(Html.escaped(item.group())).append("</mark>");
        done = item.end();
      }
    }
    return marked.append(Html.escaped(items.substring(done))).toString();
  }

  private boolean isWrong(String name, String value) {
    return wrong.stream()
        .anyMatch(named -> named.name().equals(name) && isSame(named.value(), value));
  }

  private static boolean isSame(String one, String other) {
    try {
      return number(one) == number(other);
    } catch (NumberFormatException notBothNumbers) {
      return one.equals(other);
    }
  }

  private static long number(String text) {
    return text.startsWith("0x")
        ? Long.parseUnsignedLong(text.substring(2), 16)
        : Long.parseLong(text);
  }
}
