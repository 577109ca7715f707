package dev.bluebell.program.plan;

import dev.bluebell.program.Input;
import java.util.Arrays;

/**
 * A part of a client's message: an input as it is used at one place of the program.
 *
 * @param input what the client gives
 * @param from first byte of the input that is used
 * @param encoding how the client writes it
 * @param to where the receive entry puts it
 */
public record MessagePart(Input<?> input, int from, Encoding encoding, Span to) {
  /** How bytes are written for their place. */
  public enum Encoding {
    /** As they are. */
    PLAIN,
    /** Last byte first: what an atomic's operand in network order compares with memory. */
    REVERSED,
    /** The number's complement, last byte first. */
    INVERTED
  }

  /** The bytes of the message. */
  public byte[] encode(byte[] value) {
    return switch (encoding) {
      case PLAIN -> used(value);
      case REVERSED -> reversed(used(value));
      case INVERTED -> reversed(inverted(used(value)));
    };
  }

  private byte[] used(byte[] value) {
    return Arrays.copyOfRange(value, from, from + to.length());
  }

  private static byte[] inverted(byte[] number) {
    byte[] result = new byte[number.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = (byte) ~number[i];
    }
    return result;
  }

  /** The same bytes, last one first. */
  public static byte[] reversed(byte[] bytes) {
    byte[] result = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      result[i] = bytes[bytes.length - 1 - i];
    }
    return result;
  }
}
