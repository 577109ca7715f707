package dev.bluebell.examples;

import dev.bluebell.examples.keyvalue.KeyValueServer;
import dev.bluebell.examples.keyvalue.KeyValueStore;
import dev.bluebell.examples.keyvalue.RandomOperations;
import dev.bluebell.examples.keyvalue.RdmaKeyValueStore;
import dev.bluebell.examples.keyvalue.TcpKeyValueServer;
import dev.bluebell.examples.keyvalue.TcpKeyValueStore;
import dev.bluebell.examples.queue.MessageLog;
import dev.bluebell.examples.queue.Producer;
import dev.bluebell.examples.queue.RdmaConsumer;
import dev.bluebell.examples.queue.RdmaProducer;
import dev.bluebell.examples.queue.TcpConsumer;
import dev.bluebell.examples.queue.TcpProducer;
import dev.bluebell.examples.shared.ChildJvm;
import dev.bluebell.examples.shared.Percentiles;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * Measures the key-value store and the queue over RDMA and over TCP, one after the other: the
 * latency of operations, and the message rate of the queue.
 */
public final class BesideTcp {
  private static final long SEED = 1;
  private static final int KEYS = 30_000;
  private static final int BUCKETS = 16_384;
  private static final int MESSAGE_BYTES = 32;

  private final String shared;
  private final int operations;
  private final List<String> latencies = new ArrayList<>();
  private final List<String> rates = new ArrayList<>();

  /**
   * @param shared the device of a device process
   */
  private BesideTcp(String shared, int operations) {
    this.shared = shared;
    this.operations = operations;
  }

  private void keyValue(String where, KeyValueStore opened) throws IOException {
    try (KeyValueStore store = opened) {
      RandomOperations random = new RandomOperations(store, SEED, KEYS, 1, 1);
      random.run(operations / 2);
      random.reads.reset();
      random.changes.reset();
      random.run(operations);
      latencies.add(Percentiles.row("get, " + where, random.reads));
      latencies.add(Percentiles.row("put or remove, " + where, random.changes));
    }
  }

  private void queue(String where, Producer opened) throws IOException {
    try (Producer producer = opened) {
      byte[] message = new byte[MESSAGE_BYTES];
      Histogram nanos = new Histogram(3);
      for (int i = -operations / 2; i < operations; i++) {
        long start = System.nanoTime();
        producer.send(message);
        producer.flush();
        if (i >= 0) {
          nanos.recordValue(System.nanoTime() - start);
        }
      }
      latencies.add(Percentiles.row("message acknowledged, " + where, nanos));
      long start = System.nanoTime();
      for (int i = 0; i < operations; i++) {
        producer.send(message);
      }
      producer.flush();
      double seconds = (System.nanoTime() - start) / 1e9;
      rates.add(String.format(Locale.ROOT, "| %s | %,.0f |", where, operations / seconds));
    }
  }

  private void rdmaInOneProcess() throws IOException, InterruptedException {
    String where = "RDMA, one JVM";
    try (Device device = Device.open("soft:engine=poll")) {
      try (KeyValueServer server = new KeyValueServer(device, ChildJvm.local(0), BUCKETS)) {
        keyValue(where, new RdmaKeyValueStore(device, server.address()));
      }
      Path file = newFile();
      try (MessageLog log = new MessageLog(file);
          RdmaConsumer consumer = new RdmaConsumer(device, ChildJvm.local(0), 0, log)) {
        Thread running = Thread.ofPlatform().start(() -> run(consumer));
        queue(where, new RdmaProducer(device, consumer.address()));
        consumer.stop();
        running.join();
      } finally {
        Files.delete(file);
      }
    }
  }

  private static void run(RdmaConsumer consumer) {
    try {
      consumer.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void rdmaInTwo() throws IOException, InterruptedException {
    String where = "RDMA, two JVMs";
    try (Device device = Device.open(shared)) {
      try (ChildJvm server = ChildJvm.start(KeyValueServer.class, shared, "" + BUCKETS)) {
        keyValue(where, new RdmaKeyValueStore(device, server.address()));
      }
      Path file = newFile();
      ChildJvm consumer = ChildJvm.start(RdmaConsumer.class, shared, "0", file.toString());
      try {
        queue(where, new RdmaProducer(device, consumer.address()));
      } finally {
        consumer.kill();
        Files.delete(file);
      }
    }
  }

  private void tcp(String how) throws IOException, InterruptedException {
    String where = "TCP %s, two JVMs".formatted(how);
    boolean spinning = how.equals("spinning");
    try (ChildJvm server = ChildJvm.start(TcpKeyValueServer.class, how)) {
      keyValue(where, new TcpKeyValueStore(server.address(), spinning));
    }
    Path file = newFile();
    ChildJvm consumer = ChildJvm.start(TcpConsumer.class, how, "0", file.toString());
    try {
      queue(where, new TcpProducer(consumer.address(), spinning));
    } finally {
      consumer.kill();
      Files.delete(file);
    }
  }

  private static Path newFile() throws IOException {
    return Files.createTempFile("bluebell-queue", ".log");
  }

  /** Measures, and returns tables. */
  static String measure(String shared, int operations) throws IOException, InterruptedException {
    BesideTcp beside = new BesideTcp(shared, operations);
    beside.rdmaInOneProcess();
    beside.rdmaInTwo();
    beside.tcp("spinning");
    beside.tcp("blocking");
    return "%s%n%s%n%n| queue, 64 credits | messages per second |%n|---|---|%n%s"
        .formatted(
            Percentiles.head(),
            String.join("\n", beside.latencies),
            String.join("\n", beside.rates));
  }

  /**
   * Measures and prints tables.
   *
   * @param arguments the device of a device process; then, if not 200,000, the number of operations
   *     for each measurement
   */
  public static void main(String... arguments) throws IOException, InterruptedException {
    int operations = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 200_000;
    System.out.println(measure(arguments[0], operations));
  }
}
