package dev.bluebell.softnic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.Rig;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/** Memory of another process whose page faults may be slow, and a thread that waits for one. */
public final class SlowPage implements HcaForeignMemory, AutoCloseable {
  static final int BYTES = 64;

  private final Rig device;
  private final OtherProcess memory;
  private final HcaMemory key;
  private final Semaphore asked = new Semaphore(0);
  private final Semaphore here = new Semaphore(0);
  private final AtomicBoolean runs = new AtomicBoolean(true);

  /** The thread that runs the device until a copy lasts. */
  private final Thread first =
      Thread.ofPlatform()
          .daemon()
          .unstarted(
              () -> {
                while (runs.get()) {
                  step();
                }
              });

  private volatile boolean slow;
  private volatile boolean waits;
  private int copies;

  /**
   * @param client the client of the device whose memory it is
   */
  public SlowPage(Rig device, Rig client) {
    this.device = device;
    memory = new OtherProcess(client, BYTES);
    key =
        client
            .nic()
            .hosting()
            .orElseThrow()
            .registerMemory(
                client.domain(),
                this,
                OtherProcess.BASE,
                BYTES,
                OtherProcess.BASE,
                HcaAccess.ALL | HcaAccess.RELAXED_ORDERING);
  }

  private void step() {
    device.nic().step();
  }

  public OtherProcess memory() {
    return memory;
  }

  public HcaMemory key() {
    return key;
  }

  /** How many copies began. */
  public int copies() {
    return copies;
  }

  private void fault() {
    copies++;
    if (slow) {
      waits = true;
      asked.release();
      here.acquireUninterruptibly();
      waits = false;
    }
  }

  /** True while a copy waits for the page. */
  boolean waits() {
    return waits;
  }

  @Override
  public synchronized boolean read(long address, long to, int bytes) {
    fault();
    return memory.read(address, to, bytes);
  }

  @Override
  public synchronized boolean write(long address, long from, int bytes) {
    fault();
    return memory.write(address, from, bytes);
  }

  /** Lets the first thread run until it waits for the page, and takes the engine from it. */
  public void stick() throws InterruptedException {
    slow = true;
    first.start();
    asked.acquire();
    runs.set(false);
    takeEngine(first);
  }

  /** Executes a command until it waits for the page, and takes the engine from its thread. */
  Thread stickCommand(Runnable command) throws InterruptedException {
    slow = true;
    Thread thread = Thread.ofPlatform().daemon().start(command);
    asked.acquire();
    takeEngine(thread);
    return thread;
  }

  private void takeEngine(Thread from) {
    assertThat(device.nic().engine().copies().look()).as("the copy may end soon").isNull();
    assertThat(device.nic().engine().copies().look()).isSameAs(from);
  }

  /** Lets the page arrive; the next access waits for it again, and loses the engine, too. */
  public void stickAgain() throws InterruptedException {
    here.release();
    asked.acquire();
    takeEngine(first);
  }

  /**
   * Ends the page fault, and lets the first thread go on until it needs memory for whose page
   * another turn waits; then it loses the engine again.
   */
  void arriveBeforeAnother() {
    end();
    awaitBlocked(first);
    takeEngine(first);
  }

  /** Waits until a thread needs memory for whose page another turn waits. */
  static void awaitBlocked(Thread thread) {
    while (thread.getState() != Thread.State.BLOCKED) {
      assertThat(thread.isAlive()).isTrue();
      Thread.onSpinWait();
    }
  }

  /** Ends the page fault. */
  void end() {
    slow = false;
    here.release();
  }

  /** Ends the page fault, and waits until the first thread has finished its step. */
  public void arrive() throws InterruptedException {
    end();
    first.join();
  }

  /** Ends the page fault, and steps the device until it waits for something. */
  public void unstick() throws InterruptedException {
    arrive();
    device.settle();
  }

  /** The device will be closed before the page arrives, which ends the first thread. */
  void expectTheEnd() {
    first.setUncaughtExceptionHandler((thread, ended) -> {});
  }

  @Override
  public void close() throws InterruptedException {
    slow = false;
    here.release(100);
    runs.set(false);
    first.join();
  }
}
