package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.CqeCompression;
import dev.bluebell.verbs.Device;

/**
 * The parameters of one measurement.
 *
 * @param connection kind of the connections
 * @param sharedReceives whether all queue pairs receive from one queue
 * @param size bytes of a message
 * @param latency whether messages are timed one by one
 * @param iterations messages to time, over all queue pairs and directions; 0 to go by {@code nanos}
 * @param nanos time to measure
 * @param warmUpNanos longest time to warm up
 * @param depth most outstanding requests of a queue pair
 * @param signalEvery one request in this many is signalled
 * @param inline whether the data travels inside the request
 * @param bidirectional whether both sides send at the same time
 * @param queuePairs number of connections created
 * @param active number of connections used
 * @param compression how the device compresses completions
 * @param listed whether to keep the time of each message
 */
record PerfPlan(
    PerfOperation operation,
    ConnectionKind connection,
    boolean sharedReceives,
    int size,
    boolean latency,
    long iterations,
    long nanos,
    long warmUpNanos,
    int depth,
    int signalEvery,
    boolean inline,
    boolean bidirectional,
    int queuePairs,
    int active,
    CqeCompression compression,
    boolean listed) {
  private static final int MAX_ROUND = 1 << 14;

  /** Most bytes for all messages of a round. */
  private static final int MAX_BYTES = 8 << 20;

  /** The largest depth for which every outstanding message has its own slot within a round. */
  static int depthWithin(int depth, int size, int flows) {
    return Math.max(1, Math.min(depth, MAX_BYTES / flows / size));
  }

  /** A completion queue. */
  CompletionQueue completions(Device device, int entries) {
    return device.createCompletionQueue(
        entries, CompletionQueueOptions.DEFAULT.withCompression(compression));
  }

  /** The collector for latencies, if messages are timed one by one. */
  Timings timings() {
    return new Timings(listed ? Math.toIntExact(iterations) : 0);
  }

  /** Most bytes of inline data in a request. */
  int inlineBytes() {
    return inline ? size : 0;
  }

  /** Messages in a round for which a flow has slots. */
  int slots() {
    int slots = Math.min(MAX_ROUND, MAX_BYTES / size) / flows();
    return Math.max(depth, Integer.highestOneBit(slots));
  }

  /** Number of flows; latency needs one for the way back. */
  int flows() {
    return bidirectional || latency ? 2 * active : active;
  }
}
