package dev.bluebell.verifier;

/** Ends a path of a proof; the message is a whole sentence. */
final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1;

  Refused(String sentence, Object... arguments) {
    super(sentence.formatted(arguments));
  }

  String sentence() {
    return String.valueOf(getMessage());
  }
}
