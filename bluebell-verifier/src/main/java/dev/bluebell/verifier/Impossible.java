package dev.bluebell.verifier;

/** Ends a path of a proof whose choices for conditions contradict each other. */
final class Impossible extends RuntimeException {
  private static final long serialVersionUID = 1;
}
