package dev.bluebell.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A peer that ends amid a message; the device works only when the test steps it. */
class EndedAmidAMessageTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** It loses some packets of each long message. */
  private final SoftNic nic =
      SoftNic.open(
          SoftNicOptions.DEFAULT
              .withEngine(EngineMode.STEPPED)
              .withClock(new ManualClock())
              .withMtu(256)
              .withLoss(LossOptions.none(3).withLoss(0.3)));

  private final HcaDiagnosis diagnosis = nic.diagnosis().orElseThrow();
  private final Device device = Device.over(nic);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(16);
  private final MemoryRegion message = domain.allocate(Messages.BYTES);
  private final EventLoop loop =
      new EventLoop(device, domain, new LastReceives(device, PATIENCE), "loop", 8, failure -> {});
  private final Semaphore busy = new Semaphore(0);
  private final Semaphore free = new Semaphore(0);
  private final Busy handler = new Busy();

  @AfterEach
  void close() {
    free.release();
    loop.close();
    device.close();
  }

  /** Keeps the loop busy with each message. */
  private final class Busy implements EventLoop.Handler {
    @Override
    public void received(ByteBuffer message) {
      busy.release();
      free.acquireUninterruptibly();
    }

    @Override
    public void completed(long id) {
      // It sends nothing.
    }

    @Override
    public void failed(String reason) {
      // Its peer is about to end.
    }
  }

  private RcQueuePair sender(RcQueuePair to) {
    RcQueuePair from = domain.rcQueuePair(completions).create();
    from.connect(to.endpoint());
    to.connect(from.endpoint());
    return from;
  }

  private boolean isAvailable(int receives) {
    String text = ", %d available".formatted(receives);
    return diagnosis.objects().stream().anyMatch(line -> line.contains(text));
  }

  private void awaitAvailable(int receives) {
    long start = System.nanoTime();
    while (!isAvailable(receives)) {
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PATIENCE);
    }
  }

  /** Sends messages until the network does not lose the beginning of one; its sender then ends. */
  private RcQueuePair receiver(int bytes, int available) {
    RcQueuePair receiver;
    do {
      receiver = loop.create();
      loop.add(receiver, handler);
      RcQueuePair sender = sender(receiver);
      sender.send().gather(message, 0, bytes).signaled(1);
      sender.ringDoorbell();
      while (!isAvailable(available) && nic.step() > 0) {
        Thread.onSpinWait();
      }
      sender.close();
      nic.settle();
    } while (!isAvailable(available));
    return receiver;
  }

  @Test
  void theReceiveOfTheMessageIsPostedAgain() throws InterruptedException {
    loop.start();
    awaitAvailable(256);
    RcQueuePair unused = receiver(1, 255);
    busy.acquire();
    RcQueuePair second = receiver(Messages.BYTES, 254);
    Thread closing =
        new Thread(
            () -> {
              loop.remove(second, handler);
              second.close();
            });
    closing.start();
    while (closing.isAlive() && !isWaiting(closing)) {
      Thread.onSpinWait();
    }
    free.release();
    while (closing.isAlive() && closing.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    while (closing.isAlive()) {
      nic.settle();
    }
    awaitAvailable(256);
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }
}
