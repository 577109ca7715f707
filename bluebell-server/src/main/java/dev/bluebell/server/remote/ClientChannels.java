package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaEvent;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The event channels of a client. Dispatches each arriving event to its channel. Thread-safe. */
final class ClientChannels {
  private final Map<Integer, SocketEventChannel> open = new ConcurrentHashMap<>();
  private int next = 1;
  private boolean lost;

  synchronized SocketEventChannel add(Connection connection) {
    SocketEventChannel channel = new SocketEventChannel(connection, this, next++);
    open.put(channel.number(), channel);
    if (lost) {
      channel.fail();
    }
    return channel;
  }

  void remove(SocketEventChannel channel) {
    open.remove(channel.number());
  }

  /** Takes an event, on the thread of the connection. */
  void event(Message event) {
    SocketEventChannel channel = open.get(event.takeInt());
    if (channel != null) {
      channel.offer(
          new HcaEvent(event.takeInt(), event.takeInt(), event.takeInt(), event.takeLong()));
    }
  }

  /**
   * No event will follow.
   *
   * @param unexpected true when the device process ended, false when the client closed
   */
  synchronized void over(boolean unexpected) {
    lost = unexpected;
    open.values().forEach(unexpected ? SocketEventChannel::fail : SocketEventChannel::end);
  }
}
