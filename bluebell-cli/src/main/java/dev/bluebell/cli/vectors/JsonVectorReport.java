package dev.bluebell.cli.vectors;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.output.JsonLines;

/** Results as JSON, one object for each file. */
final class JsonVectorReport implements VectorReport {
  private final JsonLines lines;

  JsonVectorReport(JsonLines lines) {
    this.lines = lines;
  }

  @Override
  public void add(FileResult result) {
    ObjectNode object = JsonLines.object();
    object.put("group", result.group());
    object.put("equal", result.equal());
    object.put("differ", result.differing());
    object.put("unsupported", result.unsupported());
    ObjectNode names = object.putObject("unsupportedByName");
    result.unsupportedByName().forEach(names::put);
    ArrayNode differences = object.putArray("differences");
    for (VectorResult vector : result.vectors()) {
      for (String difference : vector.differences()) {
        differences.addObject().put("vector", vector.name()).put("difference", difference);
      }
    }
    lines.write(object);
  }

  @Override
  public void end() {
    // Each line stands for itself.
  }
}
