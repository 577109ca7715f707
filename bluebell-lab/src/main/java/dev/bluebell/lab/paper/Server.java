package dev.bluebell.lab.paper;

import dev.bluebell.softnic.option.Timing;
import dev.bluebell.softnic.option.Timing.Constant;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.WaitCondition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A host whose processor serves one message after the other, and answers with a WRITE with
 * immediate. A WAIT on the device's clock before the answer represents the work of the processor.
 */
final class Server {
  private static final int ARGUMENTS = 16;
  private static final int RECEIVES = 32;
  private static final long WHOLE_CLOCK = -1;

  private final Node node;
  private final long serviceNanos;
  private final long doorbellNanos;
  private final MemoryRegion arguments;
  private final List<Connection> connections = new ArrayList<>();
  private long idleFrom;

  private record Connection(Queue queue, MemoryRegion value, MemoryRegion result) {}

  private record Arrival(long came, Connection connection) {}

  /**
   * @param serviceMicros time of the processor for a message
   */
  Server(Node node, double serviceMicros, Timing timing) {
    this.node = node;
    serviceNanos = Math.round(serviceMicros * 1_000);
    doorbellNanos = Math.round(timing.get(Constant.NOP_LOCAL));
    arguments = node.memory(ARGUMENTS);
  }

  /** Serves a client. */
  void serve(Queue asking, MemoryRegion result) {
    Queue queue = node.master();
    asking.connect(queue);
    connections.add(new Connection(queue, node.memory((int) result.length()), result));
    for (int i = 0; i < RECEIVES; i++) {
      receive(queue);
    }
  }

  private void receive(Queue queue) {
    queue.pair().receive().scatter(arguments, 0, ARGUMENTS).post(0);
    queue.pair().ringReceiveDoorbell();
  }

  /** Serves the messages that have arrived, in the order of their arrival. */
  void look() {
    List<Arrival> arrivals = new ArrayList<>();
    for (Connection connection : connections) {
      long came = connection.queue.nextReceive();
      if (came >= 0) {
        arrivals.add(new Arrival(came, connection));
      }
    }
    arrivals.sort(Comparator.comparingLong(Arrival::came));
    for (Arrival arrival : arrivals) {
      receive(arrival.connection.queue);
      idleFrom = Math.max(arrival.came, idleFrom) + serviceNanos;
      answer(arrival.connection);
    }
  }

  // The request after the WAIT begins one doorbell time after the processor is done.
  private void answer(Connection connection) {
    connection
        .queue
        .pair()
        .waitForTime(WaitCondition.CYCLIC_SMALLER, idleFrom + doorbellNanos, WHOLE_CLOCK)
        .unsignaled(0);
    connection
        .queue
        .pair()
        .writeImmediate(connection.result.remote(), 0)
        .gather(connection.value, 0, (int) connection.value.length())
        .signaled(0);
    connection.queue.ring();
    while (connection.queue.nextSend() >= 0) {
      Thread.onSpinWait();
    }
  }
}
