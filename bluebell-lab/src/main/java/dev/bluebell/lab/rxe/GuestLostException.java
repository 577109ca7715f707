package dev.bluebell.lab.rxe;

/** The virtual machine no longer answers, so no further exchange is possible. */
final class GuestLostException extends RuntimeException {
  private static final long serialVersionUID = 1;

  GuestLostException(String what) {
    super(what);
  }
}
