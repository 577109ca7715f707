package dev.bluebell.connect;

import dev.bluebell.connect.tcp.TcpConnections;
import java.io.IOException;
import java.net.InetSocketAddress;

/** A way to establish connections between processes. Thread-safe. */
public interface Connections {

  /** Connections that are established over TCP, with the defaults of {@link TcpOptions}. */
  static Connections tcp() {
    return tcp(TcpOptions.DEFAULT);
  }

  /** Connections that are established over TCP. */
  static Connections tcp(TcpOptions options) {
    return new TcpConnections(options);
  }

  /**
   * Listens for connections.
   *
   * @param address address to listen on, port 0 for any; any process that reaches it may request
   *     connections
   * @throws IOException when the address is not available
   */
  RdmaServer listen(InetSocketAddress address) throws IOException;

  /** Returns a client of a server, without connecting yet. */
  RdmaClient client(InetSocketAddress server);
}
