package dev.bluebell.report;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.report.guide.Cause;
import dev.bluebell.report.guide.Guide;
import dev.bluebell.report.timeline.Failure;
import dev.bluebell.report.timeline.Timeline;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The failed requests of a device, each with its WQE, its explanation, and a next step. */
final class FailuresSection {
  private static final int SHOWN = 100;
  private static final int REMARKS = 100;
  private static final double NANOS_PER_MICRO = 1_000;

  /** The beginning of a responder's explanation of a refusal, which names the request. */
  private static final Pattern REFUSED =
      Pattern.compile("QP 0x[0-9a-f]+ refused the request at PSN 0x[0-9a-f]+[^:]*: ");

  private final int device;
  private final Timeline timeline;
  private final TimelineData drawn;
  private final List<String> explanations;
  private final Html html = new Html();
  private final Set<String> ofFailures = new HashSet<>();

  /**
   * @param device number of the device in the page
   * @param drawn the timeline as the page draws it
   * @param explanations explanations of the device; those of failed requests are not listed again
   */
  FailuresSection(int device, Timeline timeline, TimelineData drawn, List<String> explanations) {
    this.device = device;
    this.explanations = explanations;
    this.timeline = timeline;
    this.drawn = drawn;
  }

  /** The section as elements. */
  Html elements() {
    List<Failure> failures = timeline.failures();
    failures.stream().limit(SHOWN).forEach(this::add);
    if (failures.size() > SHOWN) {
      html.add("<p>%d more failed requests are only on the timeline.</p>", failures.size() - SHOWN);
    }
    addRemarks();
    return html;
  }

  private void add(Failure failure) {
    HcaHappening completion = failure.completion().happening();
    String why = failure.completion().explanation();
    boolean isExplainedFlush = failure.isFlush() && why != null;
    html.add("<article class=\"failure\">");
    html.add(
        isExplainedFlush
            ? "<h3>QP 0x%2$x went to ERR <span class=\"where\">%1$s of WQE %3$d, at %4$.3f"
                + " µs</span></h3>"
            : "<h3>%s <span class=\"where\">QP 0x%x, WQE %d, at %.3f µs</span></h3>",
        Syndrome.name(completion.syndrome()),
        completion.number(),
        completion.index(),
        (completion.nanos() - timeline.start()) / NANOS_PER_MICRO);
    if (why != null) {
      String cause = isExplainedFlush ? causeOf(why) : why;
      ofFailures.add(cause);
      html.add("<p class=\"why\">%s</p>", cause);
      otherEnd(why).ifPresent(this::addOtherEnd);
    }
    if (failure.wqe() != null) {
      html.addElements(WrongFields.mark(failure.wqe(), why == null ? "" : why));
    }
    if (failure.flushed() > 0) {
      html.add(
          "<p>%s of this queue pair %s flushed%s.</p>",
          Counted.of(failure.flushed(), "more request"),
          failure.flushed() == 1 ? "was" : "were",
          failure.isFlush() ? ", too" : " because of it");
    }
    html.add(
        "<button type=\"button\" data-device=\"%d\" data-event=\"%d\">Show on the"
            + " timeline</button>",
        device, drawn.number(failure.completion()));
    if (!isExplainedFlush) {
      Guide.of(completion.syndrome()).ifPresent(this::addGuide);
    }
    html.add("</article>");
  }

  /** The reason in an explanation of a flush, without the words that introduce it. */
  private static String causeOf(String flush) {
    return flush.startsWith(HcaDiagnosis.FLUSHED)
        ? flush.substring(flush.indexOf(": ") + 2)
        : flush;
  }

  /**
   * The words in which the responder explained the same refusal to its own client; empty when they
   * are not known here, or say no more.
   */
  private Optional<String> otherEnd(String why) {
    Matcher refused = REFUSED.matcher(why);
    return refused.find()
        ? explanations.stream()
            .filter(sentence -> sentence.startsWith(refused.group()) && !why.contains(sentence))
            .findFirst()
        : Optional.empty();
  }

  private void addOtherEnd(String sentence) {
    ofFailures.add(sentence);
    html.add("<p class=\"why\">At the other end: %s</p>", sentence);
  }

  private void addGuide(Guide guide) {
    html.add("<details><summary>What %s means</summary>", guide.syndromeName());
    html.add("<p>%s Likeliest causes:</p>", guide.meaning());
    html.add("<ol>");
    for (Cause cause : guide.causes()) {
      html.add("<li>%s: <code>%s</code></li>", cause.what(), cause.file());
    }
    html.add("</ol>");
    html.add("<p>What to check next: %s</p>", guide.next());
    html.add(
        "<p>More: <code>%s</code>. These files are in Bluebell's sources, and in the archive and"
            + " the package that <code>bluebell dist</code> makes.</p>",
        guide.page());
    html.add("</details>");
  }

  /** Adds explanations that belong to no failed request: lost doorbells, refused calls. */
  private void addRemarks() {
    List<String> remarks =
        explanations.stream().filter(sentence -> !isOfFailure(sentence)).distinct().toList();
    if (remarks.isEmpty()) {
      return;
    }
    html.add("<h3>Also reported</h3>");
    if (remarks.size() > REMARKS) {
      html.add("<p>Left out: %s.</p>", Counted.of(remarks.size() - REMARKS, "earlier sentence"));
    }
    html.add("<ul class=\"remarks\">");
    remarks
        .subList(Math.max(0, remarks.size() - REMARKS), remarks.size())
        .forEach(sentence -> html.add("<li>%s</li>", sentence));
    html.add("</ul>");
  }

  /** True if the explanation of a failed request contains this sentence, or the other way round. */
  private boolean isOfFailure(String sentence) {
    return ofFailures.stream().anyMatch(why -> sentence.contains(why) || why.contains(sentence));
  }
}
