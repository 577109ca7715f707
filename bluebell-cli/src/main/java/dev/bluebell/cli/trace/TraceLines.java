package dev.bluebell.cli.trace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.report.timeline.Moment;
import dev.bluebell.report.timeline.Request;
import dev.bluebell.report.timeline.Timeline;
import java.io.PrintWriter;
import java.io.StringWriter;

/** A trace as JSON lines, one object per entry. */
final class TraceLines {
  private TraceLines() {}

  static String of(Timeline timeline) {
    StringWriter text = new StringWriter();
    write(timeline, new JsonLines(new PrintWriter(text)));
    return text.toString();
  }

  static void write(Timeline timeline, JsonLines out) {
    timeline.moments().forEach(moment -> out.write(object(moment)));
  }

  private static ObjectNode object(Moment moment) {
    HcaHappening happening = moment.happening();
    ObjectNode object = JsonLines.object();
    object.put("ns", happening.nanos());
    object.put("event", happening.name());
    int queuePair = moment.queuePair();
    if (queuePair >= 0) {
      object.put("qpn", queuePair);
    }
    object.put("what", happening.description());
    moment.requests().stream().map(Request::number).forEach(object.putArray("requests")::add);
    if (moment.explanation() != null) {
      object.put("explanation", moment.explanation());
    }
    if (happening.text() != null) {
      object.put("text", happening.text());
    }
    return object;
  }
}
