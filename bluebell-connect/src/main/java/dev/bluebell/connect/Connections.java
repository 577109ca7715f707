package dev.bluebell.connect;

import dev.bluebell.connect.tcp.TcpConnections;
import java.io.IOException;
import java.net.InetSocketAddress;

/** A way in which programs find each other. Thread-safe. */
public interface Connections {

  /** Connections that are made over TCP, with the defaults of {@link TcpOptions}. */
  static Connections tcp() {
    return tcp(TcpOptions.DEFAULT);
  }

  /** Connections that are made over TCP. */
  static Connections tcp(TcpOptions options) {
    return new TcpConnections(options);
  }

  /**
   * Listens.
   *
   * @param address whose port may be 0 for any; whoever reaches it may ask for connections
   * @throws IOException when the address can't be had
   */
  RdmaServer listen(InetSocketAddress address) throws IOException;

  /** Names a server; connects to nobody yet. */
  RdmaClient client(InetSocketAddress server);
}
