package dev.bluebell.examples.queue;

import dev.bluebell.examples.shared.ChildJvm;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs a producer in this JVM and a consumer in another, which is killed and restarted repeatedly;
 * between the kills, the queue pair is moved to the error state. In the end the consumer's file
 * must contain each message once, in order.
 */
public final class QueueTrial {
  private static final long MIX = 0x9e3779b97f4a7c15L;
  private static final int MESSAGE_BYTES = 32;

  private QueueTrial() {}

  /** The message with a number. */
  static byte[] message(long number) {
    return ByteBuffer.allocate(MESSAGE_BYTES).putLong(number * MIX).array();
  }

  /**
   * Runs a trial.
   *
   * @param device that of a device process, {@code socket:PATH}
   * @param file of the consumer
   * @throws IOException when a message is missing or out of order
   */
  static void run(String device, Path file, long messages, int kills)
      throws IOException, InterruptedException {
    ChildJvm consumer = ChildJvm.start(RdmaConsumer.class, device, "0", file.toString());
    try (Device opened = Device.open(device)) {
      InetSocketAddress address = consumer.address();
      try (RdmaProducer producer = new RdmaProducer(opened, address)) {
        for (int kill = 1; kill <= kills; kill++) {
          sendUntil(producer, messages * (2 * kill - 1) / (2 * kills + 1));
          producer.queuePair().toError();
          sendUntil(producer, messages * 2 * kill / (2 * kills + 1));
          consumer.kill();
          consumer =
              ChildJvm.start(RdmaConsumer.class, device, "" + address.getPort(), file.toString());
        }
        sendUntil(producer, messages);
        producer.flush();
      }
    } finally {
      consumer.kill();
    }
    verify(file, messages);
  }

  private static void sendUntil(Producer producer, long end) throws IOException {
    while (producer.next() < end) {
      producer.send(message(producer.next()));
    }
  }

  /** Compares the messages of a consumer with those that were sent. */
  static void verify(Path file, long messages) throws IOException {
    try (MessageLog log = new MessageLog(file)) {
      if (log.next() != messages) {
        throw new IOException(
            "%d messages were sent, but %d have arrived".formatted(messages, log.next()));
      }
      for (long number = 0; number < messages; number++) {
        if (log.message(number) != number * MIX) {
          throw new IOException("message %d differs from the one that was sent".formatted(number));
        }
      }
    }
  }

  /**
   * Runs a trial, and prints how long it took.
   *
   * @param arguments the device; then, if not 200,000 and 5, the numbers of messages and of kills
   */
  public static void main(String... arguments) throws IOException, InterruptedException {
    long messages = arguments.length > 1 ? Long.parseLong(arguments[1]) : 200_000;
    int kills = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 5;
    Path file = Files.createTempFile("bluebell-queue", ".log");
    try {
      long start = System.nanoTime();
      run(arguments[0], file, messages, kills);
      System.out.printf(
          "%,d messages arrived, in order and once each, although the consumer was killed %d times"
              + " and the connection broke each time: %.1f s%n",
          messages, kills, (System.nanoTime() - start) / 1e9);
    } finally {
      Files.delete(file);
    }
  }
}
