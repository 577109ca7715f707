package dev.bluebell.examples.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.connect.Connections;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.examples.SharedDevice;
import dev.bluebell.test.Rdma;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key-value store of the examples. */
class KeyValueStoreTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int BUCKETS = 64;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void twoClientsOfAServerInAnotherProcessGetRightAnswers(@TempDir Path folder) throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    try (SharedDevice device = new SharedDevice(folder)) {
      assertThat(KeyValueTrial.run(device.name(), 20_000, 2, seed))
          .extracting(random -> random.reads.getTotalCount() + random.changes.getTotalCount())
          .containsExactly(10_000L, 10_000L);
    }
  }

  @Test
  void aValueIsFoundUntilItIsRemoved() throws Exception {
    try (Device device = Device.open("soft:engine=poll");
        KeyValueServer server = new KeyValueServer(device, ANY_PORT, BUCKETS);
        KeyValueStore store = new RdmaKeyValueStore(device, server.address());
        KeyValueStore other = new RdmaKeyValueStore(device, server.address())) {
      assertThat(store.get(1)).isNull();
      assertThat(store.put(1, bytes("one"))).isTrue();
      assertThat(other.get(1)).isEqualTo(bytes("one"));
      assertThat(other.put(1, bytes("a value of thirty-one bytes ..."))).isTrue();
      assertThat(store.get(1)).isEqualTo(bytes("a value of thirty-one bytes ..."));
      assertThat(store.put(1, bytes(""))).isTrue();
      assertThat(other.get(1)).isEmpty();
      assertThat(other.remove(1)).isTrue();
      assertThat(store.remove(1)).isFalse();
      assertThat(store.get(1)).isNull();
      refusesKey0AndLongValues(store);
    }
  }

  private static void refusesKey0AndLongValues(KeyValueStore store) {
    assertThatIllegalArgumentException().isThrownBy(() -> store.put(0, bytes("zero")));
    assertThatIllegalArgumentException().isThrownBy(() -> store.get(0));
    assertThatIllegalArgumentException().isThrownBy(() -> store.remove(0));
    assertThatIllegalArgumentException().isThrownBy(() -> store.put(1, new byte[32]));
  }

  @Test
  void aBucketThatIsFullTakesNoOtherKey() throws Exception {
    try (Device device = Device.open("soft:engine=poll");
        KeyValueServer server = new KeyValueServer(device, ANY_PORT, BUCKETS);
        KeyValueStore store = new RdmaKeyValueStore(device, server.address())) {
      for (int i = 1; i <= Bucket.ENTRIES; i++) {
        assertThat(store.put((long) i * BUCKETS, bytes("value"))).isTrue();
      }
      assertThat(store.put(7 * BUCKETS, bytes("seventh"))).isFalse();
      assertThat(store.put(2 * BUCKETS, bytes("second"))).isTrue();
      assertThat(store.remove(3 * BUCKETS)).isTrue();
      assertThat(store.put(7 * BUCKETS, bytes("seventh"))).isTrue();
      assertThat(store.get(7 * BUCKETS)).isEqualTo(bytes("seventh"));
    }
  }

  /**
   * A client that locks the bucket of a key, which has this word, writes half of it, and is gone.
   */
  private static void lockAndLeave(Device device, InetSocketAddress server, long key, long word)
      throws Exception {
    try (ProtectionDomain domain = device.allocateProtectionDomain();
        MemoryRegion memory = domain.allocate(Long.BYTES, Access.LOCAL_WRITE);
        CompletionQueue completions = device.createCompletionQueue(16);
        RdmaConnection connection =
            Connections.tcp()
                .client(server)
                .connect(() -> domain.rcQueuePair(completions).create(), Offer.NOTHING)) {
      RemoteMemory table = connection.offer().memory().getFirst();
      RemoteMemory bucket = table.slice(Bucket.offset(key, table.length()), Bucket.BYTES);
      int owner = ByteBuffer.wrap(connection.offer().privateData()).getInt();
      RcQueuePair queuePair = connection.queuePair();
      queuePair
          .compareAndSwap(bucket, word, Bucket.locked(word, owner))
          .scatter(memory, 0)
          .unsignaled(0);
      int copy = Bucket.copyOf(Bucket.changed(word));
      queuePair.write(bucket.slice(copy, 16)).inline(new byte[16], 0, 16).signaled(1);
      queuePair.ringDoorbell();
      while (completions.poll(done -> assertThat(done.isSuccess()).isTrue()) == 0) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void theLockOfAGoneClientIsReleased() throws Exception {
    try (Device device = Device.open("soft:engine=poll");
        KeyValueServer server = new KeyValueServer(device, ANY_PORT, BUCKETS);
        KeyValueStore store = new RdmaKeyValueStore(device, server.address())) {
      assertThat(store.put(5, bytes("before"))).isTrue();
      lockAndLeave(device, server.address(), 5, Bucket.changed(0));
      assertThat(store.get(5)).isEqualTo(bytes("before"));
      assertThat(store.put(5, bytes("after"))).isTrue();
      assertThat(store.get(5)).isEqualTo(bytes("after"));
    }
  }

  @Test
  void aServerThatCanNotReleaseALockSaysWhy() throws Exception {
    CompletableFuture<Throwable> reported = new CompletableFuture<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, why) -> reported.complete(why));
    // Only the server's own queue pair has a third request: each client posts two.
    try (Device device = Device.open("soft:engine=poll,fail=remote-op@3");
        KeyValueServer server = new KeyValueServer(device, ANY_PORT, BUCKETS)) {
      lockAndLeave(device, server.address(), 5, 0);
      lockAndLeave(device, server.address(), 6, 0);
      lockAndLeave(device, server.address(), 7, 0);
      assertThat(reported.get(30, TimeUnit.SECONDS)).hasMessageContaining("REMOTE_OPERATION_ERROR");
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  /** A put rings three doorbells, so the device misses that of the first get. */
  @Test
  void aStoreGivesNoAnswersAfterAnInterruptedWait() throws Exception {
    try (Device device = Device.open("soft:engine=poll,fail=drop-doorbell@7");
        KeyValueServer server = new KeyValueServer(device, ANY_PORT, BUCKETS);
        KeyValueStore store = new RdmaKeyValueStore(device, server.address())) {
      assertThat(store.put(1, bytes("one"))).isTrue();
      assertThat(store.put(2, bytes("two"))).isTrue();
      Thread.currentThread().interrupt();
      assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(() -> store.get(1));
      assertThat(Thread.interrupted()).isTrue();
      for (int i = 0; i < 100; i++) {
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> store.get(2));
      }
    }
  }

  @Test
  void clientsAndServersThatFailToStartLeaveNoObjects(@Rdma Device device) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      InetSocketAddress address = (InetSocketAddress) taken.getLocalSocketAddress();
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> new KeyValueServer(device, address, BUCKETS));
      assertThat(device.openObjects()).isEmpty();
      taken.close();
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> new RdmaKeyValueStore(device, address));
      assertThat(device.openObjects()).isEmpty();
    }
  }

  @Test
  void theSameOverTcpGivesTheSameAnswers() throws Exception {
    try (TcpKeyValueServer server = new TcpKeyValueServer(ANY_PORT, false);
        KeyValueStore store = new TcpKeyValueStore(server.address(), false)) {
      new RandomOperations(store, 1, 100, 1, 1).run(1000);
      refusesKey0AndLongValues(store);
    }
  }

  @Test
  void aWrongAnswerIsNoticed() throws Exception {
    try (TcpKeyValueServer server = new TcpKeyValueServer(ANY_PORT, false);
        KeyValueStore store = new TcpKeyValueStore(server.address(), false)) {
      new RandomOperations(store, 1, 100, 1, 1).run(1000);
      // To this one, all that is there is unexpected.
      RandomOperations random = new RandomOperations(store, 2, 100, 1, 1);
      assertThatIllegalStateException()
          .isThrownBy(() -> random.run(1000))
          .withMessageContaining("has a wrong answer");
    }
  }
}
