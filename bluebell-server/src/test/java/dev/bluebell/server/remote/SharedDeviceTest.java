package dev.bluebell.server.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaException;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.DeviceMemory;
import dev.bluebell.verbs.MemoryRegion;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Java clients share the device of a device process. */
class SharedDeviceTest extends Hosted {
  private static final Duration LONG = Duration.ofSeconds(60);

  @ParameterizedTest
  @CsvSource({"SHARED,SHARED", "SHARED,FOREIGN", "FOREIGN,SHARED", "FOREIGN,FOREIGN"})
  void twoClientsWriteSendAndReadEachOthersMemory(Peer.Payload mine, Peer.Payload theirs)
      throws InterruptedException {
    try (Peer left = new Peer(host.name(), mine);
        Peer right = new Peer(host.name(), theirs)) {
      Peer.connect(left, right);
      left.exchange(right, 1);
      right.exchange(left, 2);
    }
    host.expectNothingLeft();
  }

  @Test
  void twoJvmsWriteEachOthersMemory() throws IOException, InterruptedException {
    try (Peer peer = new Peer(host.name(), Peer.Payload.SHARED);
        OtherJvm other = new OtherJvm(host);
        Peer expected = new Peer(host.name(), Peer.Payload.SHARED)) {
      other.connect(peer);
      other.write(peer, 300, 5000);
      expected.fill(OtherJvm.SEED);
      assertThat(peer.bytes(300, 5000)).isEqualTo(expected.bytes(0, 5000));
      peer.fill(7);
      peer.write(other.address(), other.rkey(), 6000);
      peer.awaitSuccess();
      assertThat(other.hash(6000)).isEqualTo(Arrays.hashCode(peer.bytes(0, 6000)));
    }
    host.expectNothingLeft();
  }

  @Test
  @Tag("slow")
  void aKilledClientLeavesNothingAndItsPeerFails() throws IOException, InterruptedException {
    try (Peer peer = new Peer(host.name(), Peer.Payload.SHARED)) {
      int own = host.objects().size();
      try (OtherJvm other = new OtherJvm(host)) {
        other.connect(peer);
        other.kill();
        peer.write(other.address(), other.rkey(), 10);
        assertThat(peer.await()).isNotEqualTo(CompletionStatus.SUCCESS);
      }
      host.awaitObjects(own);
      peer.device().close();
    }
    host.expectNothingLeft();
  }

  @Test
  void theQueuesOfAClientThatEndsGoBeforeKeysThatItMadeLater() throws InterruptedException {
    Hca connection = new SocketProvider().open(host.name()).orElseThrow();
    Peer peer = new Peer(Device.over(connection), Peer.Payload.SHARED);
    MemoryRegion later = peer.register(peer.device().allocateDeviceMemory(64));
    assertThat(later.length()).isEqualTo(64);
    connection.close();
    host.expectNothingLeft();
    assertThat(
            host.flightRecord().stream()
                .flatMap(line -> Stream.of("DESTROY_QP", "DESTROY_MKEY").filter(line::contains)))
        .containsExactly("DESTROY_QP", "DESTROY_MKEY", "DESTROY_MKEY");
  }

  @Test
  void aClientWritesIntoTheDeviceMemoryOfAnother() throws InterruptedException {
    try (Peer left = new Peer(host.name(), Peer.Payload.SHARED);
        Peer right = new Peer(host.name(), Peer.Payload.FOREIGN)) {
      Peer.connect(left, right);
      DeviceMemory memory = right.device().allocateDeviceMemory(5000);
      DeviceMemory other = left.device().allocateDeviceMemory(64);
      MemoryRegion region = right.register(memory);
      left.fill(4);
      left.write(0, region.rkey(), 5000);
      left.awaitSuccess();
      byte[] bytes = new byte[5000];
      memory.copyTo(0, MemorySegment.ofArray(bytes), 0, bytes.length);
      assertThat(bytes).isEqualTo(left.bytes(0, 5000));
      left.write(0, region.rkey(), 5001);
      assertThat(left.await()).isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
      assertThat(other.length()).isEqualTo(64);
      assertThatThrownBy(memory::close).hasMessageContaining("memory");
      region.close();
      memory.close();
    }
    host.expectNothingLeft();
  }

  @ParameterizedTest
  @EnumSource
  void closingInAnyOrderLeavesNothing(Order order) throws InterruptedException {
    Peer left = new Peer(host.name(), Peer.Payload.FOREIGN);
    Peer right = new Peer(host.name(), Peer.Payload.SHARED);
    Peer.connect(left, right);
    left.exchange(right, 3);
    switch (order) {
      case LEFT_FIRST -> {
        left.close();
        right.close();
      }
      case RIGHT_FIRST -> {
        right.close();
        left.close();
      }
      case TWICE -> {
        left.close();
        left.close();
        right.close();
      }
      case QUEUES_FIRST -> {
        left.queuePair().close();
        right.memory().close();
        left.completions().close();
        right.close();
        left.close();
      }
    }
    host.expectNothingLeft();
  }

  /** Orders of closing. */
  enum Order {
    LEFT_FIRST,
    RIGHT_FIRST,
    TWICE,
    QUEUES_FIRST
  }

