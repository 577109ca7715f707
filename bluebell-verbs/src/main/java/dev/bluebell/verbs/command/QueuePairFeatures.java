package dev.bluebell.verbs.command;

/**
 * What a queue pair does beyond what its service asks for.
 *
 * @param nopFill whether each request is kept in one piece
 * @param blueFlame whether a short request is copied into the register
 * @param signatures whether its requests are signed
 * @param relaxed whether its requests are signalled behind a fence only
 * @param answersInCqe most bytes of a READ or an atomic that may come inside a completion: 0, 32 or
 *     64
 * @param receivesInCqe the same of a message
 */
public record QueuePairFeatures(
    boolean nopFill,
    boolean blueFlame,
    boolean signatures,
    boolean relaxed,
    int answersInCqe,
    int receivesInCqe) {

  /** The same, and requests are signalled behind a fence only. */
  public QueuePairFeatures withRelaxed() {
    return new QueuePairFeatures(nopFill, blueFlame, signatures, true, answersInCqe, receivesInCqe);
  }
}
