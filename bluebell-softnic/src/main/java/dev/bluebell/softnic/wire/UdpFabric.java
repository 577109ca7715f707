package dev.bluebell.softnic.wire;

import dev.bluebell.hca.Gid;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Problem;
import dev.bluebell.roce.packet.Udp;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.engine.Polled;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.fabric.PacketSink;
import dev.bluebell.softnic.fabric.Path;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.fabric.Station;
import dev.bluebell.softnic.packet.NetworkHeader;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.port.Gids;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The network around a device: RoCEv2 over UDP between its address and the addresses of other
 * devices. Queue pairs of this device reach each other by the fabric inside. A datagram that is
 * wrong in any way changes nothing and is counted. Nothing is allocated for a packet. Owned by
 * whoever runs the engine.
 */
public final class UdpFabric extends Work implements Fabric, Polled {
  private static final int PACKETS_PER_TURN = 64;

  /** Payload that a connection may have on its way, where the kernel holds as much for the peer. */
  private static final int MOST_WINDOW_BYTES = 256 << 10;

  /** A datagram takes up to twice its bytes of a receive buffer, and connections share it. */
  private static final int BUFFER_SHARE = 8;

  /** Why a datagram was dropped, by the name of its counter. */
  private enum Drop {
    /** As mlx5's hw_counters name it. */
    ICRC("rx_icrc_encapsulated"),
    MALFORMED("rx_malformed"),
    OPCODE("rx_unknown_opcode"),
    OWN_ADDRESS("rx_from_own_address"),
    BUSY("rx_client_busy"),
    /** As mlx5's hw_counters name it. This device does not slow down. */
    CONGESTION("rp_cnp_ignored");

    private final String counter;

    Drop(String counter) {
      this.counter = counter;
    }
  }

  private final Fabric inside;
  private final PacketSink sink;
  private final Link link;
  private final Gid own;
  private final boolean hairpin;
  private final Engine engine;
  private final DeviceTime time;
  private final Explanations explanations;
  private final Counters counters;
  private final int windowBytes;
  private final int headerBytes;

  private final WireFormat out = new WireFormat();
  private final WireFormat in = new WireFormat();
  private final Packet arriving = new Packet();
  private final List<UdpRoute> waiting = new ArrayList<>();

  // A datagram that was received and is to be looked at in a turn.
  private @Nullable Sender pending;

  // Of the datagram that was received last.
  private int bytes;

  // When the socket was found empty last.
  private long emptyAt = Long.MIN_VALUE;

  private long sent;
  private long received;
  private long unsendable;
  private final long[] dropped = new long[Drop.values().length];

  /**
   * @param inside reaches the queue pairs of this device
   * @param sink takes what comes from the network
   * @param link closed by its owner
   * @param hairpin true to send packets to this device over the network, too
   */
  public UdpFabric(
      Fabric inside,
      PacketSink sink,
      Link link,
      boolean hairpin,
      Engine engine,
      DeviceTime time,
      Explanations explanations,
      Counters counters) {
    this.inside = inside;
    this.sink = sink;
    this.link = link;
    own = link.gid();
    this.hairpin = hairpin;
    this.engine = engine;
    this.time = time;
    this.explanations = explanations;
    this.counters = counters;
    windowBytes = Math.min(MOST_WINDOW_BYTES, link.receiveBufferBytes() / BUFFER_SHARE);
    headerBytes = WireFormat.headerBytes(Gids.isIpv4(own));
  }

  @Override
  public Station station() {
    return inside.station();
  }

  @Override
  public @Nullable Route open(Path path, Work sender) {
    Route local = inside.open(path, sender);
    Packet addressed = new Packet();
    path.address(addressed);
    boolean out =
        local == null
            ? path.leadsOut()
            : hairpin
                && !addressed.v1
                && isOwn(addressed.sourceGidHigh, addressed.sourceGidLow)
                && isOwn(addressed.destinationGidHigh, addressed.destinationGidLow);
    if (!out) {
      return local;
    }
    InetAddress peer = Gids.address(addressed.destinationGidHigh, addressed.destinationGidLow);
    return new UdpRoute(new InetSocketAddress(peer, Udp.ROCE_PORT), sender, local);
  }

  private boolean isOwn(long gidHigh, long gidLow) {
    return gidLow == own.low() && gidHigh == own.high();
  }

  @Override
  public List<String> lines() {
    List<String> lines = new ArrayList<>(inside.lines());
    StringBuilder drops = new StringBuilder();
    for (Drop drop : Drop.values()) {
      drops.append(", ").append(drop.counter).append(' ').append(dropped[drop.ordinal()]);
    }
    lines.add(
        "fabric network %s, UDP port %d: tx_packets %d, tx_refused %d, rx_packets %d, rx_unwanted %d%s"
            .formatted(
                Gids.address(own.high(), own.low()).getHostAddress(),
                Udp.ROCE_PORT,
                sent,
                unsendable,
                received,
                counters.unwantedPackets(),
                drops));
    return lines;
  }

