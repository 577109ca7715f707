package dev.bluebell.cli.perf;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options that both processes of a measurement must share.
 *
 * @param text a line for each option, in the same order in both processes
 */
record PeerAgreement(String text) {

  /** The options of plans. */
  static PeerAgreement of(List<PerfPlan> plans) {
    PerfPlan first = plans.getFirst();
    String sizes = plans.stream().map(plan -> "" + plan.size()).collect(Collectors.joining(","));
    return new PeerAgreement(
        """
        OP=%s
        --latency=%s
        --connection=%s
        --size=%s
        --tx-depth=%d
        --qp=%d
        --active=%d
        """
            .formatted(
                first.operation(),
                first.latency() ? "on" : "off",
                first.connection(),
                sizes,
                first.depth(),
                first.queuePairs(),
                first.active()));
  }

  /** A sentence about the first option in which the client differs; null if it agrees. */
  @Nullable String difference(String client) {
    List<String> theirs = client.lines().toList();
    List<String> ours = text.lines().toList();
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
