package dev.bluebell.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
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
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks are read by RDMA, or fetched by the other transfer. */
class BlockTransferTest extends TwoExecutors {
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
  void blocksWithoutABufferAreFetchedByTheOtherTransfer() throws IOException {
    reader.close();
    connect(1 << 20);
    fetchRight(0, 300);
    assertThat(spark.asked()).containsExactly(ids(0, 300));
    assertThat(count(readerCounters, "blocksByFallback")).isEqualTo(300);
    fetchRight(0, 20);
    assertThat(count(readerCounters, "blocksByRdma")).isEqualTo(20);
  }

  @Test
  void anExecutorWithoutADeviceUsesTheOtherTransferAndIsReportedOnce() {
    try (LogLines log = new LogLines()) {
      spark.has(Endpoint.BLOCK.name(), Endpoint.NONE::bytes);
      fetchRight(0, 2);
      fetchRight(2, 4);
      fetchRight(4, 6);
      assertThat(spark.asked()).containsExactly(ids(0, 6));
      assertThat(log.all())
          .containsExactly(
              "Blocks of executor writer at 127.0.0.1:1 are fetched by Spark's own transfer: it has"
                  + " no device");
    }
  }

  @Test
  void mergedBlocksOfPushBasedShuffleAreAskedOfTheOtherTransfer() {
    String merged = "shuffleChunk_%d_0_1_2".formatted(SHUFFLE);
    spark.has(merged, () -> ByteBuffer.wrap(content, 0, BLOCK_BYTES));
    assertThat(fetch(merged, id(0)).get(merged)).isInstanceOf(byte[].class);
    assertThat(spark.asked()).containsExactly(merged, id(0));
  }

  @Test
  @Tag("slow")
  void eventsReportFetchesRegistrationsAndFallbacks() throws Exception {
    Map<String, RecordedEvent> events = new ConcurrentHashMap<>();
    CountDownLatch all = new CountDownLatch(3);
    try (RecordingStream recording = new RecordingStream()) {
      for (String name : List.of("Fetch", "Registration", "Fallback")) {
        recording.enable("dev.bluebell.spark." + name);
        recording.onEvent(
            "dev.bluebell.spark." + name,
            event -> {
              if (events.put(name, event) == null) {
                all.countDown();
              }
            });
      }
      recording.setReuse(false);
      recording.startAsync();
      fetchRight(0, 3);
      fetch("shuffle_9_0_0");
      all.await();
    }
    assertThat(events.get("Fetch").getString("peer")).isEqualTo("executor writer at 127.0.0.1:1");
    assertThat(events.get("Fetch").getInt("blocks")).isEqualTo(3);
    assertThat(events.get("Fetch").getLong("bytes")).isEqualTo(3L * BLOCK_BYTES);
    assertThat(events.get("Registration").getString("file")).isEqualTo(file.getPath());
    assertThat(events.get("Registration").getLong("bytes")).isEqualTo(content.length);
    assertThat(events.get("Fallback").getInt("blocks")).isEqualTo(1);
    assertThat(events.get("Fallback").getString("reason")).isEqualTo("RDMA failed");
  }

  @Test
  @Tag("slow")
  void metricsCountConnectionsThatAreOpen() {
    fetchRight(0, 1);
    fetchRight(0, 1);
    assertThat(count(readerCounters, "connections")).isEqualTo(2);
    assertThat(readerCounters.sourceName()).isEqualTo("BluebellShuffle");
    writer.close();
    fetchRight(1, 2);
    fetchRight(1, 2);
    assertThat(count(readerCounters, "connections")).isZero();
    assertThat(count(readerCounters, "blocksByFallback")).isEqualTo(2);
  }

