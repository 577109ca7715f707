package dev.bluebell.examples.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.examples.SharedDevice;
import dev.bluebell.test.Rdma;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The message queue of the examples. */
class QueueTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir private Path folder;

  private static void send(Producer producer, long end) throws IOException {
    while (producer.next() < end) {
      producer.send(QueueTrial.message(producer.next()));
    }
  }

  @Test
  @Tag("slow")
  void aConsumerThatIsKilledLosesNothingAndTakesNothingTwice() throws Exception {
    try (SharedDevice device = new SharedDevice(folder)) {
      QueueTrial.run(device.name(), folder.resolve("log"), 5_000, 1);
    }
  }

  @Test
  void aProducerGoesOnWhereTheOneBeforeWas() throws Exception {
    Path file = folder.resolve("log");
    try (Device device = Device.open();
        ExecutorService threads = Executors.newCachedThreadPool();
        MessageLog log = new MessageLog(file);
        RdmaConsumer consumer = new RdmaConsumer(device, ANY_PORT, log.next(), log)) {
      Future<?> running = threads.submit(() -> run(consumer));
      // It closes without waiting for acknowledgments.
      try (RdmaProducer first = new RdmaProducer(device, consumer.address())) {
        send(first, 500);
      }
      try (RdmaProducer second = new RdmaProducer(device, consumer.address())) {
        assertThat(second.next()).isBetween(500L - Producer.CREDITS, 500L);
        send(second, 1_000);
        second.flush();
      }
      consumer.stop();
      running.get(30, TimeUnit.SECONDS);
    }
    QueueTrial.verify(file, 1_000);
  }

  private static Void run(RdmaConsumer consumer) throws IOException {
    consumer.run();
    return null;
  }

  private static Void run(TcpConsumer consumer) throws IOException {
    consumer.run();
    return null;
  }

  @Test
  void theSameOverTcpSurvivesALoss() throws Exception {
    Path file = folder.resolve("log");
    try (ExecutorService threads = Executors.newCachedThreadPool();
        MessageLog log = new MessageLog(file);
        TcpConsumer consumer = new TcpConsumer(ANY_PORT, 0, log, false)) {
      Future<?> running = threads.submit(() -> run(consumer));
      try (TcpProducer first = new TcpProducer(consumer.address(), false)) {
        send(first, 500);
      }
      try (TcpProducer second = new TcpProducer(consumer.address(), true)) {
        send(second, 1_000);
        second.flush();
      }
      consumer.close();
      running.get(30, TimeUnit.SECONDS);
    }
    QueueTrial.verify(file, 1_000);
  }

  @Test
  void aConsumerThatCanNotKeepAMessageEndsWithTheError() throws Exception {
    MessageLog log = new MessageLog(folder.resolve("log"));
    log.close();
    try (ExecutorService threads = Executors.newCachedThreadPool();
        TcpConsumer consumer = new TcpConsumer(ANY_PORT, 0, log, false)) {
      Future<?> running = threads.submit(() -> run(consumer));
      try (TcpProducer producer = new TcpProducer(consumer.address(), false)) {
        producer.send(QueueTrial.message(0));
        assertThatExceptionOfType(ExecutionException.class)
            .isThrownBy(() -> running.get(30, TimeUnit.SECONDS))
            .havingRootCause()
            .isInstanceOf(ClosedChannelException.class);
      }
    }
  }

  @Test
  void aProducerDoesNotGoOnWithAConsumerThatLostMessages() throws Exception {
    try (ExecutorService threads = Executors.newCachedThreadPool();
        ServerSocket listener = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
      Future<?> consumer =
          threads.submit(
              () -> {
                expect(listener, 100);
                expect(listener, 0);
                return null;
              });
      try (TcpProducer producer =
          new TcpProducer((InetSocketAddress) listener.getLocalSocketAddress(), false)) {
        assertThatIllegalStateException()
            .isThrownBy(
                () -> {
                  producer.send(QueueTrial.message(100));
                  producer.flush();
                })
            .withMessage(
                "the consumer expects message 0, but this producer can continue only with 100 to"
                    + " 101");
      }
      consumer.get(30, TimeUnit.SECONDS);
    }
  }

  /** A consumer that says which message it expects, and is gone. */
  private static void expect(ServerSocket listener, long number) throws IOException {
    try (Socket socket = listener.accept()) {
      socket.getOutputStream().write(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }
  }

  @Test
  void theFileOfAConsumerTakesShortMessages() throws Exception {
    try (MessageLog log = new MessageLog(folder.resolve("log"))) {
      log.take(0, ByteBuffer.wrap(new byte[] {1, 2}));
      log.take(1, ByteBuffer.wrap(new byte[] {3, 0, 0, 0, 0, 0, 0, 0, 4}));
      assertThat(log.next()).isEqualTo(2);
      assertThat(log.message(0)).isEqualTo(0x0102_0000_0000_0000L);
      assertThat(log.message(1)).isEqualTo(0x0300_0000_0000_0000L);
    }
  }

  @Test
  void endsThatFailToStartLeaveNoObjects(@Rdma Device device) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      InetSocketAddress address = (InetSocketAddress) taken.getLocalSocketAddress();
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> new RdmaConsumer(device, address, 0, (number, message) -> {}));
      assertThat(device.openObjects()).isEmpty();
      taken.close();
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> new RdmaProducer(device, address));
      assertThat(device.openObjects()).isEmpty();
    }
  }

  @Test
  void anIncompleteRecordAtTheEndOfAFileIsDropped() throws Exception {
    Path file = folder.resolve("log");
    Files.write(file, new byte[40]);
    try (MessageLog log = new MessageLog(file)) {
      assertThat(log.next()).isEqualTo(2);
    }
    assertThat(file).hasSize(32);
  }
}
