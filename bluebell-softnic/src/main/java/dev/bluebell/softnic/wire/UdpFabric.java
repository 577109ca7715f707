package dev.bluebell.softnic.wire;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaManagement.Datagram;
import dev.bluebell.roce.packet.Problem;
import dev.bluebell.roce.packet.Udp;
import dev.bluebell.softnic.diagnosis.CongestionCounter;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.engine.Polled;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.fabric.PacketSink;
import dev.bluebell.softnic.fabric.PassingSink;
import dev.bluebell.softnic.fabric.Path;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.fabric.Station;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.port.EthernetPort;
import dev.bluebell.softnic.port.Gids;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The fabric of a device on a network: RoCEv2 over UDP between its address and the addresses of
 * other devices. Queue pairs of this device reach each other through the wrapped fabric. An invalid
 * datagram is counted, and changes nothing else. Nothing is allocated for a packet. Owned by the
 * thread that runs the engine.
 */
public final class UdpFabric extends Work implements Fabric, Polled {
  /** Most unacknowledged payload of a connection, if the receive buffer is large enough. */
  private static final int MOST_WINDOW_BYTES = 512 << 10;

  /**
   * Size of a portion of packets. A portion is sent before the step ends, or answered before the
   * next packets are examined, so that both ends work at the same time. Each packet counts as
   * {@link #PACKET_EFFORT} bytes more.
   */
  private static final int PORTION_BYTES = 128 << 10;

  /** The cost of a packet without payload, in bytes of payload. */
  private static final int PACKET_EFFORT = 4 << 10;

  /** A datagram takes up to twice its bytes of a receive buffer, and connections share it. */
  private static final int BUFFER_SHARE = 8;

  /** Why a datagram was dropped, by the name of its counter. */
  private enum Drop {
    /** Named as in mlx5's hw_counters. */
    ICRC("rx_icrc_encapsulated"),
    MALFORMED("rx_malformed"),
    OPCODE("rx_unknown_opcode"),
    OWN_ADDRESS("rx_from_own_address"),
    BUSY("rx_client_busy"),
    /** The queue of the communication manager of this process is full. */
    MANAGEMENT("rx_cm_dropped");

    private final String counter;

    Drop(String counter) {
      this.counter = counter;
    }
  }

  private final Fabric inside;
  private final PacketSink sink;
  private final Link link;
  private final Gid own;
  private final Gid linkLocal;
  private final boolean hairpin;
  private final Engine engine;
  private final DeviceTime time;
  private final Explanations explanations;
  private final Counters counters;
  private final int windowBytes;
  private final long socketBytes;

  private final Outgoing out;
  private final Packet unsent = new Packet();
  private final ServiceAnswers services = new ServiceAnswers();
  private final ManagementQueue management;
  private final Function<Gid, Path> paths;
  private final List<UdpRoute> waiting = new ArrayList<>();

  // The outermost fabric around this one, which packets of queue pair 1 pass like all others.
  private Fabric outermost = this;

  // True while a route for a datagram of queue pair 1 is opened, for which any host may have asked.
  private boolean isOpeningForAnyone;

  // The received packets, and the one that is being delivered. A turn that waits for a page of a
  // client keeps them, and the next one gets others. isTaking is set during a turn, and then until
  // they are replaced.
  private Incoming in = new Incoming();
  private WireFormat format = new WireFormat(in.buffer());
  private Packet arriving = new Packet();
  private boolean isTaking;

  // Left by turns that have waited; may be used again.
  private final Deque<Incoming> spares = new ArrayDeque<>();

  // Bytes collected since packets were last sent.
  private int collected;

  // The probable IPv4 identification of the next packet: peers count it up, from 0.
  private int identification;

  // What had arrived by these times was received, and was taken, too.
  private long readAt = Long.MIN_VALUE;
  private long takenAt = Long.MIN_VALUE;

  // An earlier time, and how much was received since then. What had arrived by then was received,
  // too, once this is more than the socket holds.
  private long markedAt = Long.MIN_VALUE;
  private long sinceMark;

  private long sent;
  private long received;
  private long unsendable;
  private long answered;
  private long managed;
  private long managing;
  private final long[] dropped = new long[Drop.values().length];

  /**
   * @param inside reaches the queue pairs of this device
   * @param sink takes packets from the network for queue pairs
   * @param taps see every packet from the network before that
   * @param link closed by its owner
   * @param management holds the datagrams of queue pair 1 for a communication manager
   * @param paths the path on which such datagrams reach a GID
   * @param hairpin true to send packets to this device over the network, too
   */
  public UdpFabric(
      Fabric inside,
      PacketSink sink,
      UnaryOperator<PacketSink> taps,
      Link link,
      ManagementQueue management,
      Function<Gid, Path> paths,
      boolean hairpin,
      Engine engine,
      DeviceTime time,
      Explanations explanations,
      Counters counters) {
    this.inside = inside;
    this.sink = taps.apply(new ManagedSink(sink));
    this.link = link;
    own = link.gid();
    linkLocal = inside.station().gid(EthernetPort.LINK_LOCAL_V2);
    this.management = management;
    this.paths = paths;
    this.hairpin = hairpin;
    this.engine = engine;
    this.time = time;
    this.explanations = explanations;
    this.counters = counters;
    socketBytes = 2L * link.receiveBufferBytes();
    windowBytes = Math.min(MOST_WINDOW_BYTES, link.receiveBufferBytes() / BUFFER_SHARE);
    out = new Outgoing(link.port(), own.isIpv4(), link.longestRun());
  }

