package dev.bluebell.spark;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The device of this executor: opened when it is first needed, and again after it was lost, at most
 * once per retry interval. Thread-safe.
 */
final class OwnDevice {
  private static final Logger LOG = LoggerFactory.getLogger("dev.bluebell.spark");

  /**
   * Number of lost devices after which an executor opens no more: each keeps its memory until the
   * executor ends.
   */
  private static final int MAX_LOST = 8;

  private final String name;
  private final Opener opener;
  private final Duration patience;
  private final Pause pause;

  /** Nodes whose device was lost; tasks may still hold their blocks. */
  private final List<ShuffleNode> lost = new ArrayList<>();

  private @Nullable ShuffleNode node;

  /** Completes when the latest attempt to open it has ended, or has taken too long. */
  private CompletableFuture<?> attempt = CompletableFuture.completedFuture(true);

  private boolean isOpening;
  private boolean isStopped;

  /** Opens the device. */
  interface Opener {
    ShuffleNode open() throws IOException;
  }

  /**
   * @param name of the device
   * @param patience maximum time that callers wait for the device to open
   */
  OwnDevice(String name, Opener opener, Duration retryInterval, Duration patience) {
    this.name = name;
    this.opener = opener;
    this.patience = patience;
    pause = new Pause(retryInterval);
  }

  /** The node if it is open. */
  synchronized @Nullable ShuffleNode opened() {
    return node;
  }

  /** The node, which the call opens if necessary; null when it cannot be used now. */
  @Nullable ShuffleNode node() {
    Object unused = attempt().join();
    return opened();
  }

  private synchronized CompletableFuture<?> attempt() {
    boolean isLost = node != null && node.isLost() && lost.size() + 1 < MAX_LOST;
    if ((node == null || isLost) && !isOpening && !isStopped && pause.beginUnlessRunning()) {
      if (node != null) {
        lost.add(node);
        node = null;
      }
      isOpening = true;
      CompletableFuture<Boolean> ended = new CompletableFuture<>();
      // A device process that does not answer must not stop the callers.
      Thread.ofPlatform()
          .daemon()
          .name("bluebell-shuffle-open")
          .start(
              () -> {
                open();
                ended.complete(true);
              });
      attempt =
          ended
              .completeOnTimeout(false, patience.toNanos(), TimeUnit.NANOSECONDS)
              .thenAccept(this::warnUnless);
    }
    return attempt;
  }

  private void open() {
    @Nullable ShuffleNode opened = null;
    try {
      opened = opener.open();
    } catch (IOException | RuntimeException | Error e) {
      // Whatever is wrong with the device: the tasks can do without it.
      warn(String.valueOf(e.getMessage()));
    }
    if (!take(opened) && opened != null) {
      opened.close();
    }
  }

  /** Ends an attempt; false when the executor has ended. */
  private synchronized boolean take(@Nullable ShuffleNode opened) {
    isOpening = false;
    if (!isStopped) {
      node = opened;
    }
    return !isStopped;
  }

  private void warnUnless(boolean inTime) {
    if (!inTime) {
      warn("it was not open after %d s; it is used when it is".formatted(patience.toSeconds()));
    }
  }

  private void warn(String why) {
    LOG.warn(
        "Spark's own transfer fetches the shuffle blocks of this executor: device {} can't be"
            + " used: {}",
        name,
        why);
  }

  /** Closes the device. */
  void stop() {
    List<ShuffleNode> nodes;
    synchronized (this) {
      isStopped = true;
      nodes = new ArrayList<>(lost);
      if (node != null) {
        nodes.add(node);
      }
    }
    nodes.forEach(ShuffleNode::close);
  }
}
