package dev.bluebell.cli.trace;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.report.timeline.Moment;
import dev.bluebell.report.timeline.Request;
import dev.bluebell.report.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The requests that traced queues executed, in the text of a chain that {@code bluebell program
 * verify} reads: the WQEs of each queue in order, the receives that messages took, and memory of
 * unspecified content, as large as the requests reach.
 */
final class RecordedChain {
  private static final Pattern PLACE =
      Pattern.compile(" data byte_count=(\\d+) lkey=0x(\\w+) address=0x(\\w+)");
  private static final Pattern REMOTE = Pattern.compile(" raddr address=0x(\\w+) rkey=0x(\\w+)");
  private static final Pattern INLINE = Pattern.compile(" inline length=(\\d+)");

  private static final Pattern UMR =
      Pattern.compile("ctrl opcode=UMR [^\n]*umr_mkey=0x(\\w+)[^}]*? klm_octowords=(\\d+)");
  private static final Pattern ENTRY =
      Pattern.compile(" klm byte_count=(\\d+) mkey=0x(\\w+) address=0x(\\w+)");
  private static final Pattern TURNS = Pattern.compile(" repeat [^\n]*repeat_count=(\\d+)");
  private static final Pattern STRIDE =
      Pattern.compile(" repeat_ent stride=(\\d+) byte_count=(\\d+) mkey=0x(\\w+) address=0x(\\w+)");
  private static final Pattern VALUE =
      Pattern.compile(" wait_value [^\n]*lkey=0x(\\w+) address=0x(\\w+)");

  /** The position of a WQE, which the chain assigns anew: its queue may have had earlier WQEs. */
  private static final Pattern POSITION = Pattern.compile("(ctrl .*?)index=\\d+ qpn=0x\\w+ ");

  private static final String BOTH_ENDS =
      "record the processes of both ends in one run, from their start";

  private final Map<Integer, Extent> memory = new TreeMap<>(Integer::compareUnsigned);

  /** Keys that UMRs change, by key index: the key that the first UMR names, and most entries. */
  private final Map<Integer, Changed> changed = new TreeMap<>();

  private final Map<Integer, List<Request>> sends = new TreeMap<>();
  private final Map<Integer, List<HcaHappening>> receives = new TreeMap<>();
  private final Map<Integer, HcaHappening> connections;

  /** The reason for leaving out each queue pair; empty for those that are part of the chain. */
  private final Map<Integer, String> leftOut = new TreeMap<>();

  /** The address range that requests reach through a key. */
  private record Extent(long from, long to) {
    Extent plus(Extent other) {
      return new Extent(
          Long.compareUnsigned(from, other.from) < 0 ? from : other.from,
          Long.compareUnsigned(to, other.to) > 0 ? to : other.to);
    }
  }

  /** A key that UMRs change. */
  private record Changed(int key, int entries) {
    Changed plus(Changed other) {
      return new Changed(key, Math.max(entries, other.entries));
    }
  }

  private RecordedChain(Timeline timeline) {
    connections = timeline.connections();
    for (Request request : timeline.requests()) {
      if (request.text() != null) {
        sends.computeIfAbsent(request.queuePair(), unknown -> new ArrayList<>()).add(request);
      }
    }
    for (Moment moment : timeline.moments()) {
      HcaHappening happening = moment.happening();
      if (happening.kind() == HcaHappening.TAKEN && happening.text() != null) {
        receives.computeIfAbsent(moment.queuePair(), unknown -> new ArrayList<>()).add(happening);
      } else if (happening.kind() == HcaHappening.COMPLETED
          && happening.completionOpcode() == CqeOpcode.RESP_ERR) {
        dropReceive(moment.queuePair(), happening.index());
      }
    }
    Set<Integer> recorded = new TreeSet<>(sends.keySet());
    recorded.addAll(receives.keySet());
    // Queue pairs that only respond have no requests of their own.
    List.copyOf(recorded).forEach(qpn -> addPeer(recorded, qpn));
    for (int qpn : recorded) {
      String why = whyNot(qpn);
      if (why.isEmpty()) {
        sends.getOrDefault(qpn, List.of()).stream()
            .filter(request -> !request.failed())
            .forEach(request -> reach(String.valueOf(request.text())));
        receives
            .getOrDefault(qpn, List.of())
            .forEach(receive -> reach(String.valueOf(receive.text())));
      }
      leftOut.put(qpn, why);
    }
  }

  /** Leaves out the receive of a message that was refused. */
  private void dropReceive(int qpn, int index) {
    List<HcaHappening> taken = receives.getOrDefault(qpn, List.of());
    if (!taken.isEmpty() && taken.getLast().index() == index) {
      taken.removeLast();
    }
  }

  private void addPeer(Set<Integer> recorded, int qpn) {
    HcaHappening connection = connections.get(qpn);
    if (connection != null && connection.index() == 1) {
      recorded.add(connection.detail());
    }
  }

