package dev.bluebell.roce.capture;

import java.io.IOException;

/** A capture file does not have the form that it should have. The message says where, and what. */
public final class CaptureException extends IOException {
  private static final long serialVersionUID = 1;

  CaptureException(String sentence) {
    super(sentence);
  }
}
