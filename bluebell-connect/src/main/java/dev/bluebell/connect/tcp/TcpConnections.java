package dev.bluebell.connect.tcp;

import dev.bluebell.connect.Connections;
import dev.bluebell.connect.RdmaClient;
import dev.bluebell.connect.RdmaServer;
import dev.bluebell.connect.TcpOptions;
import dev.bluebell.connect.shared.ReconnectingClient;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * {@link Connections} over TCP.
 *
 * @param options of all of them
 */
public record TcpConnections(TcpOptions options) implements Connections {
  @Override
  public RdmaServer listen(InetSocketAddress address) throws IOException {
    return TcpServer.listen(address, options);
  }

  @Override
  public RdmaClient client(InetSocketAddress server) {
    return new ReconnectingClient(new TcpDialer(server, options), options.deadline());
  }
}
