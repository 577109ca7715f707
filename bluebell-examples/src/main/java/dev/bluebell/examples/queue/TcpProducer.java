package dev.bluebell.examples.queue;

import dev.bluebell.examples.shared.Idle;
import dev.bluebell.examples.shared.TcpChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * The sending end of the same queue over TCP: the consumer reports how many messages it took and,
 * after a lost connection, which one it expects.
 */
public final class TcpProducer implements Producer {
  /** Number (8 bytes) and length (4) of a message. */
  static final int HEADER_BYTES = 12;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final InetSocketAddress consumer;
  private final boolean spinning;
  private final Idle idle = new Idle();
  private final ByteBuffer[] messages = new ByteBuffer[CREDITS];
  private final ByteBuffer credits = ByteBuffer.allocateDirect(Integer.BYTES);
  private TcpChannel channel;
  private long acknowledged;
  private long next;

  /**
   * Connects to a consumer.
   *
   * @param spinning whether to poll instead of waiting in the kernel
   */
  public TcpProducer(InetSocketAddress consumer, boolean spinning) throws IOException {
    this.consumer = consumer;
    this.spinning = spinning;
    for (int i = 0; i < CREDITS; i++) {
      messages[i] = ByteBuffer.allocateDirect(HEADER_BYTES + MAX_MESSAGE);
    }
    channel = TcpChannel.connect(consumer, spinning);
    acknowledged = expected();
    next = acknowledged;
  }

  private long expected() throws IOException {
    ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
    channel.readFully(number);
    return number.getLong(0);
  }

  @Override
  public long next() {
    return next;
  }

  private ByteBuffer message(long number) {
    return messages[(int) (number % CREDITS)];
  }

  @Override
  public void send(byte[] message) throws IOException {
    while (next - acknowledged == CREDITS) {
      progress();
    }
    message(next).clear().putLong(next).putInt(message.length).put(message).flip();
    next++;
    try {
      channel.write(message(next - 1));
    } catch (IOException e) {
      recover();
    }
  }

  @Override
  public void flush() throws IOException {
    while (acknowledged < next) {
      progress();
    }
  }

  private void progress() throws IOException {
    try {
      if (!channel.readIfThere(credits)) {
        idle.pauseAwake();
      } else if (!credits.hasRemaining()) {
        idle.reset();
        acknowledged += credits.getInt(0);
        credits.clear();
      }
    } catch (IOException e) {
      recover();
    }
  }

  private void recover() throws IOException {
    long start = System.nanoTime();
    while (true) {
      try {
        channel.close();
        channel = TcpChannel.connect(consumer, spinning);
        credits.clear();
        long expected = expected();
        Producer.check(expected, acknowledged, next);
        acknowledged = expected;
        for (long number = acknowledged; number < next; number++) {
          channel.write(message(number).rewind());
        }
        return;
      } catch (IOException e) {
        if (System.nanoTime() - start > PATIENCE.toNanos()) {
          throw e;
        }
        rest();
      }
    }
  }

  private static void rest() throws IOException {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      throw Idle.interrupted();
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
