package dev.bluebell.spark;

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
import java.util.concurrent.ConcurrentHashMap;
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
  private final CompletionQueue completions;
  private final SharedReceiveQueue receives;
  private final MemoryRegion slots;
  private final Map<Integer, Handler> handlers = new ConcurrentHashMap<>();
  private final Thread thread;
  private final Consumer<RuntimeException> failure;

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
   * @param failure called once, by the thread, when the device has failed
   */
  EventLoop(
      Device device,
      ProtectionDomain domain,
      String name,
      int maxConnections,
      Consumer<RuntimeException> failure) {
    this.domain = domain;
    this.failure = failure;
    completions = device.createCompletionQueue(RECEIVES + 2 * SEND_QUEUE * maxConnections);
    receives = domain.sharedReceiveQueue().requests(RECEIVES).create();
    slots = domain.allocate((long) RECEIVES * Messages.BYTES, Access.LOCAL_WRITE);
    thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /**
   * Creates a queue pair that receives from this loop's queue. None of its requests completes
   * before it is connected.
   */
  RcQueuePair create(Access... rightsOfPeer) {
    return domain
        .rcQueuePair(completions)
        .sendQueue(SEND_QUEUE)
        .receiveFrom(receives)
        .access(rightsOfPeer)
        .create();
  }

  void add(RcQueuePair queuePair, Handler handler) {
    handlers.put(queuePair.number(), handler);
  }

  void remove(RcQueuePair queuePair) {
    handlers.remove(queuePair.number());
  }

  private void run() {
    try {
      for (int slot = 0; slot < RECEIVES; slot++) {
        post(slot);
      }
      receives.ringDoorbell();
      long checked = System.nanoTime();
      while (true) {
        if (completions.awaitCompletions(PATIENCE) && completions.poll(this::take) > 0) {
          receives.ringDoorbell();
        }
        if (System.nanoTime() - checked >= PATIENCE.toNanos()) {
          handlers.values().forEach(Handler::check);
          checked = System.nanoTime();
        }
      }
    } catch (ClosedException | InterruptedException e) {
      // The executor ends.
    } catch (RuntimeException e) {
      failure.accept(e);
      // Their requests will not complete any more.
      handlers.values().forEach(handler -> handler.failed(String.valueOf(e.getMessage())));
    }
  }

  private void post(int slot) {
    receives
        .receive()
        .scatter(slots, (long) slot * Messages.BYTES, Messages.BYTES)
        .post(-1L - slot);
  }

  private void take(Completion completion) {
    long id = completion.id();
    Handler handler = handlers.get(completion.queuePairNumber());
    try {
      if (handler != null) {
        pass(completion, handler);
      }
    } catch (RuntimeException e) {
      handler.failed(String.valueOf(e.getMessage()));
    }
    if (id < 0) {
      post((int) (-1 - id));
    }
  }

  private void pass(Completion completion, Handler handler) {
    long id = completion.id();
    if (!completion.isSuccess()) {
      handler.failed(completion.explanation());
    } else if (id < 0) {
      handler.received(
          slots
              .segment()
              .asSlice((-1 - id) * Messages.BYTES, completion.byteCount())
              .asByteBuffer());
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