  /** Sends the datagrams of queue pair 1 through the fabrics around this one. */
  void manageThrough(Fabric fabric) {
    outermost = fabric;
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
    if (!isOpeningForAnyone) {
      link.meet(peer);
    }
    return new UdpRoute(new InetSocketAddress(peer, Udp.ROCE_PORT), sender, local);
  }

  private boolean isOwn(long gidHigh, long gidLow) {
    return gidLow == own.low() && gidHigh == own.high();
  }

  @Override
  public List<String> lines() {
    List<String> lines = new ArrayList<>(inside.lines());
    StringBuilder rest = new StringBuilder();
    for (Drop drop : Drop.values()) {
      rest.append(", ").append(drop.counter).append(' ').append(dropped[drop.ordinal()]);
    }
    for (CongestionCounter counter : CongestionCounter.values()) {
      rest.append(", ").append(counter).append(' ').append(counters.value(counter));
    }
    lines.add(
        "fabric network %s, UDP port %d, runs of %d: tx_packets %d, tx_refused %d, rx_packets %d, rx_sidr_answered %d, tx_cm %d, rx_cm %d, rx_unwanted %d%s"
            .formatted(
                Gids.address(own.high(), own.low()).getHostAddress(),
                Udp.ROCE_PORT,
                link.longestRun(),
                sent - link.unsent(),
                unsendable,
                received,
                answered,
                managing,
                managed,
                counters.unwantedPackets(),
                rest));
    lines.addAll(link.lines());
    management.line().ifPresent(lines::add);
    return lines;
  }

  // ---- sending

  private final class UdpRoute implements Route {
    private final InetSocketAddress peer;
    private final Work sender;

    // Carries packets that have no wire format, if the peer is on this device.
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

    @Override
    public boolean isUnread(long due) {
      return (in.isEmpty() ? readAt : takenAt) < due;
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
      if (out.isFull() && !flush()) {
        if (!isWaiting) {
          isWaiting = true;
          waiting.add(this);
          engine.activate(UdpFabric.this);
        }
        return false;
      }
      out.add(packet, peer);
      collected += PACKET_EFFORT + packet.payloadBytes;
      if (collected >= PORTION_BYTES || out.hasFullRun()) {
        boolean unused = flush();
      }
      return true;
    }

    @Override
    public boolean isHeldUp(Packet packet) {
      return local != null && !WireFormat.whyNot(packet).isEmpty() && local.isHeldUp(packet);
    }

    private void wake() {
      isWaiting = false;
      engine.activate(sender);
    }
  }

  private void refuse(Packet packet, String why) {
    unsendable++;
    sink.lost(packet, why);
  }

  /** Sends the collected packets; false when there is no room for some of them now. */
  boolean flush() {
    collected = 0;
    while (!out.isEmpty()) {
      int before = out.count();
      try {
        link.send(out);
        sent += before - out.count();
        return out.isEmpty();
      } catch (IOException e) {
        sent += before - out.count();
        refuseRun("the network refused it (%s)".formatted(e.getMessage()));
      }
    }
    return true;
  }

  private void refuseRun(String why) {
    for (int left = out.run(out.next()); left > 0; left--) {
      out.describe(unsent);
      out.sent(1);
      refuse(unsent, why);
    }
  }

  private void wakeSenders() {
    for (int i = 0; i < waiting.size(); i++) {
      waiting.get(i).wake();
    }
    waiting.clear();
  }

  // ---- receiving

  @Override
  public int poll() {
    if (hasOwnBatch() && (!management.isEmpty() || hasArrived())) {
      engine.activate(this);
      return 1;
    }
    // Packets are left that had no room before: the device must not sleep before they are sent.
    return out.count();
  }

