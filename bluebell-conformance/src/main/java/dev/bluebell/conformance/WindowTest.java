package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.IndirectRegion;
import dev.bluebell.verbs.MemoryWindow;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import dev.bluebell.verbs.WindowRights;
import dev.bluebell.verbs.WindowType;
import dev.bluebell.verbs.WorkOpcode;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory windows and regions of other regions, through the driver. */
@Conformance
@Needs("imaicl")
class WindowTest {
  private static final int BYTES = 4096;
  private static final WindowRights BOTH = WindowRights.of(Access.REMOTE_READ, Access.REMOTE_WRITE);
  private static final WindowRights ALL =
      WindowRights.of(
          Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);

  /** A window at the right end, and memory at both. */
  private record Scene(Ends ends, MemoryWindow window, Buffer memory, Buffer local) {
    static Scene of(Bench bench, WindowType type) {
      Ends ends = bench.connected();
      return new Scene(
          ends,
          ends.right().domain().allocateWindow(type),
          ends.right().buffer(BYTES, Access.LOCAL_WRITE).fill(1),
          ends.left().buffer(BYTES, Access.LOCAL_WRITE).fill(2));
    }

    RcQueuePair owner() {
      return ends.right().queuePair();
    }

    int bind(long offset, long length) {
      int key = owner().bind(window, memory.region(), offset, length, BOTH).signaled(7);
      assertThat(ends.right().complete(7).opcode()).isEqualTo(WorkOpcode.BIND_WINDOW);
      return key;
    }

    void invalidate() {
      owner().invalidate(window).signaled(8);
      assertThat(ends.right().complete(8).opcode()).isEqualTo(WorkOpcode.INVALIDATE_WINDOW);
    }

    Done write(RemoteMemory to, int bytes) {
      ends.left().queuePair().write(to).gather(local.region(), 0, bytes).signaled(1);
      ends.left().queuePair().ringDoorbell();
      return ends.left().awaitOne();
    }

    Done read(RemoteMemory from, int bytes) {
      ends.left().queuePair().read(from).scatter(local.region(), 0, bytes).signaled(2);
      ends.left().queuePair().ringDoorbell();
      return ends.left().awaitOne();
    }
  }

  @ParameterizedTest
  @EnumSource(WindowType.class)
  @ExpectsRefusal
  void aWindowIsBoundUsedAndEnded(WindowType type, Bench bench) {
    Scene scene = Scene.of(bench, type);
    assertThat(scene.bind(512, 1024)).isEqualTo(scene.window().rkey());
    RemoteMemory remote = scene.window().remote();
    assertThat(remote.length()).isEqualTo(1024);
    scene.write(remote.slice(8, 100), 100).requireSuccess(1);
    assertThat(scene.memory().bytes(520, 100)).isEqualTo(scene.local().bytes(0, 100));
    scene.read(remote.slice(924, 100), 100).requireSuccess(2);
    assertThat(scene.local().bytes(0, 100)).isEqualTo(scene.memory().bytes(1436, 100));
    scene.invalidate();
    assertThat(scene.window().isBound()).isFalse();
    scene
        .write(remote, 8)
        .require(1, CompletionStatus.REMOTE_ACCESS_ERROR)
        .requireExplained(bench, "rkey 0x%x".formatted(remote.rkey()));
  }

  @Test
  @ExpectsRefusal
  void eachBindHandsOutAnotherKeyAndAnEarlierOneIsRefused(Bench bench) {
    Scene scene = Scene.of(bench, WindowType.TYPE_2);
    int first = scene.bind(0, 64);
    RemoteMemory stale = scene.window().remote();
    scene.invalidate();
    assertThat(scene.bind(0, 64)).isNotEqualTo(first);
    scene.write(scene.window().remote(), 64).requireSuccess(1);
    scene.write(stale, 64).require(1, CompletionStatus.REMOTE_ACCESS_ERROR);
  }

  @Test
  void aWindowOfTypeOneIsBoundAgainWhileItIsBound(Bench bench) {
    Scene scene = Scene.of(bench, WindowType.TYPE_1);
    scene.bind(0, 64);
    scene.bind(64, 64);
    scene.write(scene.window().remote(), 64).requireSuccess(1);
    assertThat(scene.memory().bytes(64, 64)).isEqualTo(scene.local().bytes(0, 64));
  }

