package dev.bluebell.examples.shared;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A TCP connection of the examples with which RDMA is compared. It waits in the kernel, or polls as
 * {@link Idle} does. Belongs to one thread; closing is thread-safe.
 */
public final class TcpChannel implements AutoCloseable {
  private final SocketChannel channel;
  private final Idle idle = new Idle();

  /**
   * Takes ownership of a channel.
   *
   * @param spinning whether to poll rather than wait in the kernel
   */
  public TcpChannel(SocketChannel channel, boolean spinning) throws IOException {
    this.channel = channel;
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(!spinning);
  }

  /** Connects. */
  public static TcpChannel connect(InetSocketAddress server, boolean spinning) throws IOException {
    return new TcpChannel(SocketChannel.open(server), spinning);
  }

  /** Reads until a buffer is full. */
  public void readFully(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      readSome(buffer);
    }
  }

  /** Reads at least a byte. */
  public void readSome(ByteBuffer buffer) throws IOException {
    while (!readIfThere(buffer)) {
      idle.pauseAwake();
    }
    idle.reset();
  }

  /** Reads the available bytes; a connection that waits in the kernel waits for at least one. */
  public boolean readIfThere(ByteBuffer buffer) throws IOException {
    int bytes = channel.read(buffer);
    if (bytes < 0) {
      throw new EOFException("the peer has closed the connection");
    }
    return bytes > 0;
  }

  /** Writes all of a buffer. */
  public void write(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.write(buffer) == 0) {
        Thread.onSpinWait();
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
