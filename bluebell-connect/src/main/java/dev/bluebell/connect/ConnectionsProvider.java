package dev.bluebell.connect;

import dev.bluebell.verbs.Device;

/**
 * The implementation of this package. {@link Connections} finds it as a service, so the package
 * does not depend on it. Applications call the static methods of {@link Connections} instead.
 */
public interface ConnectionsProvider {
  /** See {@link Connections#tcp(TcpOptions)}. */
  Connections tcp(TcpOptions options);

  /** See {@link Connections#rdmaCm(Device, RdmaCmOptions)}. */
  Connections rdmaCm(Device device, RdmaCmOptions options);
}
