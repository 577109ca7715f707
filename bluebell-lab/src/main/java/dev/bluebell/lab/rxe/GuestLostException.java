package dev.bluebell.lab.rxe;

/** The virtual machine does not answer any more, so nothing else can be tried. */
final class GuestLostException extends RuntimeException {
  private static final long serialVersionUID = 1;

  GuestLostException(String what) {
    super(what);
  }
}
