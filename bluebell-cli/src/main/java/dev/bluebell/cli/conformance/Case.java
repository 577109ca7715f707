package dev.bluebell.cli.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.output.JsonLines;

/**
 * The result of a test.
 *
 * @param suite class of the test, without the package
 * @param test method of the test, followed by its parameters, if any
 * @param reason reason of a failure or a skip; empty when it passed
 * @param trace stack trace of a failure; empty otherwise
 * @param millis duration
 */
record Case(String suite, String test, Outcome outcome, String reason, String trace, long millis) {

  ObjectNode toJson() {
    ObjectNode object =
        JsonLines.object()
            .put("class", suite)
            .put("test", test)
            .put("result", outcome.name())
            .put("milliseconds", millis);
    if (!reason.isEmpty()) {
      object.put("reason", reason);
    }
    if (!trace.isEmpty()) {
      object.put("trace", trace);
    }
    return object;
  }
}
