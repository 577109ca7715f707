package dev.bluebell.cli.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.output.JsonLines;

/**
 * The result of a test.
 *
 * @param suite its class, without the package
 * @param test its method, and behind it what it was run with, if anything
 * @param reason why it failed or was skipped; empty when it passed
 * @param trace where it failed; empty when it did not
 * @param millis how long it took
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
