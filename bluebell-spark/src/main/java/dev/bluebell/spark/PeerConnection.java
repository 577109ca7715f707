package dev.bluebell.spark;

import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaClient;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.hca.HcaException;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.RcQueuePair;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue pair to an executor whose blocks are read. All threads post under the lock of the
 * connection: tasks, the loop's thread after completions, and the threads that allocate memory.
 */
final class PeerConnection implements EventLoop.Handler {
  private static final Logger LOG = LoggerFactory.getLogger("dev.bluebell.spark");
  private static final int WINDOW = BlockServer.WINDOW;

  /** The id of requests that are not READs. */
  private static final long CONTROL = Long.MAX_VALUE;

  private final ShuffleNode node;
  private final String peer;
  private final BiConsumer<Fetch, String[]> fallback;
  private final MemoryRegion questions;
  private final RdmaConnection connection;
  private final RcQueuePair queuePair;

  /** The fetches that the peer was asked for, by the number of the request. */
  private final @Nullable Fetch[] asked = new @Nullable Fetch[WINDOW];

  private final Queue<Fetch> waiting = new ArrayDeque<>();
  private final Queue<Integer> reading = new ArrayDeque<>();
  private final Queue<Integer> releases = new ArrayDeque<>();
  private boolean ended;

  /** Time when the peer last made progress, or when it was first asked after being idle. */
  private long active;

  /**
   * Connects. The caller has reserved room for the queue pair; the end of the connection gives it
   * back.
   *
   * @param fallback receives each fetch that could not be read, with the ids of its remaining
   *     blocks
   */
  PeerConnection(
      ShuffleNode node,
      String peer,
      RdmaClient client,
      byte[] token,
      BiConsumer<Fetch, String[]> fallback)
      throws IOException {
    this.node = node;
    this.peer = peer;
    this.fallback = fallback;
    questions = node.domain().allocate((long) WINDOW * Messages.BYTES);
    RcQueuePair created = null;
    try {
      created = node.fetching().create();
      RcQueuePair lent = LentQueuePair.of(created, closing(node, created));
      // The peer sends nothing before it is asked, and it is not asked before this constructor
      // returns.
      connection = client.connect(() -> lent, new Offer(token, List.of()));
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      if (created != null) {
        created.close();
      }
      questions.close();
      throw e;
    }
    queuePair = created;
    node.fetching().add(queuePair, this);
    node.counters().connected();
    CompletableFuture<Void> unused =
        connection.ended().thenAccept(how -> end("the connection ended: " + how));
  }

  private Runnable closing(ShuffleNode node, RcQueuePair queuePair) {
    return () -> {
      node.fetching().remove(queuePair, this);
      queuePair.close();
    };
  }

  synchronized boolean isOpen() {
    return !ended;
  }

  /** Runs an action when the connection has ended, or at once if it has. Any thread. */
  void whenEnded(Runnable action) {
    CompletableFuture<Void> unused = connection.ended().thenRun(action);
  }

  /** Starts to read; false, without any effect, when the connection has ended. */
  synchronized boolean start(Fetch fetch) {
    if (ended || node.isLost()) {
      return false;
    }
    if (isIdle()) {
      active = System.nanoTime();
    }
    waiting.add(fetch);
    post();
    return true;
  }

  /**
   * Posts as many requests as there is room for. The caller holds the lock, and may still have
   * blocks to deliver: so a failure ends the connection and does not throw.
   */
  private void post() {
    try {
      postAll();
    } catch (HcaException | IllegalStateException | IllegalArgumentException e) {
      failed(String.valueOf(e.getMessage()));
    }
  }

  private void postAll() {
    try {
      while (!releases.isEmpty() && queuePair.hasRoom()) {
        byte[] release = Messages.release(releases.remove());
        queuePair.send().inline(release, 0, release.length).signaled(CONTROL);
      }
      int slot;
      while (!waiting.isEmpty() && (slot = freeSlot()) >= 0 && queuePair.hasRoom()) {
        Fetch fetch = waiting.remove();
        asked[slot] = fetch;
        int offset = slot * Messages.BYTES;
        ByteBuffer question = questions.segment().asSlice(offset, Messages.BYTES).asByteBuffer();
        Messages.putLocate(question, slot, fetch.blocks());
        queuePair.send().gather(questions, offset, question.position()).signaled(CONTROL);
      }
      while (!reading.isEmpty() && queuePair.hasRoom()) {
        int request = reading.element();
        Fetch fetch = fetch(request);
        int block = fetch.next++;
        Messages.Place place = fetch.places().get(block);
        queuePair
            .read(place.address(), place.rkey())
            .scatter(fetch.region(), fetch.offset(block), place.length())
            .signaled(((long) request << Integer.SIZE) | block);
        if (fetch.next == fetch.places().size()) {
          reading.remove();
        }
      }
      queuePair.ringDoorbell();
    } finally {
      queuePair.handOver();
    }
  }

