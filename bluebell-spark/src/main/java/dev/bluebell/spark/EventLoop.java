package dev.bluebell.spark;

import dev.bluebell.hca.HcaException;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.SharedReceiveQueue;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * A thread that handles the completions of many queue pairs, which receive from one shared receive
 * queue. It sleeps while nothing completes.
 */
final class EventLoop implements AutoCloseable {
  /** Maximum number of outstanding requests and messages of a queue pair. */
  static final int SEND_QUEUE = 64;

  private static final int RECEIVES = 256;
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final ProtectionDomain domain;
  private final LastReceives lastReceives;
  private final CompletionQueue completions;
  private final SharedReceiveQueue receives;

  /** The memory of the receives: each has a slot for one message. */
  private final MemoryRegion slots;

  private final Map<Integer, Handler> handlers = new ConcurrentHashMap<>();

  /** Threads in {@link #remove} that wait until the loop has polled. */
  private final Queue<CompletableFuture<Void>> leaving = new ConcurrentLinkedQueue<>();

  private final Semaphore room;
  private final Thread thread;
  private final Consumer<Throwable> failure;
  private volatile boolean isOver;

  /** Handles the completions of a queue pair. Only the loop's thread calls it. */
  interface Handler {
    /**
     * @param message valid during the call
     */
    void received(ByteBuffer message);

    void completed(long id);

    void failed(String reason);

    /** About once a second. */
    default void check() {
      // No timeout by default.
    }
  }

  /**
   * @param lastReceives shared by all loops of the device
   * @param maxConnections maximum number of reservations; the completion queue has entries for so
   *     many queue pairs
   * @param failure called once, by the thread, when it ends because the device has failed
   */
  EventLoop(
      Device device,
      ProtectionDomain domain,
      LastReceives lastReceives,
      String name,
      int maxConnections,
      Consumer<Throwable> failure) {
    this.domain = domain;
    this.lastReceives = lastReceives;
    this.failure = failure;
    room = new Semaphore(maxConnections);
    completions = device.createCompletionQueue(RECEIVES + 2 * SEND_QUEUE * maxConnections);
    receives = domain.sharedReceiveQueue().requests(RECEIVES).create();
    slots = domain.allocate((long) RECEIVES * Messages.BYTES, Access.LOCAL_WRITE);
    thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Reserves room for a queue pair that will be created; false when there is none. */
  boolean reserve() {
    return room.tryAcquire();
  }

  /** Gives a reservation back, after its queue pair was removed or could not be created. */
  void giveBack() {
    room.release();
  }

  /**
   * Creates a queue pair, for a reservation, that receives from this loop's queue. None of its
   * requests completes before it is connected.
   */
  RcQueuePair create(Access... rightsOfPeer) {
    RcQueuePair queuePair =
        domain
            .rcQueuePair(completions)
            .sendQueue(SEND_QUEUE)
            .receiveFrom(receives)
            .access(rightsOfPeer)
            .create();
    lastReceives.forget(queuePair.number());
    return queuePair;
  }

  void add(RcQueuePair queuePair, Handler handler) {
    handlers.put(queuePair.number(), handler);
  }

  /**
   * Takes a queue pair out of the loop before the caller closes it: moves it to the error state,
   * and waits until the loop has polled its messages, of which the peer may have sent the last one
   * in part. Otherwise their slots would be lost, because a poll skips the completions of a closed
   * queue pair. Its handler is not called any more. If the queue pair is closed already, another
   * one may have its number, and keeps its own handler.
   *
   * <p>Not for the loop's thread. The caller makes sure that no other thread posts to the queue
   * pair.
   */
  void remove(RcQueuePair queuePair, Handler handler) {
    boolean unused = handlers.remove(queuePair.number(), handler);
    CompletableFuture<Void> polled = new CompletableFuture<>();
    try {
      queuePair.toError();
      lastReceives.await(queuePair.number());
    } catch (HcaException | IllegalStateException e) {
      // It is closed, or its device is lost.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    leaving.add(polled);
    if (isOver) {
      polled.complete(null);
    }
    wake(queuePair);
    polled.join();
  }

  /** Lets a request of a queue pair complete; otherwise the loop may sleep for its patience. */
  private static void wake(RcQueuePair queuePair) {
    try {
      if (queuePair.hasRoom()) {
        queuePair.nop().signaled(0);
        queuePair.ringDoorbell();
        queuePair.handOver();
      }
    } catch (HcaException | IllegalStateException e) {
      // It is closed, its device is lost, or another thread has failed to post.
    }
  }

  private void run() {
    try {
      for (int slot = 0; slot < RECEIVES; slot++) {
        post(slot);
      }
      receives.ringDoorbell();
      long checked = System.nanoTime();
      while (true) {
        if (leaving.isEmpty()) {
          boolean unused = completions.awaitCompletions(PATIENCE);
        }
        pollAll();
        if (System.nanoTime() - checked >= PATIENCE.toNanos()) {
          handlers.values().forEach(Handler::check);
          checked = System.nanoTime();
        }
      }
    } catch (ClosedException | InterruptedException e) {
      // The executor ends.
    } catch (RuntimeException | Error e) {
      failure.accept(e);
      // Their requests will not complete any more.
      handlers.values().forEach(handler -> handler.failed(String.valueOf(e.getMessage())));
    } finally {
      isOver = true;
      leaving.forEach(polled -> polled.complete(null));
    }
  }

  private void pollAll() {
    // Those that come later may have completions that this poll does not find.
    int leavers = leaving.size();
    if (completions.poll(this::take) > 0) {
      receives.ringDoorbell();
    }
    for (; leavers > 0; leavers--) {
      leaving.remove().complete(null);
    }
  }

  /** Posts a receive; its id is the complement of the slot, and so negative. */
  private void post(int slot) {
    receives.receive().scatter(slots, (long) slot * Messages.BYTES, Messages.BYTES).post(~slot);
  }

  private void take(Completion completion) {
    long id = completion.id();
    Handler handler = handlers.get(completion.queuePairNumber());
    if (handler != null) {
      try {
        pass(completion, handler);
      } catch (RuntimeException | OutOfMemoryError e) {
        // Such as an invalid message, or no thread to answer it.
        handler.failed(String.valueOf(e.getMessage()));
      }
    }
    if (id < 0) {
      post((int) ~id);
    }
  }

  private void pass(Completion completion, Handler handler) {
    long id = completion.id();
    if (!completion.isSuccess()) {
      handler.failed(completion.explanation());
    } else if (id < 0) {
      handler.received(
          slots.segment().asSlice(~id * Messages.BYTES, completion.byteCount()).asByteBuffer());
    } else {
      handler.completed(id);
    }
  }

  /** Ends the thread. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
