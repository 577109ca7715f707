package dev.bluebell.lab.paper;

import dev.bluebell.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A client as in RedN's benchmarks: its queues are managed as well, and another of its queues
 * enables each request.
 */
final class Client {
  private static final int ARGUMENTS = 16;

  private final Testbed bed;
  private final Node node;
  private final Queue trigger;
  private final MemoryRegion arguments;
  private final MemoryRegion result;

  /**
   * @param resultBytes length of values
   */
  Client(Testbed bed, int resultBytes) {
    this.bed = bed;
    node = bed.node();
    trigger = node.loopedMaster();
    arguments = node.memory(ARGUMENTS);
    result = node.memory(resultBytes);
  }

  /** A queue for requests, not yet connected. */
  Queue queue() {
    return node.managed();
  }

  /** Memory that values are written to. */
  MemoryRegion result() {
    return result;
  }

  /** Posts a message and, for its answer, a receive. */
  void message(Queue over) {
    over.pair().receive().empty().post(0);
    over.pair().ringReceiveDoorbell();
    over.pair().send().gather(arguments, 0, ARGUMENTS).unsignaled(0);
  }

  /** Posts a message with these bytes, and a receive for an answer with a value. */
  void message(Queue over, byte[] bytes) {
    over.pair().receive().scatter(result, 0, (int) result.length()).post(0);
    over.pair().ringReceiveDoorbell();
    MemoryRegion message = node.memory(Math.max(1, bytes.length));
    MemorySegment.copy(bytes, 0, message.segment(), ValueLayout.JAVA_BYTE, 0, bytes.length);
    over.pair().send().gather(message, 0, bytes.length).unsignaled(0);
  }

  /** Starts all posted requests of a queue; returns the time. */
  long start(Queue posted) {
    long now = bed.now();
    trigger.enable(posted).ring();
    return now;
  }

  /** Reads memory of a server and waits for it; returns the time in nanoseconds. */
  long read(MemoryRegion from, Queue over) {
    over.pair().read(from.remote()).scatter(result, 0, (int) result.length()).signaled(0);
    long begin = start(over);
    bed.rest();
    return over.lastSend() - begin;
  }
}
