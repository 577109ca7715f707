package dev.bluebell.softnic.wire;

import dev.bluebell.roce.packet.Bth;
import dev.bluebell.roce.packet.Ipv4;
import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Problem;
import dev.bluebell.roce.packet.Udp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A peer simulated by a test: sends hand-made datagrams to a device, and reads the responses. */
final class Peer implements AutoCloseable {
  private static final int HEADERS = 28;

  private final DatagramChannel channel;
  private final String own;
  private final int port;
  private final String device;

  /**
   * @param own address of the peer
   * @param device address of the device
   */
  Peer(String own, String device) {
    this(own, Udp.ROCE_PORT, device);
  }

  /**
   * @param own address of the peer, at which a device may listen
   * @param port of UDP that it sends from
   * @param device address of the device
   */
  Peer(String own, int port, String device) {
    this.own = own;
    this.port = port;
    this.device = device;
    try {
      channel = DatagramChannel.open();
      channel.bind(new InetSocketAddress(InetAddress.ofLiteral(own), port));
      channel.configureBlocking(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A packet from BTH to ICRC as this peer sends it: with its addresses, and a valid ICRC.
   *
   * @param transport from BTH to ICRC
   * @param identification of IPv4, 16 bits, which the device does not see
   * @param change of the fields, which gets the packet and where its BTH begins
   */
  byte[] sealed(byte[] transport, int identification, Consumer<PacketView> change) {
    ByteBuffer packet = ByteBuffer.allocate(HEADERS + transport.length);
    packet.put(HEADERS, transport);
    Ipv4.VERSION.put(packet, 0, 4);
    Ipv4.IHL.put(packet, 0, 5);
    Ipv4.TOTAL_LENGTH.put(packet, 0, packet.capacity());
    Ipv4.IDENTIFICATION.put(packet, 0, identification);
    Ipv4.FLAGS.put(packet, 0, 2);
    Ipv4.PROTOCOL.put(packet, 0, Udp.PROTOCOL);
    packet.put(12, InetAddress.ofLiteral(own).getAddress());
    packet.put(16, InetAddress.ofLiteral(device).getAddress());
    Udp.SRC.put(packet, 20, port);
    Udp.DST.put(packet, 20, Udp.ROCE_PORT);
    Udp.LENGTH.put(packet, 20, packet.capacity() - 20);
    PacketView view = new PacketView();
    if (view.wrap(packet, 0, packet.capacity(), packet.capacity(), LinkType.IPV4) == Problem.NONE) {
      change.accept(view);
      view.seal();
    }
    byte[] sealed = new byte[transport.length];
    packet.get(HEADERS, sealed);
    return sealed;
  }

  /**
   * Sets the traffic class of sent packets, as a switch on the way may.
   *
   * @param trafficClass 8 bits
   */
  Peer marking(int trafficClass) {
    try {
      channel.setOption(StandardSocketOptions.IP_TOS, trafficClass);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void send(byte[] transport) {
    try {
      int unused =
          channel.send(
              ByteBuffer.wrap(transport),
              new InetSocketAddress(InetAddress.ofLiteral(device), Udp.ROCE_PORT));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The packets that arrived from the device since the last call, each from BTH to ICRC. */
  List<byte[]> answers() {
    List<byte[]> answers = new ArrayList<>();
    ByteBuffer room = ByteBuffer.allocate(8192);
    try {
      while (channel.receive(room.clear()) != null) {
        byte[] answer = new byte[room.flip().remaining()];
        room.get(answer);
        answers.add(answer);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return answers;
  }

  /** Opcode of a packet from BTH on. */
  static int opcode(byte[] transport) {
    return Bth.OPCODE.getInt(ByteBuffer.wrap(transport), 0);
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
