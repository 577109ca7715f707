package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.MessageOperations;
import dev.bluebell.verbs.OrderedQueuePair;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.UcQueuePair;
import dev.bluebell.verbs.UdQueuePair;
import dev.bluebell.verbs.WriteOperations;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Posts messages to unreliable queue pairs, and WRITEs to those that are connected. */
final class UnreliablePoster implements Poster {
  private final OrderedQueuePair queuePair;
  private final IntFunction<MessageOperations> destinations;
  private final @Nullable WriteOperations writes;
  private final int targets;

  UnreliablePoster(UcQueuePair queuePair) {
    this.queuePair = queuePair;
    destinations = target -> queuePair;
    writes = queuePair;
    targets = 1;
  }

  UnreliablePoster(UdQueuePair queuePair, List<AddressHandle> addresses) {
    this.queuePair = queuePair;
    destinations = target -> queuePair.to(addresses.get(target));
    writes = null;
    targets = addresses.size();
  }

  @Override
  public OrderedQueuePair queuePair() {
    return queuePair;
  }

  @Override
  public int targets() {
    return targets;
  }

  boolean hasWrites() {
    return writes != null;
  }

  @Override
  public void post(Request request) {
    if (request.kind == RequestKind.NOP) {
      ReliablePoster.end(queuePair.nop(), request);
      return;
    }
    ReliablePoster.end(ReliablePoster.gather(start(request), request), request);
  }

  private RequestData start(Request request) {
    WriteOperations connection = writes;
    if (connection != null && request.kind == RequestKind.WRITE) {
      return connection.write(request.remoteAddress, request.rkey);
    }
    if (connection != null && request.kind == RequestKind.WRITE_IMMEDIATE) {
      return connection.writeImmediate(request.remoteAddress, request.rkey, request.immediate);
    }
    MessageOperations to = destinations.apply(request.target);
    return request.kind == RequestKind.SEND ? to.send() : to.sendImmediate(request.immediate);
  }
}