  /** True when there is a packet to take; receives packets if necessary. */
  private boolean hasArrived() {
    if (in.isEmpty()) {
      takenAt = readAt;
      boolean isMore = link.receive(in);
      sinceMark += in.bufferBytes();
      if (!isMore || sinceMark > socketBytes) {
        readAt = isMore ? markedAt : time.now();
        markedAt = time.now();
        sinceMark = 0;
      }
    }
    return !in.isEmpty();
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

  @Override
  protected int turn() {
    // Send the responses to the previous portion.
    boolean unused = flush();
    if (!hasOwnBatch()) {
      return 0;
    }
    int done = 0;
    isTaking = true;
    Incoming batch = in;
    try {
      for (int taken = 0; isPortion(taken) && !batch.isEmpty(); ) {
        batch.next();
        taken += PACKET_EFFORT + batch.bytes();
        take(batch.sender());
        done++;
        if (batch != in) {
          // This turn has waited for a page, and others have taken the rest.
          return done;
        }
      }
    } finally {
      if (batch == in) {
        isTaking = false;
      } else {
        spares.push(batch);
      }
    }
    int sentOut = sendManagement();
    wakeSenders();
    // 0 ends the turn: later packets are received in the next step.
    return in.isEmpty() ? sentOut : done;
  }

  /** True while a turn that has taken so many bytes may deliver another packet. */
  private boolean isPortion(int taken) {
    return taken < PORTION_BYTES && engine.effort().spent() < PORTION_BYTES;
  }

  /**
   * True when another device sent a packet from an address of this one: its own packets never
   * arrive here, except with hairpin those from the address on the network.
   */
  private boolean isForged(Sender source) {
    long high = source.gidHigh();
    long low = source.gidLow();
    return isOwn(high, low) ? !hairpin : low == linkLocal.low() && high == linkLocal.high();
  }

  private void take(Sender source) {
    received++;
    if (isForged(source)) {
      drop(Drop.OWN_ADDRESS);
      return;
    }
    if (in.bytes() > WireFormat.ROOM) {
      drop(Drop.MALFORMED);
      return;
    }
    Problem problem = wrap(source);
    if (problem != Problem.NONE) {
      drop(problem == Problem.OPCODE ? Drop.OPCODE : Drop.MALFORMED);
      return;
    }
    if (format.isTooLong()) {
      drop(Drop.MALFORMED);
      return;
    }
    int found = format.identification();
    if (found < 0) {
      drop(Drop.ICRC);
      return;
    }
    identification = found + 1 & 0xffff;
    format.decode(arriving, source, own.high(), own.low());
    if (engine.hasSleepingTurns() && engine.isHeldUp(sink.owner(arriving))) {
      drop(Drop.BUSY);
    } else {
      sink.arrive(arriving);
    }
  }

  /** Takes out the datagrams of queue pair 1, after all taps. */
  private final class ManagedSink extends PassingSink {
    ManagedSink(PacketSink sink) {
      super(sink);
    }

    @Override
    public void arrive(Packet packet) {
      if (!ManagementQueue.isManagement(packet) || !manages(packet)) {
        super.arrive(packet);
      }
    }
  }

  private Problem wrap(Sender source) {
    if (link.showsHeaders()) {
      return format.wrapWhole(in.at(), in.bytes(), own.isIpv4());
    }
    int probable = in.isFirst() ? 0 : identification;
    return format.wrap(
        in.at(), in.bytes(), source, probable, in.trafficClass(), own.high(), own.low());
  }

  /** Handles a datagram for QP 1; false when this device does not handle it. */
  private boolean manages(Packet datagram) {
    if (!management.isOpen()) {
      return answers(datagram);
    }
    if (management.take(datagram)) {
      managed++;
    } else {
      drop(Drop.MANAGEMENT);
    }
    return true;
  }

  /** Sends datagrams of the communication manager, as many as there is room for now. */
  private int sendManagement() {
    int count = 0;
    for (Datagram next = management.next(); next != null; next = management.next()) {
      if (!sendOut(management.packet(next), next.peer())) {
        break;
      }
      management.sent();
      count++;
    }
    managing += count;
    return count;
  }

  /** Sends a packet of queue pair 1; false when there is no room for it now. */
  private boolean sendOut(Packet packet, Gid peer) {
    Path path = paths.apply(peer);
    Route route;
    isOpeningForAnyone = true;
    try {
      route = outermost.open(path, this);
    } finally {
      isOpeningForAnyone = false;
    }
    if (route == null) {
      refuse(packet, path.whyNowhere());
      return true;
    }
    return route.send(packet);
  }

  /** Answers a service request; false when a datagram for QP 1 is something else. */
  private boolean answers(Packet question) {
    Packet answer = services.to(question);
    if (answer == null) {
      return false;
    }
    answered++;
    // Without room for the answer, the peer repeats the question.
    boolean unused = sendOut(answer, new Gid(question.sourceGidHigh, question.sourceGidLow));
    return true;
  }

  private void drop(Drop why) {
    dropped[why.ordinal()]++;
  }

  /** Another turn replaces what the suspended one keeps, see {@link #hasOwnBatch}. */
  @Override
  protected boolean leave() {
    return true;
  }

  /** Leaves packets to a suspended turn; false when there is no memory for others yet. */
  private boolean hasOwnBatch() {
    if (!isTaking) {
      return true;
    }
    try {
      Incoming next = spares.isEmpty() ? new Incoming() : spares.peek();
      WireFormat nextFormat = new WireFormat(next.buffer());
      arriving = new Packet();
      format = nextFormat;
      next.takeRest(in);
      in = next;
    } catch (OutOfMemoryError full) {
      return false;
    }
    spares.poll();
    isTaking = false;
    return true;
  }

  /** The datagram at which the device failed is gone; the others continue. */
  @Override
  protected void abandon(String why) {
    explanations.add(why);
    engine.activate(this);
  }

  @Override
  public String toString() {
    return "the network, at %s".formatted(Gids.text(own));
  }
}
