package dev.bluebell.spark;

import java.nio.ByteBuffer;
import org.apache.spark.storage.ShuffleBlockId;

/**
 * The endpoint at which an executor listens. Peers fetch it as the contents of {@link #BLOCK} by
 * Spark's own transfer, which authenticates them if Spark is configured to.
 *
 * @param port 0 when the executor has no device
 * @param token token that a connection must present
 */
record Endpoint(int port, byte[] token) {
  /** A block of a shuffle number that no application reaches. */
  static final ShuffleBlockId BLOCK = new ShuffleBlockId(Integer.MAX_VALUE, 0, 0);

  static final int TOKEN_BYTES = 16;

  /** The endpoint of an executor without a device. */
  static final Endpoint NONE = new Endpoint(0, new byte[TOKEN_BYTES]);

  private static final int MAGIC = 0x424c5348;

  /**
   * @throws IllegalArgumentException when the bytes are not an endpoint
   */
  static Endpoint of(ByteBuffer bytes) {
    if (bytes.remaining() != 2 * Integer.BYTES + TOKEN_BYTES || bytes.getInt() != MAGIC) {
      throw new IllegalArgumentException(
          "the peer has a different shuffle manager or a different version of it");
    }
    int port = bytes.getInt();
    if (port < 0 || port > 0xffff) {
      throw new IllegalArgumentException("invalid port number " + port);
    }
    byte[] token = new byte[TOKEN_BYTES];
    bytes.get(token);
    return new Endpoint(port, token);
  }

  ByteBuffer bytes() {
    return ByteBuffer.allocate(2 * Integer.BYTES + TOKEN_BYTES)
        .putInt(MAGIC)
        .putInt(port)
        .put(token)
        .flip();
  }
}
