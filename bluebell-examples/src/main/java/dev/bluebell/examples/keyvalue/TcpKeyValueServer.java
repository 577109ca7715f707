package dev.bluebell.examples.keyvalue;

import dev.bluebell.examples.shared.ChildJvm;
import dev.bluebell.examples.shared.TcpChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The server of a key-value store over TCP, with a thread for each client and a shared map. */
public final class TcpKeyValueServer implements AutoCloseable {
  private static final byte[] NOTHING = {};

  private final Map<Long, byte[]> map = new ConcurrentHashMap<>();
  private final ServerSocketChannel listener;
  private final boolean spinning;

  /**
   * Listens.
   *
   * @param spinning whether its threads poll for requests
   */
  public TcpKeyValueServer(InetSocketAddress address, boolean spinning) throws IOException {
    this.spinning = spinning;
    listener = ServerSocketChannel.open().bind(address);
    Thread unused = Thread.ofPlatform().daemon().name("key-value-accept").start(this::accept);
  }

  /** Where it listens. */
  public InetSocketAddress address() throws IOException {
    return (InetSocketAddress) listener.getLocalAddress();
  }

  private void accept() {
    try {
      while (true) {
        TcpChannel client = new TcpChannel(listener.accept(), spinning);
        Thread unused =
            Thread.ofPlatform().daemon().name("key-value-client").start(() -> serve(client));
      }
    } catch (IOException e) {
      // The server is closed.
    }
  }

  private void serve(TcpChannel client) {
    ByteBuffer request = ByteBuffer.allocateDirect(TcpKeyValueStore.REQUEST_BYTES);
    ByteBuffer response = ByteBuffer.allocateDirect(TcpKeyValueStore.RESPONSE_BYTES);
    try (client) {
      while (true) {
        request.clear();
        client.readFully(request);
        answer(request, response);
        client.write(response);
      }
    } catch (IOException e) {
      // The client is gone.
    }
  }

  private void answer(ByteBuffer request, ByteBuffer response) {
    long key = request.getLong(TcpKeyValueStore.KEY);
    byte @Nullable [] found =
        switch (TcpKeyValueStore.Operation.values()[request.get(0)]) {
          case GET -> map.get(key);
          case PUT -> {
            byte[] unused = map.put(key, TcpKeyValueStore.value(request));
            yield NOTHING;
          }
          case REMOVE -> map.remove(key);
        };
    TcpKeyValueStore.put(response, found == null ? 0 : 1, found == null ? NOTHING : found);
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  /**
   * Serves until its input ends.
   *
   * @param arguments {@code spinning} or {@code blocking}
   */
  public static void main(String... arguments) throws IOException {
    try (TcpKeyValueServer server =
        new TcpKeyValueServer(ChildJvm.local(0), arguments[0].equals("spinning"))) {
      System.out.println(server.address().getPort());
      ChildJvm.awaitEnd();
    }
  }
}
