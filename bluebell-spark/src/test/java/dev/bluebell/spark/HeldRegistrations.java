package dev.bluebell.spark;

import dev.bluebell.hca.ChangingHca;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.softnic.SoftNicProvider;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;

/** A software device that registers memory only when the test allows it, if at all. */
final class HeldRegistrations extends ChangingHca {
  private final CountDownLatch held = new CountDownLatch(1);
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private volatile boolean isStopped;
  private volatile boolean isRefused;
  private volatile boolean isExhausted;
  private volatile boolean isKept;

  /**
   * @param name of a software device
   */
  HeldRegistrations(String name) {
    super(new SoftNicProvider().open(name).orElseThrow());
  }

  /** Holds registrations from now on. Call it once. */
  void hold() {
    gate = new CountDownLatch(1);
  }

  /** Waits until a registration is held. */
  void awaitHeld() throws InterruptedException {
    held.await();
  }

  /** Lets the registrations continue. */
  void let() {
    gate.countDown();
  }

  /** Answers nothing from now on, until {@link #let}. */
  void stop() {
    hold();
    change(CommandOpcode.QP_2ERR, command -> await());
    isStopped = true;
  }

  @Override
  public HcaPort queryPort(int port) {
    if (isStopped) {
      await();
    }
    return super.queryPort(port);
  }

  private void await() {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether they are refused from now on. */
  void refuse(boolean refused) {
    isRefused = refused;
  }

  /** Lets the next registration fail because this JVM is out of memory. */
  void exhaust() {
    isExhausted = true;
  }

  /** Lets the next deregistration fail. */
  void keep() {
    isKept = true;
  }

  /** Memory whose registration does not end when {@link #keep} says so. */
  private final class KeptMemory implements HcaMemory {
    private final HcaMemory target;

    KeptMemory(HcaMemory target) {
      this.target = target;
    }

    @Override
    public int lkey() {
      return target.lkey();
    }

    @Override
    public int rkey() {
      return target.rkey();
    }

    @Override
    public void close() {
      if (isKept) {
        isKept = false;
        throw new HcaException("no memory is deregistered", new byte[0]);
      }
      target.close();
    }
  }

  @Override
  public HcaMemory registerMemory(
      HcaObject domain, MemorySegment memory, long address, int access) {
    if (gate.getCount() > 0) {
      held.countDown();
      await();
    }
    if (isRefused) {
      throw new HcaException("no memory is registered", new byte[0]);
    }
    if (isExhausted) {
      isExhausted = false;
      throw new OutOfMemoryError("no memory is left");
    }
    return new KeptMemory(super.registerMemory(domain, memory, address, access));
  }
}
