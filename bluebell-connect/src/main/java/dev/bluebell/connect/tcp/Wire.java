package dev.bluebell.connect.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Messages over a TCP connection: magic (4 bytes), version (1), type (1), length of the body (2),
 * big-endian, and the body. One thread reads at a time; any thread writes. An invalid message ends
 * the connection.
 */
final class Wire implements AutoCloseable {
  static final int MAGIC = 0x42424352;
  static final byte VERSION = 1;
  static final int HEAD_BYTES = 8;

  /** Limit of a message's body; no valid message is longer. */
  static final int MAX_BODY_BYTES = 1024;

  private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  /** How long a peer may delay the last message. */
  private static final long LAST_PATIENCE_SECONDS = 1;

  private final Socket socket;
  private final InetSocketAddress peer;

  /** Bytes read of the next message; they are kept when a read times out. */
  private final byte[] buffer = new byte[HEAD_BYTES + MAX_BODY_BYTES];

  private int filled;

  /**
   * @param socket a connected socket, which is closed when this throws
   */
  Wire(Socket socket) throws IOException {
    this.socket = socket;
    peer = (InetSocketAddress) socket.getRemoteSocketAddress();
    try {
      socket.setTcpNoDelay(true);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  InetSocketAddress peer() {
    return peer;
  }

  /** Sends a message. */
  synchronized void write(Message message) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES + message.body().length);
    bytes.putInt(MAGIC).put(VERSION).put((byte) message.type().ordinal());
    bytes.putShort((short) message.body().length).put(message.body());
    socket.getOutputStream().write(bytes.array());
  }

  /**
   * Waits for the next message; the timeout covers the whole message and does not restart with each
   * byte.
   */
  Message read(Duration patience) throws IOException {
    return read(System.nanoTime() + patience.toNanos());
  }

  /**
   * Waits for the next message until a deadline.
   *
   * @throws SocketTimeoutException at the deadline
   * @throws EOFException when the peer closed the connection
   * @throws ProtocolException when the peer sent something that is not a message
   */
  Message read(long deadline) throws IOException {
    while (true) {
      int needed = needed();
      if (filled == needed && filled >= HEAD_BYTES) {
        return take(needed);
      }
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        throw new SocketTimeoutException("no answer came in time");
      }
      // Rounded up, because 0 would mean no timeout.
      socket.setSoTimeout((int) Math.min(left / NANOS_PER_MILLI + 1, Integer.MAX_VALUE));
      fill(needed);
    }
  }

  /** True when the peer has closed the connection; waits a millisecond for that. */
  boolean isEndedByPeer() {
    try {
      socket.setSoTimeout(1);
      fill(needed());
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private void fill(int needed) throws IOException {
    int count;
    try {
      count = socket.getInputStream().read(buffer, filled, needed - filled);
    } catch (SocketTimeoutException e) {
      // The caller checks its deadline.
      return;
    }
    if (count < 0) {
      throw new EOFException("the peer closed the connection");
    }
    filled += count;
  }

  /** Length of the message as far as it is known. */
  private int needed() throws ProtocolException {
    if (filled < HEAD_BYTES) {
      return HEAD_BYTES;
    }
    ByteBuffer head = ByteBuffer.wrap(buffer);
    int magic = head.getInt();
    int version = head.get();
    int type = head.get();
    int length = head.getShort() & 0xffff;
    if (magic != MAGIC) {
      throw new ProtocolException("the peer does not speak this protocol");
    }
    if (version != VERSION) {
      throw new ProtocolException(
          "the peer speaks version %d of the protocol, and this side %d"
              .formatted(version, VERSION));
    }
    if (type < 0 || type >= MessageType.values().length || length > MAX_BODY_BYTES) {
      throw new ProtocolException(
          "the peer sent a message of type %d with %d bytes".formatted(type, length));
    }
    return HEAD_BYTES + length;
  }

  private Message take(int bytes) {
    filled = 0;
    byte[] body = new byte[bytes - HEAD_BYTES];
    System.arraycopy(buffer, HEAD_BYTES, body, 0, body.length);
    return new Message(MessageType.values()[buffer[5]], body);
  }

  /**
   * Sends a last message and closes the connection. A peer that does not read delays this by a
   * second at most: closing the socket ends all writes that wait for the peer.
   */
  void close(Message last) {
    Thread.Builder writing = Thread.ofVirtual().name("bluebell-disconnect");
    try {
      // Unlike Thread.join, the last step ignores interrupts: threads are often interrupted before
      // they close their connections.
      var unused =
          CompletableFuture.runAsync(() -> tryWrite(last), writing::start)
              .completeOnTimeout(null, LAST_PATIENCE_SECONDS, TimeUnit.SECONDS)
              .join();
    } finally {
      close();
    }
  }

  /** Sends a message to a peer that may be gone already, or does not read. */
  void tryWrite(Message message) {
    try {
      write(message);
    } catch (IOException e) {
      // The peer needs no message then.
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new AssertionError("a socket could not be closed", e);
    }
  }
}
