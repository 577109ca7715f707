package dev.bluebell.softnic.wire;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaException;
import dev.bluebell.roce.packet.Udp;
import dev.bluebell.softnic.port.Gids;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/** The UDP socket of a device where only the JDK is available: one system call per datagram. */
final class UdpSocket extends SingleLink {
  // Datagrams of one sender arrive in a row. In such a row, the channel allocates nothing either.
  private @Nullable SocketAddress lastAddress;
  private @Nullable Sender lastSender;

  // Traffic class of sent datagrams.
  private int trafficClass = Ecn.CAPABLE;

  private UdpSocket(DatagramChannel channel, InetAddress address) throws IOException {
    super(channel, address);
  }

  /**
   * Binds a socket to the port of RoCEv2.
   *
   * @throws HcaException when the address can't be bound
   */
  static UdpSocket open(InetAddress address) {
    DatagramChannel channel = null;
    try {
      boolean ipv4 = address instanceof Inet4Address;
      channel =
          DatagramChannel.open(ipv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
      configure(channel);
      channel.setOption(StandardSocketOptions.IP_TOS, Ecn.CAPABLE);
      if (ipv4) {
        // RoCEv2 forbids fragments. Also, only with this option does Linux send the identification
        // 0, which the ICRC covers.
        channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
      }
      channel.bind(new InetSocketAddress(address, Udp.ROCE_PORT));
      return new UdpSocket(channel, address);
    } catch (IOException | UnsupportedOperationException e) {
      close(channel);
      throw unbound(address, e);
    }
  }

  /** Says that an address can't be bound. */
  static HcaException unbound(InetAddress address, Exception cause) {
    return new HcaException(
        "listen=%s of device soft: UDP port %d can't be bound there (%s); it must be an address of this machine at which no other device listens"
            .formatted(address.getHostAddress(), Udp.ROCE_PORT, cause.getMessage()),
        cause);
  }

  @Override
  public boolean send(ByteBuffer datagram, InetSocketAddress destination) throws IOException {
    int ip = datagram.position() - WireFormat.headerBytes(ipv4);
    int wanted = WireFormat.trafficClass(datagram, ip, ipv4);
    if (wanted != trafficClass) {
      channel.setOption(StandardSocketOptions.IP_TOS, wanted);
      trafficClass = wanted;
    }
    return channel.send(datagram, destination) > 0;
  }

  @Override
  boolean receiveNext(Incoming packets) {
    ByteBuffer room = packets.room();
    int begin = room.position();
    try {
      SocketAddress from = channel.receive(room);
      if (from == null) {
        return false;
      }
      // The channel hides the traffic class.
      packets.add(sender(from), room.position() - begin, 0, 0);
    } catch (IOException e) {
      // An earlier datagram caused the error, for example because the peer is gone.
    }
    return true;
  }

  private Sender sender(SocketAddress from) {
    Sender last = lastSender;
    if (last == null || !from.equals(lastAddress)) {
      InetSocketAddress there = (InetSocketAddress) from;
      Gid gid = Gids.of(there.getAddress());
      last = new Sender(gid.high(), gid.low(), there.getPort());
      lastAddress = from;
      lastSender = last;
    }
    return last;
  }
}