  @Test
  void aZeroBasedWindowIsNamedFromZero(Bench bench) {
    Scene scene = Scene.of(bench, WindowType.TYPE_2);
    int key =
        scene
            .owner()
            .bindZeroBased(scene.window(), scene.memory().region(), 100, 200, BOTH)
            .unsignaled(1);
    assertThat(scene.window().rkey()).isEqualTo(key);
    scene.owner().nop().signaled(2);
    scene.ends().right().complete(2);
    assertThat(scene.window().remote().address()).isZero();
    scene.write(scene.window().remote().slice(150, 50), 50).requireSuccess(1);
    assertThat(scene.memory().bytes(250, 50)).isEqualTo(scene.local().bytes(0, 50));
  }

  @Test
  @ExpectsRefusal
  void aPeerEndsAWindowBySendWithInvalidate(Bench bench) {
    Scene scene = Scene.of(bench, WindowType.TYPE_2);
    int key = scene.bind(0, 64);
    RemoteMemory remote = scene.window().remote();
    scene.ends().right().receiveNothing(1, 5);
    scene.ends().left().queuePair().sendInvalidate(key).signaled(3);
    scene.ends().left().complete(3);
    assertThat(scene.ends().right().awaitSuccess(5).hasInvalidatedRkey()).isTrue();
    assertThatThrownBy(() -> scene.window().invalidatedByPeer(key + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the peer invalidated key");
    scene.window().invalidatedByPeer(key);
    assertThat(scene.window().isBound()).isFalse();
    scene.bind(64, 64);
    scene.write(scene.window().remote(), 64).requireSuccess(1);
    scene.write(remote, 64).require(1, CompletionStatus.REMOTE_ACCESS_ERROR);
  }

  @Test
  void invalidBindsAreRefusedBeforeTheyArePosted(Bench bench) {
    Scene scene = Scene.of(bench, WindowType.TYPE_2);
    RcQueuePair owner = scene.owner();
    MemoryWindow window = scene.window();
    assertThatThrownBy(() -> owner.invalidate(window).signaled(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is not bound");
    assertThatThrownBy(window::remote).hasMessageContaining("is not bound");
    assertThatThrownBy(
            () -> owner.bind(window, scene.memory().region(), BYTES - 8, 9, BOTH).signaled(1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> owner.bind(window, scene.memory().region(), 0, 0, BOTH).signaled(1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 2^31 bytes");
    Buffer closed = scene.ends().right().buffer(64);
    Buffer readable = new Buffer(scene.ends().right().domain().allocate(64));
    assertThatThrownBy(() -> owner.bind(window, readable.region(), 0, 64, BOTH).signaled(1))
        .hasMessageContaining("without LOCAL_WRITE");
    closed.region().close();
    assertThatThrownBy(() -> owner.bind(window, closed.region(), 0, 64, BOTH).signaled(1))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> owner.bind(window, scene.local().region(), 0, 64, BOTH).signaled(1))
        .hasMessageContaining("use one domain for both");
    assertThatThrownBy(
            () ->
                scene
                    .ends()
                    .left()
                    .queuePair()
                    .bind(window, scene.local().region(), 0, 64, BOTH)
                    .signaled(1))
        .hasMessageContaining("use one domain for both");
    scene.bind(0, 64);
    assertThatThrownBy(() -> owner.bind(window, scene.memory().region(), 0, 64, BOTH).signaled(1))
        .hasMessageContaining("must be invalidated before it is bound again");
    assertThatThrownBy(() -> WindowRights.of(Access.REMOTE_INVALIDATE))
        .isInstanceOf(IllegalArgumentException.class);
    scene.write(scene.window().remote(), 64).requireSuccess(1);
    window.close();
    assertThatThrownBy(() -> owner.invalidate(window).signaled(1)).hasMessageContaining("closed");
  }

  @Test
  void aWindowIsInvalidatedOnTheQueuePairThatBoundIt(Bench bench) {
    ProtectionDomain domain = bench.domain();
    var completions = bench.device().createCompletionQueue(64);
    try (RcQueuePair one = domain.rcQueuePair(completions).create();
        RcQueuePair other = domain.rcQueuePair(completions).create();
        MemoryWindow window = domain.allocateWindow(WindowType.TYPE_2)) {
      Bench.connect(one, other);
      Buffer memory = new Buffer(domain.allocate(64, Access.LOCAL_WRITE));
      int key = one.bind(window, memory.region(), 0, 64, BOTH).unsignaled(1);
      assertThat(key).isEqualTo(window.rkey());
      assertThatThrownBy(() -> other.invalidate(window).signaled(2))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("was bound through QP 0x%x".formatted(one.number()));
      one.invalidate(window).signaled(3);
      assertThat(one.pending().sends()).containsExactly(1, 3);
      one.ringDoorbell();
      bench.await(completions, 1).getFirst().requireSuccess(3);
    }
  }

  @Test
  void refreshRestoresTheWindowsStateAfterAFailure(Bench bench) {
    Scene scene = Scene.of(bench, WindowType.TYPE_2);
    scene.bind(0, 64);
    scene.owner().toError();
    scene.owner().invalidate(scene.window()).signaled(1);
    scene.owner().ringDoorbell();
    Done flushed = scene.ends().right().awaitOne();
    flushed.require(1, CompletionStatus.WORK_REQUEST_FLUSHED);
    assertThat(flushed.opcode()).isEqualTo(WorkOpcode.INVALIDATE_WINDOW);
    assertThat(scene.window().isBound()).isFalse();
    scene.window().refresh();
    assertThat(scene.window().isBound()).isTrue();
    assertThat(scene.window().remote().length()).isEqualTo(64);
  }

  // ---- regions of other regions

  @Test
  void aListIsOneRegionForRequestsOfBothEnds(Bench bench) {
    Scene scene = Scene.of(bench, WindowType.TYPE_2);
    ProtectionDomain domain = scene.ends().right().domain();
    try (IndirectRegion list = domain.allocateIndirect(3)) {
      scene
          .owner()
          .layoutList(list, ALL)
          .piece(scene.memory().region(), 0, 10)
          .piece(scene.memory().region(), 1000, 100)
          .piece(scene.memory().region(), 500, 1)
          .signaled(4);
      assertThat(scene.ends().right().complete(4).opcode()).isEqualTo(WorkOpcode.UMR);
      assertThat(list.length()).isEqualTo(111);
      scene.write(list.remote(), 111).requireSuccess(1);
      byte[] data = scene.local().bytes(0, 111);
      assertThat(scene.memory().bytes(0, 10)).isEqualTo(Arrays.copyOf(data, 10));
      assertThat(scene.memory().bytes(1000, 100)).isEqualTo(Arrays.copyOfRange(data, 10, 110));
      assertThat(scene.memory().bytes(500, 1)).isEqualTo(Arrays.copyOfRange(data, 110, 111));
      scene.ends().left().receive(scene.local(), 2000, 50, 6);
      scene.owner().send().gather(5, 50, list.lkey()).signaled(9);
      scene.ends().right().complete(9);
      scene.ends().left().awaitSuccess(6);
      assertThat(scene.local().bytes(2000, 50)).isEqualTo(Arrays.copyOfRange(data, 5, 55));
    }
  }

  @Test
  void anInterleavedLayoutTakesPiecesInTurns(Bench bench) {
    Scene scene = Scene.of(bench, WindowType.TYPE_2);
    try (IndirectRegion region = scene.ends().right().domain().allocateIndirect(3)) {
      scene
          .owner()
          .layoutInterleaved(region, 8, ALL)
          .piece(scene.memory().region(), 0, 4, 60)
          .piece(scene.memory().region(), 2048, 16, 0)
          .signaled(4);
      scene.ends().right().complete(4);
      assertThat(region.length()).isEqualTo(8 * 20);
      scene.read(region.remote(), 160).requireSuccess(2);
      for (int turn = 0; turn < 8; turn++) {
        assertThat(scene.local().bytes(20L * turn, 4))
            .isEqualTo(scene.memory().bytes(64L * turn, 4));
        assertThat(scene.local().bytes(20L * turn + 4, 16))
            .isEqualTo(scene.memory().bytes(2048 + 16L * turn, 16));
      }
    }
  }

  @Test
  void aLayoutAndItsUseMayBePostedTogether(Bench bench) {
    Scene scene = Scene.of(bench, WindowType.TYPE_2);
    ProtectionDomain domain = scene.ends().left().domain();
    RcQueuePair queue = scene.ends().left().queuePair();
    Buffer target = scene.ends().right().buffer(BYTES);
    try (IndirectRegion inner = domain.allocateIndirect(1);
        IndirectRegion outer = domain.allocateIndirect(2)) {
      for (int i = 0; i < 20; i++) {
        queue.layoutList(inner, ALL).piece(scene.local().region(), i, 64).unsignaled(1);
        queue.layoutList(outer, ALL).piece(inner, 8, 16).piece(inner, 0, 8).unsignaled(2);
        queue.write(target.address(0), target.rkey()).gather(0, 24, outer.lkey()).signaled(3 + i);
        scene.ends().left().complete(3 + i);
        assertThat(target.bytes(0, 16)).isEqualTo(scene.local().bytes(i + 8, 16));
        assertThat(target.bytes(16, 8)).isEqualTo(scene.local().bytes(i, 8));
      }
    }
  }

  @Test
  @ExpectsRefusal
  void theRightsOfALayoutChangeAlone(Bench bench) {
    Scene scene = Scene.of(bench, WindowType.TYPE_2);
    try (IndirectRegion list = scene.ends().right().domain().allocateIndirect(1)) {
      scene.owner().layoutList(list, ALL).piece(scene.memory().region(), 0, 64).unsignaled(1);
      scene.owner().changeRights(list, WindowRights.of(Access.REMOTE_READ)).fence().signaled(2);
      scene.ends().right().complete(2);
      assertThat(list.length()).isEqualTo(64);
      scene.read(list.remote(), 64).requireSuccess(2);
      scene.write(list.remote(), 64).require(1, CompletionStatus.REMOTE_ACCESS_ERROR);
    }
  }

  @Test
  void anInvalidLayoutIsRefusedBeforeItIsPosted(Bench bench) {
    Scene scene = Scene.of(bench, WindowType.TYPE_2);
    ProtectionDomain domain = scene.ends().right().domain();
    RcQueuePair queue = scene.owner();
    var region = scene.memory().region();
    assertThatThrownBy(() -> domain.allocateIndirect(0)).hasMessageContaining("1 to 52 pieces");
    assertThatThrownBy(() -> domain.allocateIndirect(53)).hasMessageContaining("1 to 52 pieces");
    try (IndirectRegion two = domain.allocateIndirect(2)) {
      assertThatThrownBy(() -> queue.layoutList(two, ALL).piece(region, BYTES, 1).signaled(1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(
              () ->
                  queue
                      .layoutList(two, ALL)
                      .piece(region, 0, 1)
                      .piece(region, 0, 1)
                      .piece(region, 0, 1)
                      .signaled(1))
          .hasMessageContaining("has room for 2 pieces");
      assertThatThrownBy(
              () ->
                  queue
                      .layoutInterleaved(two, 2, ALL)
                      .piece(region, 0, 1, 1)
                      .piece(region, 0, 1, 1)
                      .signaled(1))
          .hasMessageContaining("the head of an interleaved layout counts as one");
      assertThatThrownBy(
              () -> queue.layoutInterleaved(two, 0, ALL).piece(region, 0, 1, 1).signaled(1))
          .hasMessageContaining("at least 1 turn");
      assertThatThrownBy(
              () -> queue.layoutInterleaved(two, 65, ALL).piece(region, 0, 32, 32).signaled(1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(
              () -> queue.layoutInterleaved(two, 1, ALL).piece(0, 65535, 1, 0).signaled(1))
          .hasMessageContaining("at most 65535");
      assertThat(two.length()).isZero();
      scene.bind(0, 64);
    }
  }
}
