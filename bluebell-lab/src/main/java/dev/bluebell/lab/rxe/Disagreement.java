package dev.bluebell.lab.rxe;

/** Something else happened than both ends should have done. */
final class Disagreement extends RuntimeException {
  private static final long serialVersionUID = 1;

  Disagreement(String what) {
    super(what);
  }
}
