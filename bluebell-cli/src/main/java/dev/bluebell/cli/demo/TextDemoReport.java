package dev.bluebell.cli.demo;

import dev.bluebell.cli.output.Style;
import dev.bluebell.cli.output.Units;
import dev.bluebell.cli.output.Wrap;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** The demo as text of 90 columns. */
final class TextDemoReport extends DemoReport {
  private static final int WIDTH = 90;
  private static final String UNDER_TITLE = " ".repeat(9);
  private static final String UNDER_FINDING = " ".repeat(13);

  private final PrintWriter out;
  private String chapter = "";

  TextDemoReport(PrintWriter out) {
    this.out = out;
  }

  @Override
  void print(StepResult result) {
    enter(result.step());
    out.println(
        "  %s  %-47s %18s %12s"
            .formatted(
                verdict(result.isRight()),
                result.step().title(),
                result.moved(),
                Units.duration(result.nanos())));
    if (result.complaint() != null) {
      out.println(Wrap.wrap(result.complaint(), UNDER_TITLE, WIDTH));
    }
    out.flush();
  }

  @Override
  void skip(Step step, String why) {
    enter(step);
    out.println("  skip   %s".formatted(step.title()));
    out.println(Wrap.wrap(why, UNDER_TITLE, WIDTH));
    out.flush();
  }

  private void enter(Step step) {
    if (!step.chapter().equals(chapter)) {
      chapter = step.chapter();
      out.println(Style.heading(chapter));
    }
  }

  @Override
  void print(MishapResult result) {
    out.println(Style.heading(result.mishap().title()));
    findings(result);
    labelled("page", result.mishap().file());
    complaint(result.complaint());
  }

  @Override
  void print(ExhibitResult result) {
    Exhibit exhibit = result.exhibit();
    Story story = exhibit.story();
    out.println(Style.heading("%s: %s".formatted(exhibit.name(), exhibit.mishap().title())));
    labelled("reported", exhibit.reported());
    exhibit.reports().forEach(report -> labelled("", Exhibit.link(report)));
    findings(result.broken());
    labelled("cause", story.cause());
    labelled("fix", story.cure());
    labelled("fixed", result.proof());
    labelled("page", exhibit.file());
    complaint(result.complaint());
  }

  @Override
  void skip(Exhibit exhibit, String why) {
    out.println(Style.heading("%s: %s".formatted(exhibit.name(), exhibit.mishap().title())));
    labelled("skipped", why);
    out.flush();
  }

  private void findings(MishapResult result) {
    for (String wrong : result.wrong()) {
      labelled("bytes", wrong);
    }
    for (Finding finding : result.findings()) {
      labelled(finding.who(), finding.what());
      for (String why : finding.explanations()) {
        out.println(Wrap.wrap(why, UNDER_FINDING, WIDTH));
      }
    }
  }

  private void complaint(@Nullable String complaint) {
    if (complaint != null) {
      out.println("  %s      %s".formatted(verdict(false), complaint));
    }
    out.flush();
  }

  @Override
  void printEnd(int right, int all, long nanos) {
    String summary = "%d of %d right, in %s".formatted(right, all, Units.duration(nanos));
    out.println(right == all ? Style.good(summary) : Style.bad(summary));
    out.flush();
  }

  /**
   * Text after a label. Only long text is wrapped, because decoded text has its own indentation.
   */
  private void labelled(String word, String text) {
    String label = "  %-10s ".formatted(word);
    boolean fits = label.length() + text.length() <= WIDTH;
    out.println(
        label + (fits ? text : Wrap.wrap(text, UNDER_FINDING, WIDTH).substring(label.length())));
  }

  private static String verdict(boolean right) {
    return right ? Style.good("ok   ") : Style.bad("WRONG");
  }
}
