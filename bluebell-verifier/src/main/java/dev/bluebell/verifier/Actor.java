package dev.bluebell.verifier;

import dev.bluebell.hca.text.Counted;
import dev.bluebell.program.image.Queue;

/**
 * The actor of an event, for messages.
 *
 * @param entry "WQE 3 of queue 0x40 (worker)"
 * @param does its action: "RDMA_WRITE"
 */
record Actor(String entry, String does) {
  /** "queue 0x40 (worker)". */
  static String queue(Queue queue) {
    return "queue 0x%x (%s)".formatted(queue.qpn(), queue.name());
  }

  /** "WQE 3 of queue 0x40 (worker)". */
  static String wqe(Queue queue, long index) {
    return "WQE %d of %s".formatted(index & 0xffff, queue(queue));
  }

  /** "receive entry 3 of queue 0x40 (worker)". */
  static String receive(Queue queue, long index) {
    return "receive entry %d of %s".formatted(index & 0xffff, queue(queue));
  }

  @Override
  public String toString() {
    return does.isEmpty() ? entry : "%s, %s,".formatted(entry, Counted.a(does));
  }
}
