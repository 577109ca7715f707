package dev.bluebell.connect.provider;

import dev.bluebell.connect.Connections;
import dev.bluebell.connect.ConnectionsProvider;
import dev.bluebell.connect.RdmaCmOptions;
import dev.bluebell.connect.TcpOptions;
import dev.bluebell.connect.cm.CmConnections;
import dev.bluebell.connect.tcp.TcpConnections;
import dev.bluebell.verbs.Device;

/** Implements {@link ConnectionsProvider}: the service that {@link Connections} finds. */
public final class ConnectionsProviderImpl implements ConnectionsProvider {
  @Override
  public Connections tcp(TcpOptions options) {
    return new TcpConnections(options);
  }

  @Override
  public Connections rdmaCm(Device device, RdmaCmOptions options) {
    return CmConnections.open(device, options);
  }
}
