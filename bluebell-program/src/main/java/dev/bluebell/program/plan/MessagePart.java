package dev.bluebell.program.plan;

import dev.bluebell.program.Input;
import java.util.Arrays;

/**
 * A part of a client's message: an input, encoded for one use in the program.
 *
 * @param input input of the client
 * @param from offset of the first used byte of the input
 * @param encoding encoding by the client
 * @param to destination in the program
 */
public record MessagePart(Input<?> input, int from, Encoding encoding, Span to) {
  /** Encodings of bytes. */
  public enum Encoding {
    /** Unchanged. */
    PLAIN,
    /** Reversed, for an atomic's operand, which is in network order and is compared with memory. */
    REVERSED,
    /** The number's complement, reversed. */
    INVERTED
  }

  /** The part of the input in words, with its encoding. */
  String text() {
    int end = from + to.length();
    String bytes =
        from == 0 && end == input.bytes() ? "" : " bytes %d to %d".formatted(from, end - 1);
    return switch (encoding) {
      case PLAIN -> input + bytes;
      case REVERSED -> input + bytes + " reversed";
      case INVERTED -> input + bytes + " inverted and reversed";
    };
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

  /** The same bytes in reverse order. */
  public static byte[] reversed(byte[] bytes) {
    byte[] result = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      result[i] = bytes[bytes.length - 1 - i];
    }
    return result;
  }
}
