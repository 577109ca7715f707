package dev.bluebell.roce.capture;

import java.io.IOException;

/** A capture file is malformed. The message says where and how. */
public final class CaptureException extends IOException {
  private static final long serialVersionUID = 1;

  CaptureException(String sentence) {
    super(sentence);
  }
}
