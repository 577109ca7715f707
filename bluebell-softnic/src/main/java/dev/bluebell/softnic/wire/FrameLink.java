package dev.bluebell.softnic.wire;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaException;
import dev.bluebell.roce.packet.Ethernet;
import dev.bluebell.roce.packet.Ipv4;
import dev.bluebell.roce.packet.Ipv6;
import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Problem;
import dev.bluebell.roce.packet.Udp;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.option.FramePorts;
import dev.bluebell.softnic.port.EthernetPort;
import dev.bluebell.softnic.port.Gids;
import dev.bluebell.softnic.wire.Neighbours.Neighbour;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A link to an Ethernet whose frames travel in UDP datagrams, like those of virtual machines: the
 * other end of the cable is one UDP port of this machine. The device is a host of that Ethernet
 * with one IP address: it asks for and answers with Ethernet addresses. It sees whole packets, so
 * it checks the ICRC against all that it covers.
 */
final class FrameLink extends SingleLink {
  private static final String LOOPBACK = "127.0.0.1";

  /** Room for a question or an answer of address resolution. */
  private static final int SMALL_FRAME = 128;

  /** How long a question may be unanswered before the next packet repeats it. */
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Questions without an answer after which packets are refused. */
  private static final int MOST_QUESTIONS = 3;

  /** How long an Ethernet address is used before it is asked for again. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Most hosts that this device has {@linkplain #meet met}. */
  private static final int MOST_NEIGHBOURS = 256;

  /** Most other hosts that it sends to. */
  private static final int MOST_STRANGERS = 64;

  private static final int IPV4_GROUPS = 0xe0;
  private static final int IPV6_GROUPS = 0xff;

  private final long mac;
  private final DeviceTime time;
  private final Resolution resolution;
  private final Neighbours neighbours = new Neighbours(MOST_NEIGHBOURS);

  // Any host can ask this device for an answer, and must not evict the neighbours.
  private final Neighbours strangers = new Neighbours(MOST_STRANGERS);
  private final PacketView view = new PacketView();

  private final ByteBuffer small = ByteBuffer.allocateDirect(SMALL_FRAME);
  private final ByteBuffer header = ByteBuffer.allocateDirect(Ethernet.HEADER.bytes());
  private final ByteBuffer[] frame = {header, header};

  // Packets of one sender come in a row.
  private @Nullable Sender lastSender;

  private long otherFrames;
  private long malformedFrames;
  private long refused;

  // Packets that were held and not sent, or not yet.
  private long unsent;

  private FrameLink(DatagramChannel channel, InetAddress address, long mac, DeviceTime time)
      throws IOException {
    super(channel, address);
    this.mac = mac;
    this.time = time;
    resolution = ipv4 ? new Arp(mac, gid) : new NeighbourDiscovery(mac, gid);
  }

  /**
   * Plugs the cable in.
   *
   * @param address the device's own, of IPv4 or IPv6
   * @param mac the device's own Ethernet address, 48 bits
   * @throws HcaException when the port can't be bound
   */
  static FrameLink open(FramePorts ports, InetAddress address, long mac, DeviceTime time) {
    DatagramChannel channel = null;
    try {
      channel = DatagramChannel.open(StandardProtocolFamily.INET);
      configure(channel);
      channel.bind(new InetSocketAddress(LOOPBACK, ports.own()));
      // The kernel drops datagrams that do not come from the peer.
      channel.connect(new InetSocketAddress(LOOPBACK, ports.peer()));
      return new FrameLink(channel, address, mac, time);
    } catch (IOException e) {
      close(channel);
      throw new HcaException(
          "frames=%s of device soft: UDP port %d of %s can't be bound (%s); choose one that no other process uses"
              .formatted(ports, ports.own(), LOOPBACK, e.getMessage()),
          e);
    }
  }

  @Override
  public int port() {
    return EthernetPort.MIN_SOURCE_PORT;
  }

  @Override
  public boolean showsHeaders() {
    return true;
  }