  @Test
  void theMemoryOfAConnectionThatEndedIsGivenBackThoughItsExecutorIsNeverAskedAgain() {
    Peer.Name name = new Peer.Name("127.0.0.1", 1, "writer");
    Peer peer = new Peer(reader, name, spark, (fetch, left) -> {});
    WeakReference<PeerConnection> connection = new WeakReference<>(peer.connection().join());
    Objects.requireNonNull(connection.get()).end("the test");
    for (int i = 0; i < 100 && connection.get() != null; i++) {
      System.gc();
    }
    assertThat(connection.get()).as("what the peer keeps").isNull();
    Reference.reachabilityFence(peer);
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
  void aTaskThatIsInterruptedWhenItNeedsAConnectionDoesNotExcludeItsPeer() {
    Thread.currentThread().interrupt();
    try {
      fetchRight(0, 1);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    fetchRight(1, 3);
    assertThat(spark.asked()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void withoutATimeoutAnAnswerMayTakeAnyTime(int seconds) throws Exception {
    reader.close();
    connect(settings(3, 64 << 20, NEVER, Duration.ofSeconds(seconds)));
    CompletableFuture<String> read = new CompletableFuture<>();
    BlockFetchingListener listener =
        new BlockFetchingListener() {
          @Override
          public void onBlockFetchSuccess(String id, ManagedBuffer data) {
            read.complete(id);
          }

          @Override
          public void onBlockFetchFailure(String id, Throwable cause) {
            read.completeExceptionally(cause);
          }
        };
    Peer peer =
        new Peer(
            reader,
            new Peer.Name("127.0.0.1", 1, "writer"),
            spark,
            (fetch, left) -> read.completeExceptionally(new IOException("RDMA failed")));
    PeerConnection connection = Objects.requireNonNull(peer.connection().join());
    writerDevice.hold();
    Fetch fetch = new Fetch(List.of(id(0)), List.of(Block.parse(id(0))), listener);
    assertThat(connection.start(fetch)).isTrue();
    writerDevice.awaitHeld();
    connection.check();
    writerDevice.let();
    assertThat(read).succeedsWithin(PATIENCE).isEqualTo(id(0));
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
  void aReaderForWhichThereIsNoMemoryIsRejectedAndLeavesItsPlaceToTheNext() throws IOException {
    List<Throwable> uncaught = Collections.synchronizedList(new ArrayList<>());
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> uncaught.add(failure));
    writer.close();
    reader.close();
    try (HeldRegistrations device = new HeldRegistrations(device(2))) {
      writer =
          ShuffleNode.over(
              Device.over(device), oneConnection(2, 1), "127.0.0.1", writerCounters, this::segment);
      connect(oneConnection(3, 1));
      device.refuse(true);
      fetchRight(0, 1);
      device.refuse(false);
      device.exhaust();
      fetchRight(1, 2);
      assertThat(spark.asked()).containsExactly(ids(0, 2));
      fetchRight(2, 5);
      assertThat(spark.asked()).containsExactly(ids(0, 2));
      assertThat(uncaught).isEmpty();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void blocksThatAnExecutorHasNoMemoryToLocateComeByTheOtherTransfer() throws IOException {
    writer.close();
    AtomicBoolean isExhausted = new AtomicBoolean(true);
    writer =
        ShuffleNode.over(
            Device.over(new HeldRegistrations(device(2))),
            settings(2, 64 << 20),
            "127.0.0.1",
            writerCounters,
            block -> {
              if (isExhausted.getAndSet(false)) {
                throw new OutOfMemoryError("no memory is left");
              }
              return segment(block);
            });
    fetchRight(0, 1);
    fetchRight(1, 2);
    assertThat(spark.asked()).containsExactly(ids(0, 1));
  }

  @Test
  void anErrorWhileConnectingDoesNotReachLaterFetches() {
    readerDevice.exhaust();
    for (int i = 0; i < 4; i++) {
      fetchRight(i, i + 1);
    }
  }

  @Test
  void anExecutorReadsByNoMoreConnectionsThanItMay() throws IOException {
    reader.close();
    connect(oneConnection(3, 2));
    for (int i = 0; i < 4; i++) {
      fetchRight(i, i + 1);
      assertThat(count(readerCounters, "connections")).isEqualTo(1);
    }
    assertThat(count(readerCounters, "blocksByRdma")).isEqualTo(2);
    assertThat(count(readerCounters, "blocksByFallback")).isEqualTo(2);
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

  @Test
  void aFileWhoseRegistrationTakesLongDelaysNoOtherFetch() throws Exception {
    Files.write(otherFile.toPath(), content);
    fetchRight(0, 1);
    othersAreReadDuring(writerDevice, "shuffle_4_0_0_1");
    assertThat(count(writerCounters, "registrations")).isEqualTo(2);
  }

  @Test
  void aBufferWhoseRegistrationTakesLongDelaysNoOtherFetch() throws Exception {
    fetchRight(0, 1);
    othersAreReadDuring(readerDevice, "shuffle_3_0_0_100");
  }

  @Test
  @Tag("slow")
  void blocksComeByTheOtherTransferWhenTheReadersDeviceAnswersNothing() throws Exception {
    reader.close();
    connect(settings(3, 64 << 20, NEVER, Duration.ofSeconds(1)));
    while (count(readerCounters, "connections") < 2) {
      fetchRight(0, 1);
    }
    Files.write(otherFile.toPath(), content);
    spark.has("shuffle_4_0_0", () -> ByteBuffer.wrap(content, 0, BLOCK_BYTES));
    readerDevice.stop();
    writerDevice.hold();
    try {
      assertThat(fetchLater("shuffle_4_0_0")).succeedsWithin(PATIENCE);
      assertThat(fetchLater(id(1))).as("by the other connection").succeedsWithin(PATIENCE);
      assertThat(fetchLater(id(2))).as("without a connection").succeedsWithin(PATIENCE);
      while (!reader.isLost()) {
        Thread.onSpinWait();
      }
      assertThat(fetchLater(id(3))).succeedsWithin(PATIENCE);
      assertThat(spark.asked()).contains("shuffle_4_0_0", id(2), id(3));
    } finally {
      writerDevice.let();
      readerDevice.let();
    }
    // A device can't be closed while it creates something.
    while (count(writerCounters, "registrations") < 2 || count(readerCounters, "connections") < 2) {
      Thread.onSpinWait();
    }
  }

  private CompletableFuture<Map<String, Object>> fetchLater(String id) {
    return CompletableFuture.supplyAsync(() -> fetch(id), Thread::startVirtualThread);
  }

  /** Fetches a block that needs a registration, and others meanwhile, by all connections. */
  private void othersAreReadDuring(HeldRegistrations registrations, String id) throws Exception {
    fetchRight(0, 1);
    registrations.hold();
    CompletableFuture<Map<String, Object>> slow = fetchLater(id);
    registrations.awaitHeld();
    CompletableFuture<Void> others =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < 4; i++) {
                fetchRight(i, i + 2);
              }
            },
            Thread::startVirtualThread);
    try {
      assertThat(others).succeedsWithin(PATIENCE);
      assertThat(slow).isNotDone();
    } finally {
      registrations.let();
    }
    assertThat(slow.join().get(id)).isInstanceOf(byte[].class);
    assertThat(spark.asked()).isEmpty();
  }
}
