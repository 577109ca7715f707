package dev.bluebell.lab.paper;

import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.RequestModifiers;

/**
 * The paper's orders and constructs, as the requests that they consist of. The requests compare and
 * restore scratch memory, which takes the same time as fields of WQEs.
 */
final class Constructs {
  private static final int BYTES = 8;

  private final Testbed bed;
  private final MemoryRegion memory;
  private final Queue master;
  private final Queue worker;
  private final Queue loop;

  private Constructs(Testbed bed) {
    this.bed = bed;
    Node host = bed.node();
    memory = host.memory(BYTES);
    master = host.loopedMaster();
    worker = host.loopedManaged();
    loop = Node.looped(host.managed(), Node.ONE_READ);
  }

  private void copy() {
    worker.pair().write(memory.remote()).gather(memory, 0, BYTES).signaled(0);
  }

  private void swap(Queue on) {
    on.pair().compareAndSwap(memory.remote(), 0, 1).scatter(memory, 0).signaled(0);
  }

  private RequestModifiers read() {
    return loop.pair().read(memory.remote()).scatter(memory, 0, BYTES);
  }

  private RequestModifiers add() {
    return loop.pair().fetchAndAdd(memory.remote(), 1).scatter(memory, 0);
  }

  /** Time from the doorbell of the master to the last completion of a queue, in nanoseconds. */
  private double run(Queue last) {
    long begin = bed.now();
    master.ring();
    bed.rest();
    return last.lastSend() - begin;
  }

  /** NOPs, each followed by a WAIT for it. */
  static double inCompletionOrder(Testbed bed, int length) {
    Constructs parts = new Constructs(bed);
    for (int i = 0; i < length; i++) {
      parts.master.nop().await(parts.master, i);
    }
    return parts.run(parts.master);
  }

  /** NOPs, each enabled when the one before is complete. */
  static double inDoorbellOrder(Testbed bed, int length) {
    Constructs parts = new Constructs(bed);
    for (int i = 0; i < length; i++) {
      parts.worker.nop();
      parts.master.enable(parts.worker).await(parts.worker, i);
    }
    return parts.run(parts.worker);
  }

  /**
   * Conditions, each of which consists of a swap, a WAIT for it, a SEND_EN of the copy that it
   * armed, and a WAIT for that.
   */
  static double conditions(Testbed bed, int count) {
    Constructs parts = new Constructs(bed);
    for (int i = 0; i < count; i++) {
      parts.copy();
      parts.swap(parts.master);
      parts.master.await(parts.master, i).enable(parts.worker).await(parts.worker, i);
    }
    return parts.run(parts.worker);
  }

  /**
   * Laps, each of which consists of an {@code if}, two READs that restore what it changed, an ADD
   * that counts the lap, and a SEND_EN of the next lap. The laps follow each other in a long ring,
   * which takes as long as one lap in a short ring that wraps.
   */
  static double recycled(Testbed bed, int laps) {
    Constructs parts = new Constructs(bed);
    for (int i = 0; i < laps; i++) {
      parts.copy();
      parts.swap(parts.loop);
      parts.loop.await(parts.loop, i).enable(parts.worker).await(parts.worker, i);
      parts.read().unsignaled(0);
      parts.read().unsignaled(0);
      parts.add().unsignaled(0);
      int lap = parts.loop.index() + 1;
      if (i == 0) {
        parts.master.enable(parts.loop, lap);
      }
      parts.loop.enable(parts.loop, lap + (i < laps - 1 ? lap / (i + 1) : 0));
    }
    return parts.run(parts.worker);
  }
}