  @Override
  public List<String> lines() {
    return List.of(
        "fabric frames, Ethernet address %012x: neighbours %d, tx_unresolved %d, rx_other_frames %d, rx_malformed_frames %d"
            .formatted(mac, neighbours.count(), refused + unsent, otherFrames, malformedFrames));
  }

  // ---- sending

  @Override
  public long unsent() {
    return unsent;
  }

  @Override
  public boolean send(ByteBuffer packet, InetSocketAddress destination) throws IOException {
    int payload = packet.position();
    packet.position(payload - WireFormat.headerBytes(ipv4));
    Neighbour peer = neighbours.known(destination.getAddress());
    if (peer == null) {
      peer = strangers.at(destination.getAddress());
    }
    if (peer.mac == 0) {
      waitFor(peer, packet, destination.getAddress());
      return true;
    }
    if (time.now() - peer.askedAt >= FRESH_NANOS) {
      ask(peer, destination.getAddress());
    }
    return transmit(peer.mac, packet);
  }

  /** Asks for the peer's Ethernet address early, so that packets rarely wait for it. */
  @Override
  public void meet(InetAddress address) {
    Neighbour peer = neighbours.known(address);
    if (peer == null) {
      peer = neighbours.at(address);
      Neighbour stranger = strangers.known(address);
      if (stranger != null) {
        peer.mac = stranger.mac;
        peer.askedAt = stranger.askedAt;
      }
    }
    if (peer.mac == 0) {
      askAtTimes(peer, address);
    }
  }

  /** Holds a packet until its peer has an Ethernet address, or refuses it. */
  private void waitFor(Neighbour peer, ByteBuffer packet, InetAddress address) throws IOException {
    askAtTimes(peer, address);
    if (peer.questions > MOST_QUESTIONS) {
      peer.held.clear();
      refused++;
      throw new IOException(
          "no host on this Ethernet answers for the address %s; check the address, and frames= at both ends"
              .formatted(address.getHostAddress()));
    }
    unsent++;
    if (peer.held.size() == Neighbours.MOST_HELD) {
      return;
    }
    byte[] copy = new byte[packet.remaining()];
    packet.get(copy);
    peer.held.add(copy);
  }

  private void askAtTimes(Neighbour peer, InetAddress address) {
    if (peer.questions == 0 || time.now() - peer.askedAt >= PATIENCE_NANOS) {
      ask(peer, address);
    }
  }

  private void ask(Neighbour peer, InetAddress address) {
    Gid wanted = Gids.of(address);
    peer.questions++;
    peer.askedAt = time.now();
    transmit(resolution.question(small, wanted.high(), wanted.low()));
  }

  /** Sends the small frame. If it is lost, the host that waits for it asks again. */
  private void transmit(int bytes) {
    try {
      int unused = channel.write(small.limit(bytes).position(0));
    } catch (IOException e) {
      // No process listens at the other end.
    } finally {
      small.clear();
    }
  }

  private boolean transmit(long to, ByteBuffer packet) throws IOException {
    Mac.header(header.clear(), to, mac, ipv4 ? Ethernet.IPV4 : Ethernet.IPV6);
    frame[1] = packet;
    try {
      return channel.write(frame) > 0;
    } catch (PortUnreachableException e) {
      // The error is about an earlier frame, which no process received. This one may arrive, and
      // cables may lose frames.
      return true;
    }
  }

  // ---- receiving

  @Override
  boolean receiveNext(Incoming packets) {
    ByteBuffer room = packets.room();
    int payload = room.position();
    int begin = payload - WireFormat.headerBytes(ipv4) - Ethernet.HEADER.bytes();
    try {
      // Unlike read(), receive() tells an empty datagram from none.
      if (channel.receive(room.position(begin)) == null) {
        return false;
      }
    } catch (IOException e) {
      // The error is about an earlier frame, which no process received.
      return true;
    }
    Sender sender = take(room, begin, room.position() - begin);
    if (sender != null) {
      // The IP header has the traffic class.
      packets.add(sender, view.end() - payload, 0, 0);
    }
    return true;
  }

