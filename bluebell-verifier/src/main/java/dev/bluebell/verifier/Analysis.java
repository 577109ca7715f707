package dev.bluebell.verifier;

import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.verifier.Mutations.Mutation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The result of analysing the order of a program or a chain. If it is proved, some barriers may be
 * superfluous; if it is not proved, there may be an order in which it fails.
 *
 * <p>An installer calls {@link #of} with the image that it is about to write to memory, and rejects
 * an image that is not proved. The call takes no lock, uses no device, and may be made by any
 * thread. A proof is for the image alone: it does not cover what other programs write to shared
 * data while a call is in progress.
 *
 * @param refusals sentences that say why it is not proved, with queue and WQE; empty when it is
 *     proved
 * @param verdict number of examined paths and requests
 * @param superfluous WAITs, SEND_ENs and fences, each of which can be removed by itself without
 *     losing the proof; empty when it is not proved
 * @param missing the fewest and weakest fences with which it is proved; empty when it is proved, or
 *     when three fences are not enough
 * @param failure an order in which it fails; empty when it is proved, or no order was found
 */
public record Analysis(
    List<String> refusals,
    Verdict verdict,
    List<Mutation> superfluous,
    List<String> missing,
    Optional<FailingOrder> failure) {
  /** Maximum number of requests that are examined for each barrier. */
  private static final int MAX_REQUESTS_PER_BARRIER = 20_000;

  /** Copies the lists. */
  public Analysis {
    refusals = List.copyOf(refusals);
    superfluous = List.copyOf(superfluous);
    missing = List.copyOf(missing);
  }

  /**
   * Analyses an image.
   *
   * @param rules rules of the device
   * @param unknown names of the regions with unknown content
   * @param maxRequests maximum number of examined requests on all paths together; a program that
   *     needs more is not proved
   */
  public static Analysis of(ProgramImage image, Rules rules, Set<String> unknown, int maxRequests) {
    return of(image, rules, unknown, Reliance.ALL, maxRequests);
  }

  /**
   * Analyses a chain.
   *
   * @param rules rules of the device
   * @param maxRequests maximum number of examined requests on all paths together
   */
  public static Analysis of(ChainText chain, Rules rules, int maxRequests) {
    return of(chain.image(), rules, chain.unknown(), chain.reliance(), maxRequests);
  }

  private static Analysis of(
      ProgramImage image, Rules rules, Set<String> unknown, Reliance reliance, int maxRequests) {
    Verdict verdict = Verifier.verify(image, rules, unknown, reliance, maxRequests);
    List<String> refusals = refusals(image, verdict);
    int most = Math.min(maxRequests, MAX_REQUESTS_PER_BARRIER);
    Function<ProgramImage, Verdict> verify =
        changed -> Verifier.verify(changed, rules, unknown, reliance, most);
    if (refusals.isEmpty()) {
      List<Mutation> superfluous =
          Mutations.of(image).stream()
              .filter(mutation -> isTheSame(mutation.of(image), verify, verdict))
              .toList();
      return new Analysis(List.of(), verdict, superfluous, List.of(), Optional.empty());
    }
    Predicate<ProgramImage> isProved =
        changed -> refusals(changed, verify.apply(changed)).isEmpty();
    // Programs come from a compiler, which places the fences.
    List<String> missing =
        image.entryPoints().isEmpty() ? MissingFences.find(image, isProved) : List.of();
    Optional<FailingOrder> failure = FailingOrder.find(image, rules, reliance, messages(image));
    return new Analysis(refusals, verdict, List.of(), missing, failure);
  }

  /**
   * True when a change is proved and, in a chain without clients, executes as much on as many paths
   * as before. Without a SEND_EN that only some paths need, the others may end in the same way
   * every time, but not as before.
   */
  private static boolean isTheSame(
      ProgramImage changed, Function<ProgramImage, Verdict> verify, Verdict before) {
    Verdict now = verify.apply(changed);
    boolean executesAsMuch = now.paths() == before.paths() && now.requests() == before.requests();
    return refusals(changed, now).isEmpty() && (executesAsMuch || !changed.entryPoints().isEmpty());
  }

  /** True when every device that obeys the rules gives the same result. */
  public boolean isProved() {
    return refusals.isEmpty();
  }

  /** A chain without clients leaves its result in memory, so all of it must be certain. */
  private static List<String> refusals(ProgramImage image, Verdict verdict) {
    return verdict.isProved() && image.entryPoints().isEmpty()
        ? verdict.uncertain()
        : verdict.refusals();
  }

  /** Each client sends a message of zeros. */
  private static List<Message> messages(ProgramImage image) {
    return image.entryPoints().stream()
        .map(each -> new Message(each.qpn(), new byte[each.messageBytes()]))
        .toList();
  }
}
