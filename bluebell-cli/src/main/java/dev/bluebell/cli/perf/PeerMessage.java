package dev.bluebell.cli.perf;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * What the two processes of a measurement tell each other: a byte for the kind, and a body.
 *
 * @param body as its kind has it, big-endian
 */
record PeerMessage(Kind kind, byte[] body) {
  private static final Kind[] KINDS = Kind.values();

  /** Kinds, by their numbers. */
  enum Kind {
    /** From the client, first: its options as text: {@link PeerAgreement}. */
    OPTIONS,
    /** The server has the same options. */
    AGREED,
    /** The server has others: a sentence. */
    REFUSED,
    /** From both, for each connection of a plan: {@link PeerEnd}. */
    END,
    /** From the client: prepare a round of so many messages (4 bytes). */
    ROUND,
    /** The server is prepared. */
    READY,
    /** From the client: the round is over, look at its messages. */
    LOOK,
    /** How they looked: 1 when all were right, else 0. */
    LOOKED,
    /** From the client: what it measured, the last of a plan: {@link PeerResult}. */
    RESULT
  }

  static PeerMessage of(Kind kind) {
    return new PeerMessage(kind, new byte[0]);
  }

  static PeerMessage of(Kind kind, int number) {
    return new PeerMessage(kind, ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }

  static PeerMessage of(Kind kind, String text) {
    return new PeerMessage(kind, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The message that bytes are. */
  static PeerMessage read(byte[] bytes) {
    if (bytes.length == 0 || bytes[0] < 0 || bytes[0] >= KINDS.length) {
      throw nonsense();
    }
    byte[] body = new byte[bytes.length - 1];
    System.arraycopy(bytes, 1, body, 0, body.length);
    return new PeerMessage(KINDS[bytes[0]], body);
  }

  int bytes() {
    return 1 + body.length;
  }

  int number() {
    return read(ByteBuffer::getInt);
  }

  /** The body as text, with nothing in it that a terminal would obey. */
  String text() {
    return new String(body, StandardCharsets.UTF_8).replaceAll("[\\p{Cntrl}&&[^\n]]", "?");
  }

  /** Reads the body, all of which must make sense. */
  <T> T read(Function<ByteBuffer, T> reader) {
    ByteBuffer in = ByteBuffer.wrap(body);
    try {
      T value = reader.apply(in);
      if (!in.hasRemaining()) {
        return value;
      }
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw nonsense();
    }
    throw nonsense();
  }

  static PeerLost nonsense() {
    return new PeerLost(
        "the other side of perf speaks otherwise: run the same version of Bluebell on both");
  }
}
