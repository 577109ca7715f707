package dev.bluebell.connect;

import dev.bluebell.hca.ForwardingHca;
import dev.bluebell.hca.HcaConnectionManager;
import dev.bluebell.hca.HcaProvider;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** A device whose connection manager reports no event before the test allows it. */
final class HeldEvents extends ForwardingHca {
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch gate = new CountDownLatch(1);

  /**
   * @param name of the device
   */
  HeldEvents(String name) {
    super(HcaProvider.require(name));
  }

  /** Waits until there is an event. */
  void awaitHeld() throws InterruptedException {
    held.await();
  }

  /** Lets the events be reported. */
  void let() {
    gate.countDown();
  }

  @Override
  public Optional<HcaConnectionManager> openConnectionManager() {
    return super.openConnectionManager().map(Holding::new);
  }

  private final class Holding implements HcaConnectionManager {
    private final HcaConnectionManager target;

    Holding(HcaConnectionManager target) {
      this.target = target;
    }

    @Override
    public int write(MemorySegment command) {
      return target.write(command);
    }

    @Override
    public boolean awaitEvent() {
      boolean isOpen = target.awaitEvent();
      held.countDown();
      try {
        gate.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return isOpen;
    }

    @Override
    public void close() {
      target.close();
    }
  }
}
