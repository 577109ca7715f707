package dev.bluebell.verifier;

import dev.bluebell.program.image.Queue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** State of a queue pair of the machine. */
final class QueueState {
  final Queue queue;

  /** Index after the last enabled request, unwrapped. */
  long limit;

  final Fetched sends;
  final Fetched receives;
  final List<Operation> operations = new ArrayList<>();
  final List<Arrival> arrivals = new ArrayList<>();

  /** Messages of the client that have not arrived yet. */
  final Deque<byte[]> fromClient = new ArrayDeque<>();

  QueueState(Queue queue) {
    this(queue, new Fetched(64), new Fetched(receiveSlot(queue)));
    limit = queue.managed() ? 0 : queue.send().posted();
  }

  private QueueState(Queue queue, Fetched sends, Fetched receives) {
    this.queue = queue;
    this.sends = sends;
    this.receives = receives;
  }

  private static int receiveSlot(Queue queue) {
    return queue.receive() == null ? 16 : 1 << queue.receive().logStride();
  }

  QueueState copy() {
    QueueState copy = new QueueState(queue, sends.copy(), receives.copy());
    copy.limit = limit;
    operations.forEach(operation -> copy.operations.add(operation.copy()));
    arrivals.forEach(arrival -> copy.arrivals.add(arrival.copy()));
    copy.fromClient.addAll(fromClient);
    return copy;
  }

  void key(StringBuilder key) {
    key.append('|').append(limit).append(' ');
    sends.key(key);
    key.append(' ');
    receives.key(key);
    operations.forEach(operation -> operation.key(key.append(';')));
    arrivals.forEach(arrival -> arrival.key(key.append('/')));
    key.append(fromClient.size());
  }
}
