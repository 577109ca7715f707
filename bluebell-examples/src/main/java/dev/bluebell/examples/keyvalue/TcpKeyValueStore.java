package dev.bluebell.examples.keyvalue;

import dev.bluebell.examples.shared.TcpChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A client of a {@link TcpKeyValueServer}, which sends a request and waits for the response. */
public final class TcpKeyValueStore implements KeyValueStore {
  /** The operations of requests. */
  enum Operation {
    GET,
    PUT,
    REMOVE
  }

  /** Operation (1 byte), length of the value (1), the value (31 at most), the key. */
  static final int REQUEST_BYTES = 41;

  static final int KEY = 33;

  /** 1 for yes (1 byte), length of the value (1), the value (31 at most). */
  static final int RESPONSE_BYTES = 33;

  private final TcpChannel channel;
  private final ByteBuffer request = ByteBuffer.allocateDirect(REQUEST_BYTES);
  private final ByteBuffer response = ByteBuffer.allocateDirect(RESPONSE_BYTES);

  /**
   * Connects to a server.
   *
   * @param spinning whether to poll instead of waiting in the kernel
   */
  public TcpKeyValueStore(InetSocketAddress server, boolean spinning) throws IOException {
    channel = TcpChannel.connect(server, spinning);
  }

  @Override
  public byte @Nullable [] get(long key) throws IOException {
    return ask(Operation.GET, key, new byte[0]) ? value(response) : null;
  }

  @Override
  public boolean put(long key, byte[] value) throws IOException {
    return ask(Operation.PUT, key, value);
  }

  @Override
  public boolean remove(long key) throws IOException {
    return ask(Operation.REMOVE, key, new byte[0]);
  }

  private boolean ask(Operation operation, long key, byte[] value) throws IOException {
    KeyValueStore.check(key, value);
    put(request, operation.ordinal(), value);
    request.putLong(KEY, key);
    channel.write(request);
    response.clear();
    channel.readFully(response);
    return response.get(0) != 0;
  }

  /** Fills a message, except for the key. */
  static void put(ByteBuffer message, int first, byte[] value) {
    message.clear();
    message.put(0, (byte) first).put(1, (byte) value.length).put(2, value);
  }

  /** The value in a message. */
  static byte[] value(ByteBuffer message) {
    byte[] value = new byte[message.get(1)];
    message.get(2, value);
    return value;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
