package dev.bluebell.conformance.vectors;

/** The driver can't build or read what a vector asks for. */
final class UnsupportedVector extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String what;

  /** Takes what it is, as a noun. */
  UnsupportedVector(String what) {
    super(what);
    this.what = what;
  }

  String what() {
    return what;
  }
}
