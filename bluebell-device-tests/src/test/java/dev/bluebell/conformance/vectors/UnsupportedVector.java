package dev.bluebell.conformance.vectors;

/** Thrown when the driver can't build or read the entries of a vector. */
final class UnsupportedVector extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String what;

  /** Takes a noun for the unsupported entry. */
  UnsupportedVector(String what) {
    super(what);
    this.what = what;
  }

  String what() {
    return what;
  }
}
