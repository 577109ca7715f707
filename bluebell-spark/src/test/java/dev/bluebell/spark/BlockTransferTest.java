package dev.bluebell.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.connect.Connections;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two executors without Spark, each with a device of its own on a network: one has a file with
 * blocks, the other one reads them.
 */
class BlockTransferTest {
  private static final int SHUFFLE = 3;
  private static final int BLOCK_BYTES = 5000;
  private static final int BLOCKS = 500;
  private static final TransportConf CONF = new TransportConf("shuffle", MapConfigProvider.EMPTY);

  /** Longer than any test, so that what was refused once is not tried again. */
  private static final Duration NEVER = Duration.ofDays(1);

  @TempDir private Path folder;
  private final byte[] content = new byte[BLOCKS * BLOCK_BYTES];
  private File file;
  private final OtherTransfer spark = new OtherTransfer();
  private final List<String> again = Collections.synchronizedList(new ArrayList<>());
  private final ShuffleCounters readerCounters = new ShuffleCounters();
  private final ShuffleCounters writerCounters = new ShuffleCounters();
  private ShuffleNode writer;
  private ShuffleNode reader;
  private RdmaBlockClient client;

  @BeforeEach
  void open() throws IOException {
    new SplittableRandom(1).nextBytes(content);
    file = folder.resolve("shuffle.data").toFile();
    Files.write(file.toPath(), content);
    writer = ShuffleNode.open(settings(2, 64 << 20), "127.0.0.1", writerCounters, this::segment);
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

  /** Devices of this test alone: tests of other processes may listen at the same time. */
  private static String device(int host) {
    long pid = ProcessHandle.current().pid();
    return "soft:listen=127.%d.%d.%d".formatted(100 + pid / 250 % 100, pid % 250 + 1, host);
  }

  private static Settings settings(int host, long bufferBytes) {
    return settings(host, bufferBytes, NEVER);
  }

  private static Settings settings(int host, long bufferBytes, Duration retryInterval) {
    return new Settings(device(host), "127.0.0.1", 0, 2, 16, bufferBytes, 16, retryInterval);
  }

  private void connect(long bufferBytes) throws IOException {
    connect(settings(3, bufferBytes));
  }

  private void connect(Settings settings) throws IOException {
    reader =
        ShuffleNode.open(
            settings,
            "127.0.0.1",
            readerCounters,
            block -> {
              throw new UncheckedIOException(new IOException("it has no blocks"));
            });
    client = new RdmaBlockClient(reader, spark);
  }

  private FileSegmentManagedBuffer segment(Block block) {
    int bytes = (block.endPartition() - block.firstPartition()) * BLOCK_BYTES;
    return new FileSegmentManagedBuffer(
        CONF, file, (long) block.firstPartition() * BLOCK_BYTES, bytes);
  }

  private static String id(int partition) {
    return "shuffle_%d_0_%d".formatted(SHUFFLE, partition);
  }

  private static String[] ids(int from, int to) {
    return IntStream.range(from, to).mapToObj(BlockTransferTest::id).toArray(String[]::new);
  }

  /** Fetches blocks and waits for all of them; what came for each, or the failure. */
  private Map<String, Object> fetch(String... ids) {
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
    assertThat(again).as("blocks that came twice").isEmpty();
    return got;
  }

  /** Fetches blocks that are right, however they come. */
  private void fetchRight(int from, int to) {
    Map<String, Object> got = fetch(ids(from, to));
    for (int i = from; i < to; i++) {
      assertThat(got.get(id(i)))
          .as(id(i))
          .isEqualTo(Arrays.copyOfRange(content, i * BLOCK_BYTES, (i + 1) * BLOCK_BYTES));
    }
  }

  private static long count(ShuffleCounters counters, String name) {
    return counters.metricRegistry().getCounters().get(name).getCount();
  }

  @Test
  void blocksAreReadFromTheFileOfTheOtherExecutor() {
    fetchRight(0, 20);
    assertThat(spark.asked()).isEmpty();
    assertThat(count(readerCounters, "blocksByRdma")).isEqualTo(20);
    assertThat(count(readerCounters, "bytesByRdma")).isEqualTo(20L * BLOCK_BYTES);
    assertThat(count(writerCounters, "registrations")).isEqualTo(1);
    assertThat(count(writerCounters, "registeredBytes")).isEqualTo(content.length);
  }

  @Test
  void moreBlocksThanAMessageHasRoomForAreReadInSeveral() {
    assertThat(BLOCKS).isGreaterThan(Messages.MAX_BLOCKS);
    fetchRight(0, BLOCKS);
    assertThat(count(readerCounters, "blocksByRdma")).isEqualTo(BLOCKS);
    assertThat(spark.asked()).isEmpty();
  }

  @Test
  void aRangeOfPartitionsIsOneBlock() {
    String batch = "shuffle_%d_0_5_8".formatted(SHUFFLE);
    assertThat(fetch(batch).get(batch))
        .isEqualTo(Arrays.copyOfRange(content, 5 * BLOCK_BYTES, 8 * BLOCK_BYTES));
  }

  @Test
  void buffersAreUsedAgain() {
    for (int round = 0; round < 20; round++) {
      fetchRight(round, round + 10);
    }
    assertThat(reader.buffers().bytes()).isLessThanOrEqualTo(2L * 10 * BLOCK_BYTES + (64 << 10));
  }

  @Test
  void whatTheBuffersHaveNoRoomForComesByTheOtherTransfer() throws IOException {
    reader.close();
    connect(1 << 20);
    fetchRight(0, 300);
    assertThat(spark.asked()).containsExactly(ids(0, 300));
    assertThat(count(readerCounters, "blocksByFallback")).isEqualTo(300);
    fetchRight(0, 20);
    assertThat(count(readerCounters, "blocksByRdma")).isEqualTo(20);
  }

  @Test
  void anExecutorWithoutADeviceIsAskedByTheOtherTransfer() {
    spark.has(Endpoint.BLOCK.name(), Endpoint.NONE::bytes);
    fetchRight(0, 2);
    assertThat(spark.asked()).containsExactly(ids(0, 2));
  }

  @Test
  void aPeerThatRefusedIsAskedAgainWhereItListens() throws IOException {
    reader.close();
    connect(settings(3, 64 << 20, Duration.ofNanos(1)));
    spark.has(Endpoint.BLOCK.name(), Endpoint.NONE::bytes);
    fetchRight(0, 1);
    spark.has(
        Endpoint.BLOCK.name(),
        () -> new Endpoint(writer.endpoint().port(), new byte[Endpoint.TOKEN_BYTES]).bytes());
    fetchRight(1, 2);
    assertThat(spark.asked()).containsExactly(ids(0, 2));
    spark.has(Endpoint.BLOCK.name(), () -> writer.endpoint().bytes());
    fetchRight(2, 5);
    assertThat(spark.asked()).containsExactly(ids(0, 2));
  }

  @Test
  void anExecutorOfAnotherShuffleManagerIsAskedByTheOtherTransfer() {
    spark.has(Endpoint.BLOCK.name(), () -> ByteBuffer.wrap(new byte[] {1, 2, 3}));
    fetchRight(0, 2);
    assertThat(spark.asked()).containsExactly(ids(0, 2));
  }

  @Test
  void aConnectionWithAnotherTokenIsRejected() {
    spark.has(
        Endpoint.BLOCK.name(),
        () -> new Endpoint(writer.endpoint().port(), new byte[Endpoint.TOKEN_BYTES]).bytes());
    fetchRight(0, 2);
    assertThat(spark.asked()).containsExactly(ids(0, 2));
    assertThat(count(readerCounters, "connections")).isZero();
  }

  @Test
  void aBlockThatIsMissingIsReportedByTheOtherTransfer() throws IOException {
    Files.delete(file.toPath());
    spark.has(id(0), () -> ByteBuffer.wrap(content, 0, BLOCK_BYTES));
    fetchRight(0, 1);
    assertThat(spark.asked()).containsExactly(id(0));
    assertThat(fetch("shuffle_9_0_0").get("shuffle_9_0_0"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aFileThatIsShorterThanItsIndexSaysIsNotReadBeyondItsEnd() throws IOException {
    Files.write(file.toPath(), Arrays.copyOf(content, BLOCK_BYTES + 1));
    fetchRight(0, 1);
    assertThat(spark.asked()).isEmpty();
    fetchRight(1, 2);
    assertThat(spark.asked()).containsExactly(id(1));
  }

  @Test
  void aFileThatReplacesAnotherOneIsRead() throws IOException {
    fetchRight(0, 1);
    new SplittableRandom(2).nextBytes(content);
    Path other = folder.resolve("other");
    Files.write(other, content);
    Files.move(other, file.toPath(), StandardCopyOption.REPLACE_EXISTING);
    fetchRight(0, 3);
    assertThat(count(writerCounters, "registrations")).isEqualTo(2);
    assertThat(spark.asked()).isEmpty();
  }

  @Test
  void whenTheOtherExecutorEndsTheRestComesByTheOtherTransfer() {
    fetchRight(0, 5);
    writer.close();
    fetchRight(5, 10);
    assertThat(spark.asked()).containsExactly(ids(5, 10));
  }

  /** A peer with the token, and with messages of its own. */
  private void attack(List<byte[]> messages) throws Exception {
    try (Device device = Device.open(device(4))) {
      ProtectionDomain domain = device.allocateProtectionDomain();
      CompletionQueue completions = device.createCompletionQueue(64);
      MemoryRegion memory = domain.allocate(Messages.BYTES);
      RdmaConnection connection =
          Connections.tcp()
              .client(new InetSocketAddress("127.0.0.1", writer.endpoint().port()))
              .connect(
                  () -> domain.rcQueuePair(completions).create(),
                  new Offer(writer.endpoint().token(), List.of()));
      RcQueuePair queuePair = connection.queuePair();
      for (byte[] message : messages) {
        memory.segment().asByteBuffer().put(message);
        queuePair.send().gather(memory, 0, message.length).signaled(1);
        queuePair.ringDoorbell();
        while (completions.poll(completion -> {}) == 0) {
          completions.awaitCompletions(Duration.ofSeconds(1));
        }
      }
      connection.ended().join();
    }
  }

  private static byte[] locate(int request, Block... blocks) {
    ByteBuffer message = ByteBuffer.allocate(Messages.BYTES);
    Messages.putLocate(message, request, List.of(blocks));
    return Arrays.copyOf(message.array(), message.position());
  }

  @Test
  void aPeerThatSendsNoMessageOfOursIsDisconnectedAndOthersAreServed() throws Exception {
    attack(List.of(new byte[] {1, 2, 3}));
    attack(List.of(new byte[Messages.BYTES]));
    attack(List.of(locate(0, new Block(-1, 0, 0, 1))));
    fetchRight(0, 5);
    assertThat(spark.asked()).isEmpty();
  }

  @Test
  void aPeerThatAsksTwiceWithOneNumberIsDisconnectedAndHoldsNoFile() throws Exception {
    byte[] question = locate(7, new Block(SHUFFLE, 0, 0, 1));
    attack(List.of(question, question));
    RegisteredFiles.RegisteredFile registered = writer.files().use(file);
    registered.release();
    writer.files().forget(file);
    while (registered.isOpen()) {
      // The connection's end is handled by another thread.
      Thread.onSpinWait();
    }
    fetchRight(0, 5);
    assertThat(spark.asked()).isEmpty();
    assertThat(count(writerCounters, "registrations")).isEqualTo(2);
  }
}
