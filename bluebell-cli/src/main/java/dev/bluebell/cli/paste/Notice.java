package dev.bluebell.cli.paste;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a log about an event, a call or the card itself, which has neither the bytes nor the
 * status of a request.
 *
 * @param line its number, from 1
 * @param form the source of such lines, such as the kernel
 * @param what the meaning, in sentences; the same for lines with the same meaning
 * @param next the next step, as a sentence; empty if there is nothing to do
 * @param page path of its page in the repository, possibly with a section
 */
public record Notice(int line, String form, String what, String next, String page)
    implements Piece {
  @Override
  public Object subject() {
    return what;
  }

  /** The first notice in a line. */
  static Optional<Notice> in(int number, String line) {
    return AsyncEvents.in(number, line)
        .or(() -> CardNotices.TABLE.in(number, line))
        .or(() -> CallNotices.TABLE.in(number, line));
  }

  /**
   * Kinds of lines; earlier ones are more specific.
   *
   * @param words each line of the table has one of them; they are found faster than patterns, and
   *     most lines of a long log have none
   */
  record Table(List<String> words, List<Form> forms) {
    Optional<Notice> in(int number, String line) {
      return words.stream().anyMatch(line::contains)
          ? forms.stream().flatMap(form -> form.read(number, line).stream()).findFirst()
          : Optional.empty();
    }
  }

  /**
   * A kind of lines.
   *
   * @param what the meaning, a format in which {@code %1$s} stands for group 1 of the pattern, or
   *     for nothing if the group did not match
   */
  record Form(String source, Pattern pattern, String what, String next, String page) {
    Form(String source, String pattern, String what, String next, String page) {
      this(source, Pattern.compile(pattern), what, next, page);
    }

    private Optional<Notice> read(int number, String line) {
      Matcher matcher = pattern.matcher(line);
      if (!matcher.find()) {
        return Optional.empty();
      }
      Object[] groups = new Object[matcher.groupCount()];
      for (int i = 0; i < groups.length; i++) {
        groups[i] = Objects.requireNonNullElse(matcher.group(i + 1), "");
      }
      return Optional.of(new Notice(number, source, what.formatted(groups), next, page));
    }
  }
}
