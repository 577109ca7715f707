package dev.bluebell.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Device;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.network.buffer.FileSegmentManagedBuffer;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests with two executors without Spark, each with a device of its own on a network: one has a
 * file with blocks, the other one reads them.
 */
abstract class TwoExecutors {
  static final int SHUFFLE = 3;
  static final int BLOCK_BYTES = 5000;
  static final int BLOCKS = 500;
  static final TransportConf CONF = new TransportConf("shuffle", MapConfigProvider.EMPTY);

  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Longer than any test, so that a refused connection is never retried. */
  static final Duration NEVER = Duration.ofDays(1);

  @TempDir Path folder;
  final byte[] content = new byte[BLOCKS * BLOCK_BYTES];
  File file;
  File otherFile;
  final OtherTransfer spark = new OtherTransfer();
  final List<String> again = Collections.synchronizedList(new ArrayList<>());
  final ShuffleCounters readerCounters = new ShuffleCounters();
  final ShuffleCounters writerCounters = new ShuffleCounters();
  final HeldRegistrations writerDevice = new HeldRegistrations(device(2));
  HeldRegistrations readerDevice;
  ShuffleNode writer;
  ShuffleNode reader;
  RdmaBlockClient client;

  @BeforeEach
  void open() throws IOException {
    new SplittableRandom(1).nextBytes(content);
    file = folder.resolve("shuffle.data").toFile();
    Files.write(file.toPath(), content);
    otherFile = folder.resolve("other.data").toFile();
    writer =
        ShuffleNode.over(
            Device.over(writerDevice),
            settings(2, 64 << 20),
            "127.0.0.1",
            writerCounters,
            this::segment);
    connect(64 << 20);
    spark.has(Endpoint.BLOCK.name(), () -> writer.endpoint().bytes());
    for (int i = 0; i < BLOCKS; i++) {
      int from = i * BLOCK_BYTES;
      spark.has(id(i), () -> ByteBuffer.wrap(content, from, BLOCK_BYTES));
    }
  }

  @AfterEach
  void close() {
    reader.close();
    writer.close();
  }

  /** Addresses of this test alone: tests of other processes may listen at the same time. */
  static String address(int host) {
    long pid = ProcessHandle.current().pid();
    return "127.%d.%d.%d".formatted(100 + pid / 250 % 100, pid % 250 + 1, host);
  }

  static String device(int host) {
    return "soft:listen=" + address(host);
  }

  static Settings settings(int host, long bufferBytes) {
    return settings(host, bufferBytes, NEVER);
  }

  static Settings settings(int host, long bufferBytes, Duration retryInterval) {
    return settings(host, bufferBytes, retryInterval, PATIENCE);
  }

  static Settings settings(int host, long bufferBytes, Duration retryInterval, Duration timeout) {
    return new Settings(
        device(host), "127.0.0.1", 0, 2, 16, bufferBytes, 16, retryInterval, timeout);
  }

  /** Settings of an executor that has one connection in each direction and does not pause. */
  static Settings oneConnection(int host, int connectionsPerPeer) {
    return new Settings(
        device(host),
        "127.0.0.1",
        0,
        connectionsPerPeer,
        1,
        64 << 20,
        16,
        Duration.ofNanos(1),
        PATIENCE);
  }

  void connect(long bufferBytes) throws IOException {
    connect(settings(3, bufferBytes));
  }

  void connect(Settings settings) throws IOException {
    readerDevice = new HeldRegistrations(settings.device());
    reader =
        ShuffleNode.over(
            Device.over(readerDevice),
            settings,
            "127.0.0.1",
            readerCounters,
            block -> {
              throw new UncheckedIOException(new IOException("it has no blocks"));
            });
    client = new RdmaBlockClient(reader, spark);
  }

  FileSegmentManagedBuffer segment(Block block) {
    int bytes = (block.endPartition() - block.firstPartition()) * BLOCK_BYTES;
    return new FileSegmentManagedBuffer(
        CONF,
        block.shuffle() == SHUFFLE ? file : otherFile,
        (long) block.firstPartition() * BLOCK_BYTES,
        bytes);
  }

  static String id(int partition) {
    return "shuffle_%d_0_%d".formatted(SHUFFLE, partition);
  }

  static String[] ids(int from, int to) {
    return IntStream.range(from, to).mapToObj(TwoExecutors::id).toArray(String[]::new);
  }

  /** Fetches blocks and waits for all of them; what came for each, or the failure. */
  Map<String, Object> fetch(String... ids) {
    Map<String, CompletableFuture<Object>> results = new ConcurrentHashMap<>();
    Arrays.stream(ids).forEach(id -> results.put(id, new CompletableFuture<>()));
    client.fetchBlocks(
        "127.0.0.1",
        1,
        "writer",
        ids,
        new BlockFetchingListener() {
          @Override
          public void onBlockFetchSuccess(String id, ManagedBuffer data) {
            try {
              ByteBuffer bytes = data.nioByteBuffer();
              byte[] copy = new byte[bytes.remaining()];
              bytes.get(copy);
              if (!results.get(id).complete(copy)) {
                again.add(id);
              }
            } catch (IOException e) {
              results.get(id).completeExceptionally(e);
            }
          }

          @Override
          public void onBlockFetchFailure(String id, Throwable cause) {
            results.get(id).complete(cause);
          }
        },
        null);
    Map<String, Object> got =
        results.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().join()));
    assertThat(again).as("blocks that arrived twice").isEmpty();
    return got;
  }

  /** Fetches blocks that are right, however they come. */
  void fetchRight(int from, int to) {
    Map<String, Object> got = fetch(ids(from, to));
    for (int i = from; i < to; i++) {
      assertThat(got.get(id(i)))
          .as(id(i))
          .isEqualTo(Arrays.copyOfRange(content, i * BLOCK_BYTES, (i + 1) * BLOCK_BYTES));
    }
  }

  static long count(ShuffleCounters counters, String name) {
    return counters.metricRegistry().getCounters().get(name).getCount();
  }
}
