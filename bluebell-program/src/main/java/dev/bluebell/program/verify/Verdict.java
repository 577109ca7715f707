package dev.bluebell.program.verify;

import java.util.List;
import java.util.stream.Stream;

/**
 * What a verifier found.
 *
 * @param refusals sentences that name queue and WQE; none when the program is proved
 * @param paths ways that the conditions could go
 * @param requests requests that were looked at, on all paths together
 */
public record Verdict(List<String> refusals, int paths, int requests) {
  /** Copies the list. */
  public Verdict {
    refusals = List.copyOf(refusals);
  }

  /** A verdict that refuses for further reasons. */
  Verdict and(List<String> others) {
    return new Verdict(
        Stream.concat(refusals.stream(), others.stream()).distinct().toList(), paths, requests);
  }

  /** True when every device that keeps to the rules gives the same results. */
  public boolean isProved() {
    return refusals.isEmpty();
  }
}
