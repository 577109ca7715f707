package dev.bluebell.softnic.timing;

import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.option.Timing;
import dev.bluebell.softnic.option.Timing.Constant;

/**
 * Durations of single steps in nanoseconds, computed from the constants of a {@link Timing} only.
 */
final class Costs {
  /** Payload of the verbs whose latencies the constants are. */
  private static final int MEASURED_BYTES = 64;

  private static final double NANOS_PER_MICRO = 1_000;

  private final Timing timing;
  private final long doorbell;
  private final long enable;
  private final long network;
  private final long queueStep;
  private final long waitStep;
  private final long read;
  private final long write;
  private final long compareSwap;
  private final long fetchAdd;
  private final long readOccupancy;
  private final long writeOccupancy;
  private final long atomic;
  private final int units;
  private final double nanosPerByte;

  Costs(Timing timing) {
    this.timing = timing;
    doorbell = nanos(Constant.NOP_LOCAL);
    queueStep = nanos(Constant.QUEUE_ORDER);
    waitStep = between(Constant.QUEUE_ORDER, Constant.COMPLETION_ORDER);
    enable = Math.max(0, nanos(Constant.DOORBELL_ORDER) - waitStep);
    network = between(Constant.NOP_LOCAL, Constant.NOP_REMOTE);
    read = between(Constant.NOP_REMOTE, Constant.READ);
    write = between(Constant.NOP_REMOTE, Constant.WRITE);
    compareSwap = between(Constant.NOP_REMOTE, Constant.COMPARE_SWAP);
    fetchAdd = between(Constant.NOP_REMOTE, Constant.FETCH_ADD);
    units = (int) Math.max(1, timing.get(Constant.UNITS));
    readOccupancy = Math.round(units * interval(Constant.READ_RATE));
    writeOccupancy = Math.round(units * interval(Constant.WRITE_RATE));
    atomic = Math.round(interval(Constant.ATOMIC_RATE));
    nanosPerByte = 8 / timing.get(Constant.BANDWIDTH);
  }

  private long nanos(Constant constant) {
    return Math.round(timing.get(constant));
  }

  private long between(Constant less, Constant more) {
    return Math.max(0, nanos(more) - nanos(less));
  }

  private double interval(Constant rate) {
    return NANOS_PER_MICRO / timing.get(rate);
  }

  int units() {
    return units;
  }

  /**
   * Time from a doorbell to the start of the first request, plus the time from a completion until a
   * polling processor sees it: both are charged here, so a completion is visible when it is
   * written.
   */
  long doorbell() {
    return doorbell;
  }

  /** Time from a SEND_EN to the start of the request that it enables. */
  long enable() {
    return enable;
  }

  /** One way across the network, there or back. */
  long hop(boolean back) {
    return back ? network - network / 2 : network / 2;
  }

  /** Time from the start of a request to the start of the next one in its queue. */
  long step(int wqeOpcode) {
    return wqeOpcode == WqeOpcode.WAIT ? waitStep : queueStep;
  }

  /** How long a request keeps its processing unit from other queues. */
  long occupancy(int wqeOpcode) {
    return wqeOpcode == WqeOpcode.RDMA_READ ? readOccupancy : writeOccupancy;
  }

  /**
   * Time from the arrival of a request to its effect.
   *
   * @param operation see {@link BthOpcode}
   */
  long execution(int operation) {
    return switch (operation) {
      case BthOpcode.READ_REQUEST -> read;
      case BthOpcode.COMPARE_SWAP -> compareSwap;
      case BthOpcode.FETCH_ADD -> fetchAdd;
      default -> write;
    };
  }

  /** Time between two atomics of one port. */
  long atomic() {
    return atomic;
  }

  /** How long payload occupies a link. */
  long serialisation(int bytes) {
    return Math.round(bytes * nanosPerByte);
  }

  /** How much later payload arrives than the payload of the measured verbs. */
  long delay(int bytes) {
    return serialisation(Math.max(0, bytes - MEASURED_BYTES));
  }
}
