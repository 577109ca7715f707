package dev.bluebell.softnic.wire;

import dev.bluebell.roce.packet.Ethernet;
import dev.bluebell.roce.packet.Ipv4;
import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Problem;
import dev.bluebell.roce.packet.Udp;
import dev.bluebell.softnic.option.FramePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

/** The other end of a device's Ethernet cable: sends and receives frames, in hexadecimal too. */
final class Cable implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final int IP = Ethernet.HEADER.bytes();
  private static final int UDP = IP + Ipv4.HEADER.bytes();
  private static final int BTH = UDP + Udp.HEADER.bytes();

  private final DatagramChannel channel;
  private final FramePorts ports;

  // A connected channel would not send an empty frame.
  private final InetSocketAddress device;

  Cable() {
    try {
      channel = DatagramChannel.open();
      channel.bind(new InetSocketAddress(LOOPBACK, 0));
      channel.configureBlocking(false);
      ports = new FramePorts(freePort(), ((InetSocketAddress) channel.getLocalAddress()).getPort());
      device = new InetSocketAddress(LOOPBACK, ports.own());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A port that is currently unused. */
  static int freePort() {
    try (DatagramChannel probe = DatagramChannel.open()) {
      probe.bind(new InetSocketAddress(LOOPBACK, 0));
      return ((InetSocketAddress) probe.getLocalAddress()).getPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The ports, as the device sees them. */
  FramePorts ports() {
    return ports;
  }

  void send(byte[] frame) {
    try {
      int unused = channel.send(ByteBuffer.wrap(frame), device);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void send(String hex) {
    send(HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  /** The frames that arrived since the last call. */
  List<byte[]> frames() {
    List<byte[]> frames = new ArrayList<>();
    ByteBuffer room = ByteBuffer.allocate(8192);
    try {
      while (channel.receive(room.clear()) != null) {
        byte[] frame = new byte[room.flip().remaining()];
        room.get(frame);
        frames.add(frame);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return frames;
  }

  /** The only frame that arrived since the last call, in hexadecimal. */
  String frame() {
    List<byte[]> frames = frames();
    if (frames.size() != 1) {
      throw new AssertionError("%d frames came, not one".formatted(frames.size()));
    }
    return HexFormat.of().formatHex(frames.getFirst());
  }

  /**
   * A frame with a packet over IPv4, and with the checksums that fit.
   *
   * @param transport from BTH to ICRC
   * @param change of the fields, before the checksums are computed
   */
  static byte[] packet(
      long to,
      long from,
      String source,
      String destination,
      byte[] transport,
      Consumer<ByteBuffer> change) {
    ByteBuffer frame = ByteBuffer.allocate(BTH + transport.length);
    Mac.header(frame, to, from, Ethernet.IPV4);
    Ipv4.VERSION.put(frame, IP, 4);
    Ipv4.IHL.put(frame, IP, 5);
    Ipv4.TOTAL_LENGTH.put(frame, IP, frame.capacity() - IP);
    Ipv4.IDENTIFICATION.put(frame, IP, 0xabcd);
    Ipv4.FLAGS.put(frame, IP, 2);
    Ipv4.TTL.put(frame, IP, 64);
    Ipv4.PROTOCOL.put(frame, IP, Udp.PROTOCOL);
    frame.put(IP + 12, InetAddress.ofLiteral(source).getAddress());
    frame.put(IP + 16, InetAddress.ofLiteral(destination).getAddress());
    Udp.SRC.put(frame, UDP, 0xd123);
    Udp.DST.put(frame, UDP, Udp.ROCE_PORT);
    Udp.LENGTH.put(frame, UDP, frame.capacity() - UDP);
    frame.put(BTH, transport);
    change.accept(frame);
    seal(frame);
    return frame.array();
  }

  private static void seal(ByteBuffer frame) {
    PacketView view = new PacketView();
    int bytes = frame.capacity();
    if (view.wrap(frame, 0, bytes, bytes, LinkType.ETHERNET) == Problem.NONE) {
      view.seal();
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
