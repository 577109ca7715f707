package dev.bluebell.connect;

import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.RemoteMemory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ServiceLoader;

/** A way to establish connections between processes. Thread-safe. */
public interface Connections {

  /** Connections that are established over TCP, with the defaults of {@link TcpOptions}. */
  static Connections tcp() {
    return tcp(TcpOptions.DEFAULT);
  }

  /** Connections that are established over TCP. */
  static Connections tcp(TcpOptions options) {
    return provider().tcp(options);
  }

  /**
   * Connections that are established by the RDMA connection manager (RDMA CM) of a device's
   * process, with the defaults of {@link RdmaCmOptions}; see {@link #rdmaCm(Device,
   * RdmaCmOptions)}.
   */
  static Connections rdmaCm(Device device) {
    return rdmaCm(device, RdmaCmOptions.DEFAULT);
  }

  /**
   * Connections that are established by the RDMA connection manager (RDMA CM): with Bluebell, and
   * with applications that use librdmacm, in the port space RDMA_PS_TCP. Addresses are those of
   * RDMA devices, and ports are not those of TCP.
   *
   * <p>Call it once for a device, and keep the result: it opens a file of the connection manager
   * and starts a thread, which last until the device is closed. Closing the device, or {@linkplain
   * Device#handOver handing it over}, ends the connections.
   *
   * <p>Messages of RDMA CM have private bytes of a fixed length. Private data is therefore padded
   * with zeros: to 56 bytes when a side connects, 196 when it accepts, 148 when it rejects. An
   * {@link Offer} with memory needs Bluebell at both ends: describing the memory takes {@link
   * RemoteMemory#BYTES} of those bytes for each piece, and 6 more. The private data of such an
   * offer arrives unpadded.
   *
   * <p>Of {@link ConnectOptions}, {@code maxReads}, {@code timeout} and {@code minRnrTimer} apply
   * to this side. Two others are sent to the peer: {@code retryCount} of the connecting side
   * applies to both sides, and {@code rnrRetry} of each side to the other side's requests. The
   * connection manager chooses the path, with its MTU, traffic class and service level; options
   * that ask for another path are refused with an {@link IllegalArgumentException}.
   *
   * <p>RDMA CM does not watch peers. When a peer's machine or network fails, only the next request
   * notices, after its retries.
   *
   * @param device device of all queue pairs: a client of a device process ({@code socket:PATH}) or
   *     a card ({@code mlx5_0})
   * @throws IllegalArgumentException when the device is private to this process and therefore has
   *     no connection manager
   * @throws dev.bluebell.hca.HcaException when the connection manager cannot be opened
   */
  static Connections rdmaCm(Device device, RdmaCmOptions options) {
    return provider().rdmaCm(device, options);
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

  private static ConnectionsProvider provider() {
    return ServiceLoader.load(ConnectionsProvider.class, ConnectionsProvider.class.getClassLoader())
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("bluebell-connect is incomplete: no connections"));
  }
}
