package dev.bluebell.lab.rxe;

/** An exchange whose result differs from what both ends must do. */
final class Disagreement extends RuntimeException {
  private static final long serialVersionUID = 1;

  Disagreement(String what) {
    super(what);
  }
}
