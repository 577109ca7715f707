package dev.bluebell.connect.cm;

import dev.bluebell.connect.Connections;
import dev.bluebell.connect.RdmaClient;
import dev.bluebell.connect.RdmaCmOptions;
import dev.bluebell.connect.RdmaServer;
import dev.bluebell.connect.shared.ReconnectingClient;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.net.InetSocketAddress;

/** {@link Connections} by the RDMA connection manager of a device. */
public final class CmConnections implements Connections {
  private final CmManager manager;
  private final Device device;
  private final RdmaCmOptions options;

  private CmConnections(CmManager manager, Device device, RdmaCmOptions options) {
    this.manager = manager;
    this.device = device;
    this.options = options;
  }

  /**
   * Opens a file of the connection manager.
   *
   * @throws IllegalArgumentException when the device has no connection manager
   */
  public static CmConnections open(Device device, RdmaCmOptions options) {
    CmManager manager =
        device
            .openConnectionManager()
            .map(CmManager::start)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "device %s is in this process alone and has no connection manager: open that of a device process (socket:PATH, see 'bluebell serve'), or use Connections.tcp()"
                            .formatted(device.name())));
    return new CmConnections(manager, device, options);
  }

  @Override
  public RdmaServer listen(InetSocketAddress address) throws IOException {
    return CmServer.listen(manager, device, address, options);
  }

  @Override
  public RdmaClient client(InetSocketAddress server) {
    return new ReconnectingClient(new CmDialer(manager, device, server), options.deadline());
  }
}
