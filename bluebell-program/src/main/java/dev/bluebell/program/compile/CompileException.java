package dev.bluebell.program.compile;

/** A program that cannot be compiled; the message says why and what to do. */
public final class CompileException extends RuntimeException {
  private static final long serialVersionUID = 1;

  CompileException(String message) {
    super(message);
  }
}
