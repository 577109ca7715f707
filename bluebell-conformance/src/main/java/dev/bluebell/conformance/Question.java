package dev.bluebell.conformance;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A question about cards that public sources leave open: a row of the machine model that is marked
 * inferred. A device answers it by its behaviour; no answer is wrong.
 */
public final class Question {
  private final String row;
  private final String text;
  private final String software;
  private final List<String> needs;
  private final Function<Bench, String> asker;

  private Question(
      String row, String text, String software, List<String> needs, Function<Bench, String> asker) {
    this.row = row;
    this.text = text;
    this.software = software;
    this.needs = needs;
    this.asker = asker;
  }

  static Question of(String row, String text, String software, Function<Bench, String> asker) {
    return new Question(row, text, software, List.of(), asker);
  }

  /** The same question, only for devices with some capabilities, named as in {@link Needs}. */
  Question needing(String... names) {
    return new Question(row, text, software, List.of(names), asker);
  }

  /** All questions, by topic. */
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

  /** The answer of the software ConnectX, as in the row. */
  public String software() {
    return software;
  }

  /**
   * Asks a device, which is opened only for this question.
   *
   * @param device its name
   * @return the answer, or the reason why there is none, in parentheses
   */
  public String ask(String device) {
    try (Bench bench = new Bench(BenchExtension.hca(device), false)) {
      // Some questions change requests before their doorbell.
      bench.hca().buildInRings();
      return bench
          .missing(needs.toArray(String[]::new))
          .map("(%s)"::formatted)
          .orElseGet(() -> asker.apply(bench));
    } catch (RuntimeException | AssertionError e) {
      // A failure must not prevent the other questions.
      return "(no answer: %s)".formatted(e.getMessage());
    }
  }
}
