package dev.bluebell.conformance;

import java.util.List;
import java.util.stream.Stream;

/**
 * A question about cards that public sources leave open: a row of the machine model that is marked
 * inferred. A device answers it by what it does; no answer is wrong.
 */
public final class Question {
  private final String row;
  private final String text;
  private final String software;
  private final List<String> needs;
  private final Asker asker;

  /** Finds out what a device does. */
  interface Asker {
    String ask(Bench bench);
  }

  private Question(String row, String text, String software, List<String> needs, Asker asker) {
    this.row = row;
    this.text = text;
    this.software = software;
    this.needs = needs;
    this.asker = asker;
  }

  static Question of(String row, String text, String software, Asker asker) {
    return new Question(row, text, software, List.of(), asker);
  }

  /** The same for devices with some capabilities alone, which are named as in {@link Needs}. */
  Question needing(String... names) {
    return new Question(row, text, software, List.of(names), asker);
  }

  /** All of them, by topic. */
  public static List<Question> all() {
    return Stream.of(
            CrossChannelQuestions.all(),
            RequestQuestions.all(),
            ConnectionQuestions.all(),
            CommandQuestions.all())
        .flatMap(List::stream)
        .toList();
  }

  /** The row of {@code docs/machine-model}, such as {@code M260}. */
  public String row() {
    return row;
  }

  /** The question, a sentence. */
  public String text() {
    return text;
  }

  /** What the software ConnectX answers, which is what the row says. */
  public String software() {
    return software;
  }

  /**
   * Asks a device, which is opened for the question alone.
   *
   * @param device its name
   * @return the answer; in parentheses why there is none
   */
  public String ask(String device) {
    try (Bench bench = new Bench(BenchExtension.hca(device), false)) {
      return bench
          .missing(needs.toArray(String[]::new))
          .map("(%s)"::formatted)
          .orElseGet(() -> asker.ask(bench));
    } catch (RuntimeException | AssertionError e) {
      // Whatever goes wrong, the other questions are asked.
      return "(no answer: %s)".formatted(e.getMessage());
    }
  }
}
