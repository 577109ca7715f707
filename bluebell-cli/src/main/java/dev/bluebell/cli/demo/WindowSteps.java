package dev.bluebell.cli.demo;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.IndirectRegion;
import dev.bluebell.verbs.MemoryWindow;
import dev.bluebell.verbs.RemoteMemory;
import dev.bluebell.verbs.WindowRights;
import dev.bluebell.verbs.WindowType;

/** Memory windows for peers, and memory in pieces. */
final class WindowSteps {
  /** All rights of windows, except atomics. */
  static final WindowRights RIGHTS =
      WindowRights.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);

  private WindowSteps() {}

  /**
   * The peer writes and reads through a window, while the region's own key remains valid. Then the
   * window is invalidated, and the next request through it is refused.
   */
  static String window(Stage stage) {
    Pair pair = stage.pair();
    Side left = pair.left();
    Side right = pair.right();
    left.fill(0, 512, 80);
    try (MemoryWindow window = stage.domain().allocateWindow(WindowType.TYPE_2)) {
      stage.start();
      int rkey = right.queuePair().bind(window, right.region(), 1024, 512, RIGHTS).signaled(1);
      right.ringAndAwait();
      RemoteMemory lent = window.remote();
      Check.equal("the key of the window", rkey, lent.rkey());
      write(left, lent, 512);
      left.await();
      left.queuePair().read(lent).scatter(left.region(), 1024, 512).signaled(0);
      left.ringAndAwait();
      write(left, right.region().remote().slice(2048, 64), 64);
      left.await();
      right.queuePair().invalidate(window).signaled(2);
      right.ringAndAwait();
      write(left, lent, 8);
      Completion refused = left.awaitAny();
      stage.stop();
      Check.equal(
          "the write after the end", CompletionStatus.REMOTE_ACCESS_ERROR, refused.status());
      right.expect(1024, 512, 80);
      right.expectUntouched(0, 1024);
      right.expectUntouched(1536, 512);
      left.expect(1024, 512, 80);
      right.expect(2048, 64, 80);
    }
    return "512 B, then none";
  }

  /**
   * A WRITE gathers every other block of 64 bytes, and two READs scatter to a list of two pieces.
   */
  static String layouts(Stage stage) {
    Pair pair = stage.pair();
    Side left = pair.left();
    Side right = pair.right();
    try (IndirectRegion blocks = stage.domain().allocateIndirect(2);
        IndirectRegion list = stage.domain().allocateIndirect(3)) {
      for (int i = 0; i < 8; i++) {
        left.fill(128L * i, 64, 81 + i);
      }
      right.fill(4096, 16, 90);
      right.fill(5000, 100, 91);
      stage.start();
      left.queuePair()
          .layoutInterleaved(blocks, 8, RIGHTS)
          .piece(left.region(), 0, 64, 64)
          .unsignaled(1);
      left.queuePair()
          .layoutList(list, RIGHTS)
          .piece(left.region(), 2048, 16)
          .piece(left.region(), 3000, 100)
          .unsignaled(2);
      left.queuePair().write(right.remote(0)).gather(0, 512, blocks.lkey()).unsignaled(3);
      left.queuePair().read(right.remote(4096)).scatter(0, 16, list.lkey()).unsignaled(4);
      left.queuePair().read(right.remote(5000)).scatter(16, 100, list.lkey()).signaled(5);
      left.ringAndAwait();
      stage.stop();
    }
    for (int i = 0; i < 8; i++) {
      right.expect(64L * i, 64, 81 + i);
    }
    left.expect(2048, 16, 90);
    left.expect(3000, 100, 91);
    return "8 x 64 B, 2 pieces";
  }

  private static void write(Side from, RemoteMemory to, int bytes) {
    from.queuePair().write(to).gather(from.region(), 0, bytes).signaled(0);
    from.queuePair().ringDoorbell();
  }
}
