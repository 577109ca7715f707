package dev.bluebell.verbs.ring;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.verbs.PathOptions;

/**
 * A send queue with streams in memory, and a completion queue into which a test writes completions
 * by hand.
 */
final class StreamBench {
  static final AddressWords DESTINATION =
      AddressWords.roce(1, 2, Gid.ZERO, new HcaPath(3, 0, 4, 5), 6, PathOptions.DEFAULT);

  final SendBench bench;
  final StreamRing streams;

  StreamBench(int logWqebbs, int maxWqeBytes, boolean nopFill, int logEntries) {
    bench =
        new SendBench(
            layout -> layout.withNopFill(nopFill),
            logWqebbs,
            maxWqeBytes,
            logEntries,
            StreamRequest::new);
    streams = new StreamRing(bench.send);
    bench.queues.set(bench.userIndex, WorkQueues.ofStreams(SendBench.QPN, streams));
  }

  /** A ring of 16 WQEBBs for requests of up to 4. */
  static StreamBench ofSixteen() {
    return new StreamBench(4, 256, false, 4);
  }

  /** Posts a SEND without data, which takes one WQEBB. */
  void post(int stream, long id) {
    streams.to(DESTINATION, stream).send().signaled(id);
  }

  /** The device completes the request that starts at a WQE index; returns the id of it. */
  long complete(int index) {
    bench.complete(index);
    return bench.poll().id();
  }

  /** The device fails the request that starts at a WQE index, which may be fill. */
  void fail(int index) {
    bench.write(
        CqeOpcode.REQ_ERR, 0, SendBench.QPN, bench.userIndex, index, Cqe.errorWord(0x51, 5));
  }
}
