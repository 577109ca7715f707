package dev.bluebell.cli.conformance;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Progress;
import dev.bluebell.cli.output.Wrap;
import dev.bluebell.conformance.Question;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Asks a device the questions about inferred rows of the machine model, and prints its answers. */
final class QuestionText {
  private static final int WIDTH = 100;
  private static final String INDENT = " ".repeat(6);

  private final PrintWriter out;
  private final Progress progress;
  private final List<Answer> answers = new ArrayList<>();

  /**
   * @param given answer of the device
   */
  private record Answer(Question question, String given) {
    boolean answered() {
      return !given.startsWith("(");
    }

    boolean differs() {
      return answered() && !given.equals(question.software());
    }
  }

  QuestionText(PrintWriter out, Progress progress) {
    this.out = out;
    this.progress = progress;
  }

  /** Asks all questions, one after another. */
  void ask(String device) {
    out.println("Open questions of the machine model. No answer is wrong.");
    out.println();
    for (Question question : Question.all()) {
      progress.show("%d questions asked, now %s".formatted(answers.size(), question.row()));
      Answer answer = new Answer(question, question.ask(device));
      answers.add(answer);
      progress.show("");
      print(answer);
    }
    long different = answers.stream().filter(Answer::differs).count();
    long open = answers.stream().filter(answer -> !answer.answered()).count();
    out.println();
    out.println(
        "%d questions: %d answered as the software ConnectX does, %d differently, %d not answered"
            .formatted(answers.size(), answers.size() - different - open, different, open));
    out.flush();
  }

  private void print(Answer answer) {
    Question question = answer.question();
    print("%-6s".formatted(question.row()), question.text());
    if (answer.answered() && !answer.differs()) {
      print(INDENT + "both     ", answer.given());
    } else {
      print(INDENT + "software ", question.software());
      print(INDENT + (answer.differs() ? "DEVICE   " : "device   "), answer.given());
    }
    out.flush();
  }

  private void print(String head, String text) {
    out.println(head + Wrap.wrap(text, " ".repeat(head.length()), WIDTH).strip());
  }

  /** Adds the answers to a report. */
  void addTo(ArrayNode list) {
    for (Answer answer : answers) {
      list.add(
          JsonLines.object()
              .put("row", answer.question().row())
              .put("question", answer.question().text())
              .put("software", answer.question().software())
              .put("device", answer.given())
              .put("answered", answer.answered())
              .put("differs", answer.differs()));
    }
  }
}
