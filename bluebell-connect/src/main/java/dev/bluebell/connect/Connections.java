package dev.bluebell.connect;

import dev.bluebell.connect.cm.CmConnections;
import dev.bluebell.connect.tcp.TcpConnections;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.RemoteMemory;
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
   * <p>Messages of RDMA CM have private bytes of a fixed length. So private data arrive with zeros
   * behind them: 56 bytes when a side connects, 196 when it accepts, 148 when it rejects. An {@link
   * Offer} with memory is for Bluebell at both ends: its description takes {@link
   * RemoteMemory#BYTES} of those bytes for each piece, and 6 more, and such private data arrive
   * with their own length.
   *
   * <p>Of {@link ConnectOptions}, {@code maxReads}, {@code timeout} and {@code minRnrTimer} apply
   * to this side. The connection manager tells the peer the others that count: {@code retryCount}
   * of the connecting side applies to both, and {@code rnrRetry} of each side to the other one's
   * requests. The path, with its MTU, traffic class and service level, is the connection manager's;
   * options that ask for another one are refused with an {@link IllegalArgumentException}.
   *
   * <p>RDMA CM does not watch peers. When a peer's machine or network fails, only the next request
   * notices, after its retries.
   *
   * @param device device of all queue pairs: a client of a device process ({@code socket:PATH}) or
   *     a card ({@code mlx5_0})
   * @throws IllegalArgumentException when the device is in this process alone, and so has no
   *     connection manager
   * @throws dev.bluebell.hca.HcaException when the connection manager cannot be opened
   */
  static Connections rdmaCm(Device device, RdmaCmOptions options) {
    return CmConnections.open(device, options);
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
