package dev.bluebell.program.plan;

/**
 * Bytes that a call changes, and that the next one must find as they were.
 *
 * @param place where they are
 * @param content what they are at the start
 */
public record Restored(Span place, byte[] content) {
  /** Copies the content. */
  public Restored {
    content = content.clone();
  }

  /** A byte. */
  public static Restored of(Span place, int value) {
    return new Restored(place, new byte[] {(byte) value});
  }

  /** A copy of the content. */
  @Override
  public byte[] content() {
    return content.clone();
  }
}
