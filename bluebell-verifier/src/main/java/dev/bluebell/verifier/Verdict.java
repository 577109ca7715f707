package dev.bluebell.verifier;

import java.util.List;
import java.util.stream.Stream;

/**
 * What a verifier found.
 *
 * @param refusals sentences that name queue and WQE; none when the program is proved
 * @param paths ways that the conditions could go
 * @param requests requests that were looked at, on all paths together
 * @param uncertain sentences about bytes that two requests wrote in no certain order and that
 *     nothing reads; they spoil a proof only for who reads all memory at the end
 */
public record Verdict(List<String> refusals, int paths, int requests, List<String> uncertain) {
  /** Copies the lists. */
  public Verdict {
    refusals = List.copyOf(refusals);
    uncertain = List.copyOf(uncertain);
  }

  /** A verdict that refuses for further reasons. */
  Verdict and(List<String> others) {
    return new Verdict(
        Stream.concat(refusals.stream(), others.stream()).distinct().toList(),
        paths,
        requests,
        uncertain);
  }

  /** True when every device that keeps to the rules gives the same results. */
  public boolean isProved() {
    return refusals.isEmpty();
  }
}