  private int freeSlot() {
    for (int slot = 0; slot < WINDOW; slot++) {
      if (asked[slot] == null && !releases.contains(slot)) {
        return slot;
      }
    }
    return -1;
  }

  private Fetch fetch(int request) {
    Fetch fetch = request < 0 || request >= WINDOW ? null : asked[request];
    if (fetch == null) {
      throw new IllegalArgumentException("request %d was not made".formatted(request));
    }
    return fetch;
  }

  @Override
  public void received(ByteBuffer message) {
    Messages.Header header = Messages.header(message);
    if (header.type() != Messages.LOCATED) {
      throw new IllegalArgumentException("a peer that is read must send only answers");
    }
    int request = header.request();
    List<Messages.Place> places = header.isRefusal() ? null : Messages.places(header, message);
    Fetch fetch;
    synchronized (this) {
      if (ended) {
        return;
      }
      active = System.nanoTime();
      fetch = fetch(request);
      if (!fetch.places().isEmpty()) {
        throw new IllegalArgumentException("request %d was answered before".formatted(request));
      }
      if (places != null) {
        long bytes = fetch.located(places);
        // Not on this thread: the pool may have to register memory first.
        node.execute(() -> read(request, fetch, bytes));
        return;
      }
      asked[request] = null;
      post();
    }
    fallback.accept(fetch, fetch.unread());
  }

  /** Reads the blocks of a request that was answered. */
  private void read(int request, Fetch fetch, long bytes) {
    MemoryRegion memory = node.buffers().take(Math.max(1, bytes));
    synchronized (this) {
      if (ended) {
        // end() has passed the fetch to the fallback.
        if (memory != null) {
          node.buffers().giveBack(memory);
        }
        return;
      }
      if (memory != null) {
        fetch.readInto(new BlockBuffer(node.buffers(), memory));
        reading.add(request);
        post();
        return;
      }
      asked[request] = null;
      releases.add(request);
      post();
    }
    fallback.accept(fetch, fetch.unread());
  }

  @Override
  public void completed(long id) {
    int block = (int) id;
    Fetch fetch = null;
    boolean isLast = false;
    synchronized (this) {
      if (ended) {
        return;
      }
      if (id != CONTROL) {
        active = System.nanoTime();
        int request = (int) (id >>> Integer.SIZE);
        fetch = fetch(request);
        isLast = fetch.finish(block);
        if (isLast) {
          asked[request] = null;
          releases.add(request);
        } else {
          // Until the block is delivered, its memory must stay, whatever happens to the connection.
          fetch.buffer().retain();
        }
      }
      post();
    }
    if (fetch != null) {
      fetch.deliver(block, node.counters());
      if (isLast) {
        fetch.end(peer);
      } else {
        fetch.buffer().release();
      }
    }
  }

  @Override
  public void failed(String why) {
    node.execute(() -> end(why));
  }

  /** A peer, or the device of this executor, may be alive but stuck. */
  @Override
  public synchronized void check() {
    Duration timeout = node.settings().timeout();
    if (timeout.isPositive()
        && !ended
        && !isIdle()
        && System.nanoTime() - active > timeout.toNanos()) {
      failed("it did nothing for %d s".formatted(timeout.toSeconds()));
      node.probe();
    }
  }

  private boolean isIdle() {
    return waiting.isEmpty() && Arrays.stream(asked).allMatch(Objects::isNull);
  }

  /** Ends the connection, and passes unread blocks to the fallback. */
  void end(String why) {
    List<Fetch> left;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      node.counters().disconnected();
      LOG.debug("The shuffle connection to {} ended: {}", peer, why);
      left =
          Stream.concat(Arrays.stream(asked).filter(Objects::nonNull), waiting.stream()).toList();
    }
    // First, because closing may wait for a device that does not answer.
    left.forEach(fetch -> fallback.accept(fetch, fetch.unread()));
    boolean isQuiet = close();
    node.fetching().giveBack();
    left.forEach(fetch -> fetch.abandon(isQuiet));
  }

  /** Closes the queue pair; false when the device may still write to the buffers. */
  private boolean close() {
    try {
      connection.close();
      questions.close();
      return true;
    } catch (HcaException | IllegalStateException e) {
      return false;
    }
  }
}