  @Test
  void aDomainWithMemoryIsBusy() {
    try (Device device = host.open()) {
      Hca hca = new SocketProvider().open(host.name()).orElseThrow();
      var domain = hca.allocateProtectionDomain();
      var memory = hca.registerMemory(domain, hca.allocate(100), 0, 1);
      assertThatThrownBy(domain::close)
          .isInstanceOf(HcaException.class)
          .hasMessageContaining("BUSY");
      memory.close();
      domain.close();
      hca.close();
      assertThat(device.diagnosis().orElseThrow().objects()).isNotNull();
    }
  }

  @Test
  void aQueueInMemoryThatIsNotSharedIsRefused() {
    try (Hca hca = new SocketProvider().open(host.name()).orElseThrow()) {
      assertThatThrownBy(() -> hca.registerUmem(Arena.ofAuto().allocate(4096, 4096)))
          .isInstanceOf(HcaException.class)
          .hasMessageContaining("Hca.allocate");
    }
  }

  @Test
  void objectsOfAnotherConnectionAreRefused() {
    try (Hca one = new SocketProvider().open(host.name()).orElseThrow();
        Hca other = new SocketProvider().open(host.name()).orElseThrow()) {
      var domain = one.allocateProtectionDomain();
      assertThatThrownBy(() -> other.registerMemory(domain, other.allocate(8), 0, 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void anExplanationReachesTheClientThatFailed() {
    try (Peer left = new Peer(host.name(), Peer.Payload.SHARED);
        Peer right = new Peer(host.name(), Peer.Payload.SHARED)) {
      Peer.connect(left, right);
      left.write(right.memory().address(), right.memory().rkey() + 1, 8);
      String[] why = new String[1];
      long deadline = System.nanoTime() + LONG.toNanos();
      while (left.completions().poll(completion -> why[0] = completion.explanation(), 1) == 0) {
        assertThat(System.nanoTime()).isLessThan(deadline);
      }
      assertThat(why[0]).contains("rkey", "the responder refused it");
      assertThat(left.device().diagnosis().orElseThrow().flightRecord()).isNotEmpty();
    }
  }

  @Test
  void aClientWaitsForCompletionsWithoutSpinning() throws InterruptedException {
    try (Peer left = new Peer(host.name(), Peer.Payload.SHARED);
        Peer right = new Peer(host.name(), Peer.Payload.SHARED)) {
      Peer.connect(left, right);
      left.write(right.memory().address(), right.memory().rkey(), 8);
      assertThat(left.completions().awaitCompletions(LONG)).isTrue();
    }
  }

  @Test
  void anUnservedSocketIsAnErrorWithARemedy() {
    String name = "socket:" + folder.resolve("none.sock");
    assertThatThrownBy(() -> Device.open(name))
        .isInstanceOf(HcaException.class)
        .hasMessageContaining("none.sock")
        .hasMessageContaining("bluebell serve");
    assertThatThrownBy(() -> Device.open("socket:"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("path");
  }

  @Test
  void aPollReportsTheEndOfTheDeviceProcess() throws IOException {
    try (Peer left = new Peer(host.name(), Peer.Payload.SHARED);
        Peer right = new Peer(host.name(), Peer.Payload.FOREIGN)) {
      Peer.connect(left, right);
      host.endServer();
      left.write(right.memory().address(), right.memory().rkey(), 8);
      assertThatThrownBy(left::await)
          .isInstanceOf(HcaException.class)
          .hasMessageContaining(host.socket().toString())
          .hasMessageContaining("bluebell serve");
      assertThatThrownBy(() -> left.device().createCompletionQueue(8))
          .isInstanceOf(HcaException.class);
    }
    assertThat(host.objects()).isEmpty();
  }

  @Test
  void aThreadThatWaitsForEventsNoticesTheEndOfTheDeviceProcess()
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    try (Device device = host.open()) {
      CompletableFuture<AsyncEvent> event = new CompletableFuture<>();
      Thread waiter =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      event.complete(device.awaitEvent(LONG));
                    } catch (InterruptedException e) {
                      event.completeExceptionally(e);
                    }
                  });
      host.endServer();
      assertThat(event.get(LONG.toSeconds(), TimeUnit.SECONDS).type())
          .isEqualTo(AsyncEvent.Type.DEVICE_FATAL);
      waiter.join();
    }
  }

  @Test
  void aThreadThatWaitsForCompletionsNoticesTheEndOfTheDeviceProcess() throws IOException {
    try (Peer peer = new Peer(host.name(), Peer.Payload.SHARED)) {
      host.endServer();
      assertThatThrownBy(() -> peer.completions().awaitCompletions(LONG))
          .isInstanceOf(HcaException.class)
          .hasMessageContaining("has ended");
    }
  }

  @Test
  void aRegionThatTheClientDoesNotHaveIsRefused() {
    try (Hca hca = new SocketProvider().open(host.name()).orElseThrow()) {
      var domain = hca.allocateProtectionDomain();
      var wild = MemorySegment.ofAddress(4096).reinterpret(100);
      assertThatThrownBy(() -> hca.registerMemory(domain, wild, 0, 1))
          .isInstanceOf(HcaException.class)
          .hasMessageContaining("can't reach 100 bytes at 0x1000");
    }
  }

  @Test
  @Tag("slow")
  void memoryThatNothingRefersToIsGivenBack() {
    // A client shares 16384 pieces at a time at most.
    try (Hca hca = new SocketProvider().open(host.name()).orElseThrow()) {
      for (int i = 0; i < 17000; i++) {
        assertThat(hca.allocate(8).byteSize()).isEqualTo(8);
      }
    }
  }
}
