package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.CqeCompression;
import dev.bluebell.verbs.Device;

/**
 * One measurement.
 *
 * @param connection what it goes over
 * @param sharedReceives whether all receive from one queue
 * @param memory where messages arrive
 * @param size bytes of a message
 * @param latency whether messages are timed one by one
 * @param iterations messages to time, over all queue pairs and directions; 0 to go by {@code nanos}
 * @param nanos how long to time
 * @param warmUpNanos how long to warm up at most
 * @param depth requests that a queue pair has outstanding at most
 * @param signalEvery every how many requests one is signalled
 * @param inline whether the data travels inside the request
 * @param bidirectional whether both sides send at the same time
 * @param queuePairs connections that exist
 * @param active connections that are used
 * @param compression how the device compresses completions
 * @param listed whether the time of each message is kept
 */
record PerfPlan(
    PerfOperation operation,
    ConnectionKind connection,
    boolean sharedReceives,
    MemoryKind memory,
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

  /**
   * The depth that leaves every message that is under way a slot of its own in memory of bearable
   * size.
   */
  static int depthWithin(int depth, long maxBytes, int size, int flows) {
    return (int) Math.max(1, Math.min(depth, maxBytes / flows / size));
  }

  /** A completion queue. */
  CompletionQueue completions(Device device, int entries) {
    return device.createCompletionQueue(
        entries, CompletionQueueOptions.DEFAULT.withCompression(compression));
  }

  /** What takes the times of messages, when they are timed one by one. */
  Timings timings() {
    return new Timings(listed ? Math.toIntExact(iterations) : 0);
  }

  /** Bytes of data that a request may have inside. */
  int inlineBytes() {
    return inline ? size : 0;
  }

  /** Messages of a round that a flow has slots for. */
  int slots() {
    long slots = Math.min(MAX_ROUND, memory.maxBytes() / size) / flows();
    return (int) Math.max(depth, slots);
  }

  /** Directions in which messages flow; latency needs the way back. */
  int flows() {
    return bidirectional || latency ? 2 * active : active;
  }
}
