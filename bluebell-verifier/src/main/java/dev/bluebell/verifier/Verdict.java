package dev.bluebell.verifier;

import java.util.List;
import java.util.stream.Stream;

/**
 * The result of a verification.
 *
 * @param refusals sentences that name queue and WQE; empty when the program is proved
 * @param paths number of examined combinations of outcomes of the conditions
 * @param requests number of examined requests on all paths together
 * @param uncertain sentences about bytes that two requests write without an order and that no
 *     request reads, and about flags that may be written before their data; they invalidate the
 *     proof only for an application that reads this memory, as it does after a chain without
 *     clients: {@link Analysis} then refuses the chain
 */
public record Verdict(List<String> refusals, int paths, int requests, List<String> uncertain) {
  /** Copies the lists. */
  public Verdict {
    refusals = List.copyOf(refusals);
    uncertain = List.copyOf(uncertain);
  }

  /** This verdict, with further refusals. */
  Verdict and(List<String> others) {
    return new Verdict(
        Stream.concat(refusals.stream(), others.stream()).distinct().toList(),
        paths,
        requests,
        uncertain);
  }

  /** True when every device that obeys the rules gives the same results. */
  public boolean isProved() {
    return refusals.isEmpty();
  }
}
