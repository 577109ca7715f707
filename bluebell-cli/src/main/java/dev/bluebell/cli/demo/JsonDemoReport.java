package dev.bluebell.cli.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.output.JsonLines;

/** The demo as JSON, one object for each step or mishap. */
final class JsonDemoReport implements DemoReport {
  private final JsonLines lines;

  JsonDemoReport(JsonLines lines) {
    this.lines = lines;
  }

  @Override
  public void add(StepResult result) {
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
  public void add(MishapResult result) {
    ObjectNode object =
        JsonLines.object()
            .put("mishap", result.mishap().title())
            .put("page", result.mishap().file())
            .put("right", result.isRight())
            .put("complaint", result.complaint());
    ArrayNode wrong = object.putArray("bytes");
    result.wrong().forEach(wrong::add);
    ArrayNode findings = object.putArray("findings");
    for (Finding finding : result.findings()) {
      ArrayNode explanations =
          findings
              .addObject()
              .put("who", finding.who())
              .put("what", finding.what())
              .putArray("explanations");
      finding.explanations().forEach(explanations::add);
    }
    lines.write(object);
  }

  @Override
  public void end(int right, int all, long nanos) {
    lines.write(JsonLines.object().put("right", right).put("all", all).put("nanos", nanos));
  }
}
