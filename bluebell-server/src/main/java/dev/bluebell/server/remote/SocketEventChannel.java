package dev.bluebell.server.remote;

import dev.bluebell.hca.EventQueue;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.server.remote.Message.Request;
import org.jspecify.annotations.Nullable;

/**
 * The queue of events that arrived from the device process. The end of the process is an event,
 * too.
 */
final class SocketEventChannel implements HcaEventChannel {
  private final Connection connection;
  private final ClientChannels channels;
  private final int number;
  private final EventQueue queue = new EventQueue();

  SocketEventChannel(Connection connection, ClientChannels channels, int number) {
    this.connection = connection;
    this.channels = channels;
    this.number = number;
  }

  int number() {
    return number;
  }

  @Override
  public void subscribe(@Nullable HcaObject object, int type, long cookie) {
    int handle = object == null ? 0 : SocketObject.handleOf(connection, object);
    connection.request(Message.of(Request.SUBSCRIBE).put(number).put(handle).put(type).put(cookie));
  }

  /** Adds an event. */
  void offer(HcaEvent event) {
    queue.offer(event);
  }

  /** The device process ended: the last event says so. */
  void fail() {
    queue.fail();
  }

  /** Wakes waiters; no event follows. */
  void end() {
    queue.end();
  }

  @Override
  public @Nullable HcaEvent poll() {
    return queue.poll();
  }

  @Override
  public @Nullable HcaEvent await(long timeoutNanos) throws InterruptedException {
    return queue.await(timeoutNanos);
  }

  @Override
  public void wakeup() {
    queue.wakeup();
  }

  @Override
  public void close() {
    channels.remove(this);
    end();
    connection.free(Message.of(Request.CLOSE_CHANNEL).put(number));
  }
}
