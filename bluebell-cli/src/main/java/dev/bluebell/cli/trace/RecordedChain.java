package dev.bluebell.cli.trace;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.report.timeline.Moment;
import dev.bluebell.report.timeline.Request;
import dev.bluebell.report.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What traced queues executed, in the text of a chain that {@code bluebell program verify} reads:
 * the WQEs of each queue in their order, the receives that messages took, and memory of any content
 * that reaches as far as the requests do.
 */
final class RecordedChain {
  private static final Pattern PLACE =
      Pattern.compile(" data byte_count=(\\d+) lkey=0x(\\w+) address=0x(\\w+)");
  private static final Pattern REMOTE = Pattern.compile(" raddr address=0x(\\w+) rkey=0x(\\w+)");
  private static final Pattern INLINE = Pattern.compile(" inline byte_count=(\\d+)");

  /** What a chain gives a WQE anew, because its queue may have had others before. */
  private static final Pattern POSITION = Pattern.compile("(ctrl .*?)index=\\d+ qpn=0x\\w+ ");

  private final Map<Integer, Extent> memory = new TreeMap<>(Integer::compareUnsigned);
  private final Map<Integer, List<Request>> sends = new TreeMap<>();
  private final Map<Integer, List<String>> receives = new TreeMap<>();
  private final Map<Integer, HcaHappening> connections = new TreeMap<>();

  /** The bytes that requests reach through a key. */
  private record Extent(long from, long to) {
    Extent plus(Extent other) {
      return new Extent(
          Long.compareUnsigned(from, other.from) < 0 ? from : other.from,
          Long.compareUnsigned(to, other.to) > 0 ? to : other.to);
    }
  }

  private RecordedChain(Timeline timeline) {
    timeline.connections().forEach(each -> connections.put(each.number(), each));
    for (Request request : timeline.requests()) {
      if (request.text() != null) {
        sends.computeIfAbsent(request.queuePair(), unknown -> new ArrayList<>()).add(request);
        reach(request.text());
      }
    }
    for (Moment moment : timeline.moments()) {
      String text = moment.happening().text();
      if (moment.happening().kind() == HcaHappening.TAKEN && text != null) {
        receives.computeIfAbsent(moment.queuePair(), unknown -> new ArrayList<>()).add(text);
        reach(text);
      }
    }
  }

  static String of(Timeline timeline) {
    return new RecordedChain(timeline).text();
  }

  private void reach(String text) {
    List<MatchResult> places = PLACE.matcher(text).results().toList();
    long bytes = 0;
    for (MatchResult place : places) {
      long length = Long.parseLong(place.group(1));
      bytes += length;
      reach(place.group(2), place.group(3), length);
    }
    bytes += INLINE.matcher(text).results().mapToLong(each -> Long.parseLong(each.group(1))).sum();
    Matcher remote = REMOTE.matcher(text);
    if (remote.find()) {
      reach(remote.group(2), remote.group(1), bytes);
    }
  }

  private void reach(String key, String address, long bytes) {
    if (bytes > 0) {
      long from = Long.parseUnsignedLong(address, 16);
      memory.merge(Integer.parseUnsignedInt(key, 16), new Extent(from, from + bytes), Extent::plus);
    }
  }

  private String text() {
    StringBuilder text =
        new StringBuilder(
            """
            # What the queues of a device executed, as it was recorded. All requests stand as if they
            # were posted at once: if the application waited for a completion before it posted more,
            # make that a chain of its own. 'relies NAME' lines say what the application uses; without
            # them it uses all memory.
            """);
    memory.forEach(
        (key, extent) ->
            text.append(
                "memory key_0x%x key=0x%x address=0x%x any=%d\n"
                    .formatted(key, key, extent.from(), extent.to() - extent.from())));
    Set<Integer> recorded = new TreeSet<>(sends.keySet());
    recorded.addAll(receives.keySet());
    recorded.forEach(qpn -> appendQueue(text, qpn, recorded));
    return text.toString();
  }

  private void appendQueue(StringBuilder text, int qpn, Set<Integer> recorded) {
    List<Request> requests = sends.getOrDefault(qpn, List.of());
    text.append("\nqueue qp_0x%x qpn=0x%x%s\n".formatted(qpn, qpn, attributes(qpn, recorded)));
    if (!requests.isEmpty() && requests.getFirst().index() != 0) {
      text.append(
          "# WQEs before index %d are not in the record; WAIT and SEND_EN count from there.\n"
              .formatted(requests.getFirst().index()));
    }
    for (Request request : requests) {
      text.append(POSITION.matcher(String.valueOf(request.text())).replaceFirst("$1"));
    }
    receives.getOrDefault(qpn, List.of()).forEach(text::append);
  }

  private String attributes(int qpn, Set<Integer> recorded) {
    HcaHappening connection = connections.get(qpn);
    if (connection == null || connection.text() == null) {
      return "";
    }
    String[] words = connection.text().split(" ", 3);
    boolean isHere = connection.index() == 1 && recorded.contains(connection.detail());
    return (isHere ? " peer=0x%x".formatted(connection.detail()) : "")
        + (words.length == 3 ? " " + words[2] : "");
  }
}
