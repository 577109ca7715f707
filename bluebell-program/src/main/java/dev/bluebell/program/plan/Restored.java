package dev.bluebell.program.plan;

/**
 * Bytes that a call changes and that must be restored before the next call.
 *
 * @param place their location
 * @param content their initial content
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
