package dev.bluebell.cli.perf;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options that both processes of a measurement must share.
 *
 * @param options values by option name, in the same order in both processes
 */
record PeerAgreement(SequencedMap<String, String> options) {

  /** The options of plans. */
  static PeerAgreement of(List<PerfPlan> plans) {
    PerfPlan first = plans.getFirst();
    SequencedMap<String, String> options = new LinkedHashMap<>();
    options.put("OP", first.operation().toString());
    options.put("--latency", first.latency() ? "on" : "off");
    options.put("--connection", first.connection().toString());
    options.put(
        "--size",
        plans.stream().map(plan -> Integer.toString(plan.size())).collect(Collectors.joining(",")));
    options.put("--tx-depth", Integer.toString(first.depth()));
    options.put("--qp", Integer.toString(first.queuePairs()));
    options.put("--active", Integer.toString(first.active()));
    options.put("--memory", first.memory().toString());
    return new PeerAgreement(options);
  }

  /** The options as text, one per line. */
  String text() {
    return options.entrySet().stream()
        .map(option -> option.getKey() + "=" + option.getValue() + "\n")
        .collect(Collectors.joining());
  }

  /** A sentence about the first option in which the client differs; null if it agrees. */
  @Nullable String difference(String client) {
    List<String> theirs = client.lines().toList();
    List<String> ours = text().lines().toList();
    for (int i = 0; i < ours.size(); i++) {
      String their = i < theirs.size() ? theirs.get(i) : "nothing";
      if (!ours.get(i).equals(their)) {
        return "the client has %s and the server %s: start both with the same options"
            .formatted(their, ours.get(i));
      }
    }
    return null;
  }
}
