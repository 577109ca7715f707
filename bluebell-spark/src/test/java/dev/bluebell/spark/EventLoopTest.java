package dev.bluebell.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EventLoopTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Messages of a queue pair that closes; five times as many are more than a loop can receive. */
  private static final int MESSAGES = 60;

  private final Device device = Device.open("soft");
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(256);
  private final MemoryRegion message = domain.allocate(Messages.BYTES);
  private final LastReceives last = new LastReceives(device, Duration.ofSeconds(1));
  private final EventLoop loop = new EventLoop(device, domain, last, "loop", 8, failure -> {});

  @BeforeEach
  void start() {
    loop.start();
  }

  @AfterEach
  void close() {
    loop.close();
    device.close();
  }

  /** Handles messages as a test likes. */
  private record Receiving(Runnable action, Runnable failure) implements EventLoop.Handler {
    Receiving(Runnable action) {
      // Its queue pair is being removed.
      this(action, () -> {});
    }

    @Override
    public void received(ByteBuffer message) {
      action.run();
    }

    @Override
    public void completed(long id) {
      // It sends nothing.
    }

    @Override
    public void failed(String reason) {
      failure.run();
    }
  }

  private RcQueuePair sender(RcQueuePair to) {
    RcQueuePair from = domain.rcQueuePair(completions).sendQueue(MESSAGES).create();
    from.connect(to.endpoint());
    to.connect(from.endpoint());
    return from;
  }

  /** Sends messages and waits until they have arrived. */
  private void send(RcQueuePair from, int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      from.send().gather(message, 0, 1).signaled(i);
    }
    from.ringDoorbell();
    int sent = 0;
    while (sent < count) {
      assertThat(completions.awaitCompletions(PATIENCE)).as("the loop can receive").isTrue();
      sent += completions.poll(completion -> assertThat(completion.isSuccess()).isTrue());
    }
  }

  @Test
  void messagesThatAQueuePairReceivedBeforeItClosedKeepNoRoom() throws Exception {
    Semaphore busy = new Semaphore(0);
    Semaphore free = new Semaphore(0);
    RcQueuePair first = loop.create();
    loop.add(
        first,
        new Receiving(
            () -> {
              busy.release();
              free.acquireUninterruptibly();
            }));
    RcQueuePair toFirst = sender(first);
    for (int round = 0; round < 5; round++) {
      send(toFirst, 1);
      busy.acquire();
      RcQueuePair second = loop.create();
      Receiving handler = new Receiving(() -> {});
      loop.add(second, handler);
      try (RcQueuePair toSecond = sender(second)) {
        send(toSecond, MESSAGES);
        Thread closing =
            Thread.ofPlatform()
                .start(
                    () -> {
                      loop.remove(second, handler);
                      second.close();
                    });
        while (closing.isAlive() && closing.getState() != Thread.State.WAITING) {
          Thread.onSpinWait();
        }
        free.release();
        closing.join();
      }
    }
    CountDownLatch received = new CountDownLatch(1);
    RcQueuePair third = loop.create();
    loop.add(third, new Receiving(received::countDown));
    send(sender(third), 1);
    assertThat(received.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aHandlerForWhichThereIsNoMemoryFailsAloneAndTheLoopGoesOn() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    CountDownLatch received = new CountDownLatch(1);
    RcQueuePair first = loop.create();
    loop.add(
        first,
        new Receiving(
            () -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            failed::countDown));
    RcQueuePair second = loop.create();
    loop.add(second, new Receiving(received::countDown));
    send(sender(first), 1);
    assertThat(failed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    send(sender(second), 1);
    assertThat(received.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aLoopThatEndsByAnErrorReportsIt() throws Exception {
    CompletableFuture<Throwable> reported = new CompletableFuture<>();
    EventLoop broken = new EventLoop(device, domain, last, "broken", 1, reported::complete);
    broken.start();
    Error error = new NoClassDefFoundError("a class");
    RcQueuePair queuePair = broken.create();
    broken.add(
        queuePair,
        new Receiving(
            () -> {
              throw error;
            }));
    send(sender(queuePair), 1);
    assertThat(reported).succeedsWithin(PATIENCE).isSameAs(error);
    broken.close();
  }

  /** The number of a queue pair may be in use again before the first one is removed. */
  @Test
  void aHandlerTakesNoOtherOneAwayThatHasItsNumber() throws Exception {
    Receiving first = new Receiving(() -> {});
    CountDownLatch failed = new CountDownLatch(1);
    RcQueuePair queuePair = loop.create();
    RcQueuePair from = sender(queuePair);
    loop.add(queuePair, first);
    loop.add(queuePair, new Receiving(() -> {}, failed::countDown));
    loop.remove(queuePair, first);
    assertThat(failed.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .as("the other handler hears of the failure of its queue pair")
        .isTrue();
    queuePair.close();
    from.close();
  }

  @Test
  void aQueuePairOfALoopThatHasEndedIsRemoved() {
    RcQueuePair queuePair = loop.create();
    RcQueuePair from = sender(queuePair);
    Receiving handler = new Receiving(() -> {});
    loop.add(queuePair, handler);
    loop.close();
    loop.remove(queuePair, handler);
    queuePair.close();
    from.close();
  }
}