  // ---- what is sent

  private final class UdpRoute implements Route {
    private final InetSocketAddress peer;
    private final Work sender;

    // What has no form on the wire goes this way, if the peer is of this device.
    private final @Nullable Route local;

    private boolean isWaiting;

    UdpRoute(InetSocketAddress peer, Work sender, @Nullable Route local) {
      this.peer = peer;
      this.sender = sender;
      this.local = local;
    }

    @Override
    public int burstBytes(int logMtu) {
      return 1 << logMtu;
    }

    @Override
    public int windowBytes() {
      return windowBytes;
    }

    @Override
    public boolean isDirect() {
      return false;
    }

    /** An answer may lie unread in the socket while the device's thread has no processor. */
    @Override
    public boolean isLate(int qpn, long due) {
      return emptyAt < due;
    }

    @Override
    public boolean send(Packet packet) {
      String whyNot = WireFormat.whyNot(packet);
      if (!whyNot.isEmpty()) {
        if (local != null) {
          return local.send(packet);
        }
        refuse(packet, whyNot);
        return true;
      }
      int end = out.encode(packet, link.port());
      ByteBuffer datagram = out.buffer();
      datagram.limit(end).position(headerBytes);
      try {
        if (link.send(datagram, peer)) {
          sent++;
          return true;
        }
      } catch (IOException e) {
        refuse(packet, "the network refused it (%s)".formatted(e.getMessage()));
        return true;
      }
      if (!isWaiting) {
        isWaiting = true;
        waiting.add(this);
        engine.activate(UdpFabric.this);
      }
      return false;
    }

    private void refuse(Packet packet, String why) {
      unsendable++;
      sink.lost(packet, why);
    }

    private void wake() {
      isWaiting = false;
      engine.activate(sender);
    }
  }

  private void wakeSenders() {
    for (int i = 0; i < waiting.size(); i++) {
      waiting.get(i).wake();
    }
    waiting.clear();
  }

  // ---- what is received

  @Override
  public int poll() {
    if (pending == null) {
      pending = receive();
    }
    if (pending == null) {
      return 0;
    }
    engine.activate(this);
    return 1;
  }

  @Override
  public int pollThoroughly() {
    return poll();
  }

  /** A device on a network always has something to wait for. */
  @Override
  public boolean isEmpty() {
    return false;
  }

  /** Receives a datagram; null when there is none. */
  private @Nullable Sender receive() {
    ByteBuffer room = in.buffer();
    room.limit(room.capacity()).position(headerBytes);
    Sender source = link.receive(room);
    bytes = room.position() - headerBytes;
    if (source == null) {
      emptyAt = time.now();
    }
    return source;
  }

  @Override
  protected int turn() {
    int done = 0;
    Sender source = pending == null ? receive() : pending;
    pending = null;
    while (source != null) {
      done++;
      take(source);
      source = done < PACKETS_PER_TURN ? receive() : null;
    }
    wakeSenders();
    return done;
  }

  private void take(Sender source) {
    received++;
    if (!hairpin && isOwn(source.gidHigh(), source.gidLow())) {
      // This device's own packets never come here: the sender is another one at its address.
      drop(Drop.OWN_ADDRESS);
      return;
    }
    Problem problem = in.wrap(bytes, source, own.high(), own.low());
    if (problem != Problem.NONE) {
      drop(problem == Problem.OPCODE ? Drop.OPCODE : Drop.MALFORMED);
      return;
    }
    if (!in.isIcrcGood()) {
      drop(Drop.ICRC);
      return;
    }
    in.decode(arriving, source, own.high(), own.low());
    if (arriving.opcode == BthOpcode.CNP) {
      drop(Drop.CONGESTION);
    } else if (engine.hasSleepingTurns() && engine.isHeldUp(sink.owner(arriving))) {
      drop(Drop.BUSY);
    } else {
      sink.arrive(arriving);
    }
  }

  private void drop(Drop why) {
    dropped[why.ordinal()]++;
  }

  /** The datagram at which the device failed is gone; the others go on. */
  @Override
  protected void abandon(String why) {
    explanations.add(why);
    engine.activate(this);
  }

  @Override
  public String toString() {
    return "the network, at %s"
        .formatted(
            NetworkHeader.isIpv4(own.high(), own.low())
                ? Gids.address(own.high(), own.low()).getHostAddress()
                : own);
  }
}
