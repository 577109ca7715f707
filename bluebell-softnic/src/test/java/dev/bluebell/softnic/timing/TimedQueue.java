package dev.bluebell.softnic.timing;

import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Wqe;

/** A queue that is filled request by request, and then started. */
record TimedQueue(RawQp queue) {

  TimedQueue write(Wqe request) {
    queue.write(request);
    return this;
  }

  /** A WAIT for the completion with an index of another queue, or of this one. */
  TimedQueue await(TimedQueue other, int index) {
    return write(Wqe.await(other.queue.sends(), index).unsignalled());
  }

  /** A SEND_EN for all requests written to another queue. */
  TimedQueue enable(TimedQueue other) {
    return enable(other, other.queue.index());
  }

  TimedQueue enable(TimedQueue other, int index) {
    return write(Wqe.enableSends(other.queue, index).unsignalled());
  }

  /** Starts all written requests. */
  void ring() {
    queue.writeRecord();
    queue.ring(queue.index() - 1);
  }
}