  /** The reason why a queue pair can't be part of a chain; empty if it can. */
  private String whyNot(int qpn) {
    HcaHappening connection = connections.get(qpn);
    if (connection == null || connection.text() == null) {
      return "its connection is not recorded: " + BOTH_ENDS;
    }
    String service = connection.text().split(" ", 2)[0];
    if (!service.equals("RC")) {
      return "its service is %s, but chains have RC only".formatted(service);
    }
    return connection.index() == 1 && connections.containsKey(connection.detail())
        ? ""
        : "its peer is not recorded: " + BOTH_ENDS;
  }

  static String of(Timeline timeline) {
    return new RecordedChain(timeline).text();
  }

  /** The number of queues in the chain, and of those left out with the first reason. */
  static String summary(Timeline timeline) {
    Map<Integer, String> leftOut = new RecordedChain(timeline).leftOut;
    long queues = leftOut.values().stream().filter(String::isEmpty).count();
    String summary = Counted.of(queues, "queue");
    for (Map.Entry<Integer, String> each : leftOut.entrySet()) {
      if (!each.getValue().isEmpty()) {
        return "%s, and %d left out, such as QP 0x%x: %s"
            .formatted(summary, leftOut.size() - queues, each.getKey(), each.getValue());
      }
    }
    return summary;
  }

  private void reach(String text) {
    List<MatchResult> places = PLACE.matcher(text).results().toList();
    long bytes = 0;
    for (MatchResult place : places) {
      long length = Long.parseLong(place.group(1));
      bytes += length;
      reach(place.group(2), place.group(3), length);
    }
    reachByKeys(text, places);
    bytes += INLINE.matcher(text).results().mapToLong(each -> Long.parseLong(each.group(1))).sum();
    Matcher remote = REMOTE.matcher(text);
    if (remote.find()) {
      reach(remote.group(2), remote.group(1), bytes);
    }
  }

  /** Adds the memory that UMRs and WAITs for values name. */
  private void reachByKeys(String text, List<MatchResult> places) {
    Matcher umr = UMR.matcher(text);
    if (umr.find()) {
      int key = Integer.parseUnsignedInt(umr.group(1), 16);
      int octowords = Integer.parseInt(umr.group(2));
      changed.merge(key >>> 8, new Changed(key, Math.max(4, octowords + 3 & ~3)), Changed::plus);
      places.forEach(each -> reach(each.group(2), each.group(3), 16L * octowords));
    }
    ENTRY
        .matcher(text)
        .results()
        .forEach(each -> reach(each.group(2), each.group(3), Long.parseLong(each.group(1))));
    Matcher turns = TURNS.matcher(text);
    long last = turns.find() ? Long.parseLong(turns.group(1)) - 1 : 0;
    STRIDE
        .matcher(text)
        .results()
        .forEach(
            each ->
                reach(
                    each.group(3),
                    each.group(4),
                    last * Long.parseLong(each.group(1)) + Long.parseLong(each.group(2))));
    VALUE.matcher(text).results().forEach(each -> reach(each.group(1), each.group(2), Long.BYTES));
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
            # What the queues of a device executed, as it was recorded. All requests are listed as if
            # they were posted at once: if the application waited for a completion before it posted
            # more, put those into a chain of their own. 'relies NAME' lines say what the application
            # uses; without them, it uses all memory.
            """);
    memory.forEach(
        (key, extent) -> {
          if (!changed.containsKey(key >>> 8)) {
            text.append(
                "memory key_0x%x key=0x%x address=0x%x any=%d\n"
                    .formatted(key, key, extent.from(), extent.to() - extent.from()));
          }
        });
    for (Changed each : changed.values()) {
      text.append(
          "key key_0x%x key=0x%x entries=%d\n".formatted(each.key(), each.key(), each.entries()));
    }
    leftOut.forEach(
        (qpn, why) -> {
          if (why.isEmpty()) {
            appendQueue(text, qpn);
          } else {
            text.append("\n# QP 0x%x is left out: %s.\n".formatted(qpn, why));
          }
        });
    return text.toString();
  }

  private void appendQueue(StringBuilder text, int qpn) {
    List<Request> requests = sends.getOrDefault(qpn, List.of());
    text.append("\nqueue qp_0x%x qpn=0x%x%s\n".formatted(qpn, qpn, attributes(qpn)));
    if (!requests.isEmpty() && requests.getFirst().index() != 0) {
      text.append(
          "# WQEs before index %d are not in the record; WAIT and SEND_EN count from there.\n"
              .formatted(requests.getFirst().index()));
    }
    for (Request request : requests) {
      Moment completion = request.completion();
      text.append(
          completion != null && completion.isError()
              ? "# %s is left out: it ended with %s.\n"
                  .formatted(request.name(), Syndrome.name(completion.happening().syndrome()))
              : POSITION.matcher(String.valueOf(request.text())).replaceFirst("$1"));
    }
    receives.getOrDefault(qpn, List.of()).forEach(receive -> text.append(receive.text()));
  }

  private String attributes(int qpn) {
    HcaHappening connection = Objects.requireNonNull(connections.get(qpn));
    String[] words = String.valueOf(connection.text()).split(" ", 3);
    return " peer=0x%x%s".formatted(connection.detail(), words.length == 3 ? " " + words[2] : "");
  }
}
