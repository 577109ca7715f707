package dev.bluebell.verifier;

/**
 * A message that the client sends.
 *
 * @param qpn number of the program's queue pair that receives it
 * @param bytes its content
 */
public record Message(int qpn, byte[] bytes) {
  /** Copies the content. */
  public Message {
    bytes = bytes.clone();
  }

  /** A copy of the content. */
  @Override
  public byte[] bytes() {
    return bytes.clone();
  }
}
