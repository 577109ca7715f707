package dev.bluebell.softnic.timing;

import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;

/** Measures the latency of requests in virtual time, in nanoseconds. */
final class Latency {
  private Latency() {}

  /**
   * Time from one doorbell for all these requests to the last completion, which must be a success.
   */
  static long of(Rig rig, RawQp queue, Wqe... requests) {
    long begin = rig.clock().nanos();
    post(queue, requests);
    rig.settle();
    return end(queue.sends()) - begin;
  }

  /** Writes requests and rings once. */
  static void post(RawQp queue, Wqe... requests) {
    int last = 0;
    for (Wqe request : requests) {
      last = queue.write(request);
    }
    queue.writeRecord();
    queue.ring(last);
  }

  /** Time of the last completion, which like all before it must be a success. */
  static long end(RawCq completions) {
    List<RawCqe> all = completions.poll();
    for (RawCqe completion : all) {
      if (completion.isError()) {
        throw new IllegalStateException(completion.toString());
      }
    }
    return all.getLast().timestamp();
  }
}
