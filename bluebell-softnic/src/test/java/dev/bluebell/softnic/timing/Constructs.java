package dev.bluebell.softnic.timing;

import static dev.bluebell.softnic.Timing.Constant.COMPARE_SWAP;
import static dev.bluebell.softnic.Timing.Constant.COMPLETION_ORDER;
import static dev.bluebell.softnic.Timing.Constant.DOORBELL_ORDER;
import static dev.bluebell.softnic.Timing.Constant.NOP_REMOTE;
import static dev.bluebell.softnic.Timing.Constant.QUEUE_ORDER;
import static dev.bluebell.softnic.Timing.Constant.READ;
import static dev.bluebell.softnic.Timing.Constant.WRITE;

import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;
import java.util.Set;

/**
 * The paper's orders and constructs, as the requests that they consist of. What the requests
 * compare and restore is scratch memory: it takes the time that a field of a WQE would.
 */
final class Constructs {
  private static final double NANOS_PER_MICRO = 1_000;
  private static final int BYTES = 8;
  private static final int LAPS = 30;
  private static final int CHAIN = 60;

  private final Rig rig;
  private final RawMemory memory;
  private final TimedQueue master;
  private final TimedQueue worker;
  private final TimedQueue loop;

  private Constructs(Rig rig) {
    this.rig = rig;
    TimedHost host = new TimedHost(rig);
    memory = host.memory(BYTES);
    master = host.loopback(true, false);
    worker = host.loopback(false, true);
    loop = host.loopback(true, true, new Settings().reads(0, 0));
  }

  static List<Figure> all() {
    return List.of(
        new Figure(
            "each further NOP, completion order",
            "µs",
            0.153,
            Set.of(COMPLETION_ORDER),
            rig -> (inCompletionOrder(rig, CHAIN) - inCompletionOrder(rig, 1)) / (CHAIN - 1)),
        new Figure(
            "each further NOP, doorbell order",
            "µs",
            0.501,
            Set.of(DOORBELL_ORDER),
            rig -> (inDoorbellOrder(rig, CHAIN) - inDoorbellOrder(rig, 1)) / (CHAIN - 1)),
        new Figure(
            "`if`, also a lap of an unrolled loop (1C + 1A + 3E)",
            "M/s",
            0.7,
            Set.of(NOP_REMOTE, WRITE, COMPARE_SWAP, QUEUE_ORDER, COMPLETION_ORDER, DOORBELL_ORDER),
            rig -> (LAPS - 1) / (conditions(rig, LAPS) - conditions(rig, 1))),
        new Figure(
            "lap of a recycled loop (3C + 2A + 4E)",
            "M/s",
            0.3,
            Set.of(NOP_REMOTE, READ, WRITE, COMPARE_SWAP, QUEUE_ORDER, DOORBELL_ORDER),
            rig -> (LAPS - 1) / (recycled(rig, LAPS) - recycled(rig, 1))));
  }

  private Wqe copy() {
    return Wqe.write(memory, 0).data(memory, 0, BYTES);
  }

  private Wqe swap() {
    return Wqe.compareAndSwap(memory, 0, 0, 1).data(memory, 0, BYTES);
  }

  private Wqe read() {
    return Wqe.read(memory, 0).data(memory, 0, BYTES).unsignalled();
  }

  private Wqe add() {
    return Wqe.fetchAndAdd(memory, 0, 1).data(memory, 0, BYTES).unsignalled();
  }

  /** Starts the master, and takes the time until the last completion of a queue; microseconds. */
  private double run(TimedQueue last) {
    long begin = rig.clock().nanos();
    master.ring();
    rig.settle();
    return (Latency.end(last.queue().sends()) - begin) / NANOS_PER_MICRO;
  }

  private static double inCompletionOrder(Rig rig, int length) {
    Constructs parts = new Constructs(rig);
    for (int i = 0; i < length; i++) {
      parts.master.write(Wqe.nop()).await(parts.master, i);
    }
    return parts.run(parts.master);
  }

  private static double inDoorbellOrder(Rig rig, int length) {
    Constructs parts = new Constructs(rig);
    for (int i = 0; i < length; i++) {
      parts.worker.write(Wqe.nop());
      parts.master.enable(parts.worker).await(parts.worker, i);
    }
    return parts.run(parts.worker);
  }

  /** Each: swap, WAIT for it, SEND_EN of the copy that it turned on, WAIT for that. */
  private static double conditions(Rig rig, int count) {
    Constructs parts = new Constructs(rig);
    for (int i = 0; i < count; i++) {
      parts.worker.write(parts.copy());
      parts
          .master
          .write(parts.swap())
          .await(parts.master, i)
          .enable(parts.worker)
          .await(parts.worker, i);
    }
    return parts.run(parts.worker);
  }

  /**
   * Each lap: an `if`, two READs that restore what it changed, an ADD that counts the lap, and a
   * SEND_EN of the next. The laps stand one behind another in a long ring, which takes as long as
   * one lap in a short ring again and again.
   */
  private static double recycled(Rig rig, int laps) {
    Constructs parts = new Constructs(rig);
    for (int i = 0; i < laps; i++) {
      parts.worker.write(parts.copy());
      parts
          .loop
          .write(parts.swap())
          .await(parts.loop, i)
          .enable(parts.worker)
          .await(parts.worker, i)
          .write(parts.read())
          .write(parts.read())
          .write(parts.add());
      int lap = parts.loop.queue().index() + 1;
      if (i == 0) {
        parts.master.enable(parts.loop, lap);
      }
      parts.loop.enable(parts.loop, lap + (i < laps - 1 ? lap / (i + 1) : 0));
    }
    return parts.run(parts.worker);
  }
}
