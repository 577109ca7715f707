package dev.bluebell.program.plan;

/**
 * The doorbell record of the receive queue that takes the client's messages: 4 bytes, big-endian,
 * of which the device uses the low 16 bits.
 */
public record ReceiveRecord() implements Block {
  @Override
  public String name() {
    return "receive record";
  }

  @Override
  public int bytes() {
    return Integer.BYTES;
  }

  /** The bits that the device uses. */
  static Span count() {
    return new Span(new ReceiveRecord(), Short.BYTES, Short.BYTES);
  }
}
