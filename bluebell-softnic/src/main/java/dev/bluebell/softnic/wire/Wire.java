package dev.bluebell.softnic.wire;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.engine.Sleep;
import dev.bluebell.softnic.fabric.CutFabric;
import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.fabric.PacketSink;
import dev.bluebell.softnic.fabric.Path;
import dev.bluebell.softnic.injection.Faults;
import dev.bluebell.softnic.option.LinkOptions;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.port.EthernetPort;
import dev.bluebell.softnic.port.Port;
import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a device to the outside: a socket on a network and a capture file, each if the
 * options ask for it.
 */
public final class Wire implements AutoCloseable {
  private final DeviceTime time;
  private final Explanations explanations;
  private final boolean hairpin;
  private final @Nullable Link link;
  private final @Nullable ManagementQueue management;
  private final @Nullable Capture capture;
  private @Nullable UdpFabric network;

  /**
   * Binds the socket and begins the file.
   *
   * @param mac the device's Ethernet address, 48 bits
   * @throws HcaException when one of them can't be opened
   */
  public Wire(SoftNicOptions options, long mac, DeviceTime time, Explanations explanations) {
    this.time = time;
    this.explanations = explanations;
    hairpin = options.link().hairpin();
    link = link(options.link(), mac, time);
    management = link == null ? null : new ManagementQueue(link.gid());
    try {
      capture =
          options.capture() == null ? null : new Capture(options.capture(), time, explanations);
    } catch (HcaException e) {
      closeLink();
      throw e;
    }
  }

  private static @Nullable Link link(LinkOptions options, long mac, DeviceTime time) {
    InetAddress address = options.listen();
    if (address == null) {
      return null;
    }
    return options.frames() == null
        ? Link.open(address)
        : FrameLink.open(options.frames(), address, mac, time);
  }

  /** The datagrams of queue pair 1; empty without a network. */
  public Optional<ManagementQueue> management() {
    return Optional.ofNullable(management);
  }

  /** How the device's thread sleeps; a datagram wakes it. */
  public Sleep sleep() {
    return link == null ? Sleep.PARKED : link;
  }

  /**
   * The network fabric around the fabric of the device; without a network, the latter alone.
   *
   * @param inside reaches the queue pairs of the device
   * @param sink takes packets from the network
   * @param port the port that datagrams of queue pair 1 leave from
   * @param faults of the port, which may go down; null when there are none
   */
  public Fabric around(
      Fabric inside,
      PacketSink sink,
      Port port,
      Engine engine,
      Counters counters,
      @Nullable Faults faults) {
    if (link == null || management == null) {
      return inside;
    }
    UdpFabric opened =
        new UdpFabric(
            inside,
            sink,
            managed -> tapped(managed, faults),
            link,
            management,
            peer -> pathTo(port, peer),
            hairpin,
            engine,
            time,
            explanations,
            counters);
    engine.poll(opened);
    engine.beforeExit(opened::flush);
    network = opened;
    return opened;
  }

  private static Path pathTo(Port port, Gid peer) {
    return port.path(
        View.of(Ads.STRUCTURE)
            .set(Ads.SRC_ADDR_INDEX, EthernetPort.IPV4_V2)
            .setBytes(Ads.RGID_RIP, peer.bytes()));
  }

  private PacketSink tapped(PacketSink sink, @Nullable Faults faults) {
    PacketSink captured = capture == null ? sink : capture.before(sink);
    return faults == null ? captured : new CutFabric.Sink(captured, faults);
  }

  /**
   * The outermost fabric of a device, which writes packets to the capture file, if there is one.
   */
  public Fabric captured(Fabric fabric) {
    Fabric outermost = capture == null ? fabric : capture.around(fabric);
    if (network != null) {
      network.manageThrough(outermost);
    }
    return outermost;
  }

  @Override
  public void close() {
    closeLink();
    if (management != null) {
      management.close();
    }
    if (capture != null) {
      capture.close();
    }
  }

  private void closeLink() {
    if (link != null) {
      link.close();
    }
  }
}
