package dev.bluebell.examples.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.bluebell.examples.SharedDevice;
import dev.bluebell.test.Rdma;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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

  @Test
  void theSameOverTcpSurvivesALoss() throws Exception {
    Path file = folder.resolve("log");
    try (ExecutorService threads = Executors.newCachedThreadPool();
        MessageLog log = new MessageLog(file);
        TcpConsumer consumer = new TcpConsumer(ANY_PORT, 0, log, false)) {
      Future<?> running =
          threads.submit(
              () -> {
                consumer.run();
                return null;
              });
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
