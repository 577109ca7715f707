package dev.bluebell.cli.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.output.JsonLines;

/** The demo as JSON, one object for each step or mishap. */
final class JsonDemoReport extends DemoReport {
  private final JsonLines lines;

  JsonDemoReport(JsonLines lines) {
    this.lines = lines;
  }

  @Override
  void print(StepResult result) {
    lines.write(
        JsonLines.object()
            .put("chapter", result.step().chapter())
            .put("step", result.step().title())
            .put("right", result.isRight())
            .put("moved", result.moved())
            .put("nanos", result.nanos())
            .put("complaint", result.complaint()));
  }

  @Override
  void skip(Step step, String why) {
    lines.write(
        JsonLines.object()
            .put("chapter", step.chapter())
            .put("step", step.title())
            .put("skipped", why));
  }

  @Override
  void print(MishapResult result) {
    ObjectNode object =
        JsonLines.object()
            .put("mishap", result.mishap().title())
            .put("page", result.mishap().file())
            .put("right", result.isRight())
            .put("complaint", result.complaint());
    findings(object, result);
    lines.write(object);
  }

  @Override
  void print(ExhibitResult result) {
    Exhibit exhibit = result.exhibit();
    Story story = exhibit.story();
    ObjectNode object =
        JsonLines.object()
            .put("exhibit", exhibit.name())
            .put("title", exhibit.mishap().title())
            .put("reported", exhibit.reported())
            .put("cause", story.cause())
            .put("fix", story.cure())
            .put("fixed", result.proof())
            .put("page", exhibit.file())
            .put("right", result.isRight())
            .put("complaint", result.complaint());
    exhibit.reports().stream().map(Exhibit::link).forEach(object.putArray("links")::add);
    findings(object, result.broken());
    lines.write(object);
  }

  @Override
  void skip(Exhibit exhibit, String why) {
    lines.write(JsonLines.object().put("exhibit", exhibit.name()).put("skipped", why));
  }

  private static void findings(ObjectNode object, MishapResult result) {
    result.wrong().forEach(object.putArray("bytes")::add);
    ArrayNode findings = object.putArray("findings");
    for (Finding finding : result.findings()) {
      ObjectNode each = findings.addObject().put("who", finding.who()).put("what", finding.what());
      finding.explanations().forEach(each.putArray("explanations")::add);
    }
  }

  @Override
  void printEnd(int right, int all, long nanos) {
    lines.write(JsonLines.object().put("right", right).put("all", all).put("nanos", nanos));
  }
}