  /**
   * The sender of a packet to this device's RoCEv2 port, which the view then shows; null for other
   * frames.
   */
  private @Nullable Sender take(ByteBuffer room, int at, int bytes) {
    if (bytes < Ethernet.HEADER.bytes()) {
      malformedFrames++;
      return null;
    }
    long to = Ethernet.DST.get(room, at);
    Resolution.Kind kind =
        to == mac || Mac.isGroup(to) ? resolution.read(room, at, bytes) : Resolution.Kind.OTHER;
    switch (kind) {
      case OTHER -> {
        if (to == mac && Ethernet.TYPE.getInt(room, at) == (ipv4 ? Ethernet.IPV4 : Ethernet.IPV6)) {
          return packet(room, at + Ethernet.HEADER.bytes(), bytes - Ethernet.HEADER.bytes());
        }
        otherFrames++;
      }
      case MALFORMED -> malformedFrames++;
      case QUESTION -> {
        learn();
        transmit(resolution.answer(small));
      }
      case STATEMENT -> learn();
    }
    return null;
  }

  private @Nullable Sender packet(ByteBuffer room, int ip, int bytes) {
    Problem problem = view.wrap(room, ip, bytes, bytes, ipv4 ? LinkType.IPV4 : LinkType.IPV6);
    if (problem.isOtherProtocol()) {
      otherFrames++;
      return null;
    }
    switch (problem) {
      case NO_NETWORK_HEADER,
          NETWORK_VERSION,
          IPV4_OPTIONS,
          FRAGMENT,
          NETWORK_LENGTH,
          UDP_LENGTH -> {
        malformedFrames++;
        return null;
      }
      default -> {
        // UdpFabric checks everything behind the UDP header, as for all datagrams.
      }
    }
    if (ipv4 && Ipv4.CHECKSUM.getInt(room, ip) != Ipv4.checksum(room, ip)
        || isFromGroup(room, ip)) {
      malformedFrames++;
      return null;
    }
    if (!isForThisHost(room, ip)) {
      otherFrames++;
      return null;
    }
    return sender(room, ip);
  }

  private boolean isFromGroup(ByteBuffer room, int ip) {
    return ipv4
        ? Ipv4.SRC.get(room, ip) >>> 24 >= IPV4_GROUPS
        : Ipv6.SRC.half(room, ip, false) >>> 56 == IPV6_GROUPS;
  }

  private boolean isForThisHost(ByteBuffer room, int ip) {
    return ipv4
        ? Ipv4.DST.getInt(room, ip) == (int) gid.low()
        : Ipv6.DST.half(room, ip, false) == gid.high()
            && Ipv6.DST.half(room, ip, true) == gid.low();
  }

  private Sender sender(ByteBuffer room, int ip) {
    long high = ipv4 ? 0 : Ipv6.SRC.half(room, ip, false);
    long low = ipv4 ? Gids.IPV4_LOW | Ipv4.SRC.get(room, ip) : Ipv6.SRC.half(room, ip, true);
    int port = Udp.SRC.getInt(room, ip + WireFormat.headerBytes(ipv4) - Udp.HEADER.bytes());
    Sender last = lastSender;
    if (last == null || last.gidHigh() != high || last.gidLow() != low || last.port() != port) {
      last = new Sender(high, low, port);
      lastSender = last;
    }
    return last;
  }

  /**
   * Records the address of a host that this device sends to, and sends the packets that wait for
   * it.
   */
  private void learn() {
    InetAddress sender = Gids.address(resolution.senderHigh(), resolution.senderLow());
    learn(neighbours.known(sender));
    learn(strangers.known(sender));
  }

  private void learn(@Nullable Neighbour peer) {
    if (peer == null) {
      return;
    }
    peer.mac = resolution.senderMac();
    peer.questions = 0;
    for (byte[] packet : peer.held) {
      try {
        if (transmit(peer.mac, ByteBuffer.wrap(packet))) {
          unsent--;
        }
      } catch (IOException e) {
        // It stays unsent.
      }
    }
    peer.held.clear();
  }
}
