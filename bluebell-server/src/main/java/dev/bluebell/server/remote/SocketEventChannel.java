package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.QueuedEventChannel;
import dev.bluebell.server.remote.Message.Request;
import org.jspecify.annotations.Nullable;

/**
 * The queue of events that arrived from the device process. The end of the process is an event,
 * too.
 */
final class SocketEventChannel extends QueuedEventChannel {
  private final Connection connection;
  private final ClientChannels channels;
  private final int number;

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

  @Override
  public void close() {
    channels.remove(this);
    end();
    connection.free(Message.of(Request.CLOSE_CHANNEL).put(number));
  }
}
