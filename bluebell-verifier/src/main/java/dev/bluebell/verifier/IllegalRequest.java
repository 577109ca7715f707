package dev.bluebell.verifier;

/** An entry that a device would complete in error; the message continues a sentence. */
final class IllegalRequest extends RuntimeException {
  private static final long serialVersionUID = 1;

  IllegalRequest(String what, Object... arguments) {
    super(what.formatted(arguments));
  }

  /** The problem, to follow "WQE 3 of queue 0x40". */
  String what() {
    return String.valueOf(getMessage());
  }
}
