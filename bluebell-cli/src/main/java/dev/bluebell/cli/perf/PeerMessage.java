package dev.bluebell.cli.perf;

import dev.bluebell.hca.text.Printable;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * A message between the two processes of a measurement: a byte for the kind, and a body.
 *
 * @param body in the format of its kind, big-endian
 */
record PeerMessage(Kind kind, byte[] body) {
  private static final Kind[] KINDS = Kind.values();

  /** Kinds, in the order of their numbers. */
  enum Kind {
    /** From the client, first: its options as text, see {@link PeerAgreement}. */
    OPTIONS,
    /** From the server: its options are the same. */
    AGREED,
    /** From the server: its options differ; a sentence. */
    REFUSED,
    /** From both, for each connection of a plan: a {@link PeerEnd}. */
    END,
    /** From the client: prepare a round of this many messages (4 bytes). */
    ROUND,
    /** From the server: it is prepared. */
    READY,
    /** From the client: the round is over, check its messages. */
    LOOK,
    /** From the server: 1 if all messages were right, else 0. */
    LOOKED,
    /** From the client, last in a plan: its measurements, a {@link PeerResult}. */
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

  /** Parses a message. */
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

  /** The body as text that is safe to print. */
  String text() {
    return Printable.lines(new String(body, StandardCharsets.UTF_8));
  }

  /** Parses the whole body. */
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
        "the other side of perf uses another protocol: run the same version of Bluebell on both"
            + " sides");
  }
}
