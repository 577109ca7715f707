package dev.bluebell.examples.queue;

import dev.bluebell.examples.shared.ChildJvm;
import dev.bluebell.examples.shared.TcpChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;

/** The same consumer over TCP. */
public final class TcpConsumer implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final ServerSocketChannel listener;
  private final boolean spinning;
  private final MessageHandler handler;
  private final ByteBuffer arrived = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ByteBuffer credits = ByteBuffer.allocateDirect(Integer.BYTES);
  private long next;

  /**
   * Listens.
   *
   * @param next number of the first message that the handler does not have yet
   * @param spinning whether to poll instead of waiting in the kernel
   */
  public TcpConsumer(InetSocketAddress address, long next, MessageHandler handler, boolean spinning)
      throws IOException {
    this.next = next;
    this.handler = handler;
    this.spinning = spinning;
    listener = ServerSocketChannel.open().bind(address);
  }

  /** Where it listens. */
  public InetSocketAddress address() throws IOException {
    return (InetSocketAddress) listener.getLocalAddress();
  }

  /** Takes messages until it is closed. */
  public void run() throws IOException {
    try {
      while (true) {
        TcpChannel producer = new TcpChannel(listener.accept(), spinning);
        serve(producer);
      }
    } catch (ClosedChannelException e) {
      // The server is closed.
    }
  }

  private void serve(TcpChannel producer) {
    try (producer) {
      producer.write(ByteBuffer.allocate(Long.BYTES).putLong(0, next));
      arrived.clear();
      while (true) {
        producer.readSome(arrived);
        int taken = takeAll(arrived.flip());
        arrived.compact();
        if (taken > 0) {
          producer.write(credits.putInt(0, taken).rewind());
        }
      }
    } catch (IOException e) {
      // The producer is gone and will come back.
    }
  }

  /** Takes all complete messages, and returns their number. */
  private int takeAll(ByteBuffer messages) throws IOException {
    int taken = 0;
    while (messages.remaining() >= TcpProducer.HEADER_BYTES) {
      int start = messages.position();
      int length = messages.getInt(start + Long.BYTES);
      if (messages.getLong(start) != next || length < 0 || length > Producer.MAX_MESSAGE) {
        throw new IOException("message %d is expected".formatted(next));
      }
      int end = start + TcpProducer.HEADER_BYTES + length;
      if (end > messages.limit()) {
        break;
      }
      handler.take(next, messages.slice(end - length, length));
      messages.position(end);
      next++;
      taken++;
    }
    return taken;
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  /**
   * Appends messages to a file until it is killed.
   *
   * @param arguments {@code spinning} or {@code blocking}, the port (0 for any), the file
   */
  public static void main(String... arguments) throws IOException {
    try (MessageLog log = new MessageLog(Path.of(arguments[2]));
        TcpConsumer consumer =
            new TcpConsumer(
                ChildJvm.local(Integer.parseInt(arguments[1])),
                log.next(),
                log,
                arguments[0].equals("spinning"))) {
      System.out.println(consumer.address().getPort());
      consumer.run();
    }
  }
}
