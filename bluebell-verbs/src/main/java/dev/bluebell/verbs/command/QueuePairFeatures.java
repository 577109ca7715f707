package dev.bluebell.verbs.command;

/**
 * The optional features of a queue pair.
 *
 * @param nopFill whether each request is contiguous in the ring
 * @param blueFlame whether a short request is copied into the register
 * @param signatures whether its requests are signed
 * @param relaxed whether only fenced requests can be signalled
 * @param answersInCqe maximum bytes of a READ's or atomic's result inside a completion: 0, 32 or 64
 * @param receivesInCqe maximum bytes of a message inside a completion: 0, 32 or 64
 */
public record QueuePairFeatures(
    boolean nopFill,
    boolean blueFlame,
    boolean signatures,
    boolean relaxed,
    int answersInCqe,
    int receivesInCqe) {

  /** A copy in which only fenced requests can be signalled. */
  public QueuePairFeatures withRelaxed() {
    return new QueuePairFeatures(nopFill, blueFlame, signatures, true, answersInCqe, receivesInCqe);
  }
}
