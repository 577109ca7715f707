package dev.bluebell.softnic.rig;

import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.fabric.Path;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.fabric.Station;
import dev.bluebell.softnic.packet.Packet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fabric with one route, which collects the sent packets; the test limits its room. */
public final class LoneRoute implements Fabric, Route {
  private final Station station;
  private final List<Sent> sent = new ArrayList<>();
  private final List<Path> opened = new ArrayList<>();
  private int room = Integer.MAX_VALUE;
  private int burstPackets = 4;
  private boolean leadsNowhere;
  private boolean keepsNoPayload;

  /**
   * @param station the station whose packets it carries
   */
  public LoneRoute(Station station) {
    this.station = station;
  }

  /** Accepts this many more packets, then refuses. */
  public void room(int packets) {
    room = packets;
  }

  /** Sets the most packets of a train, for routes opened later. */
  public void burst(int packets) {
    burstPackets = packets;
  }

  /** Has no route from now on. */
  public void leadNowhere() {
    leadsNowhere = true;
  }

  /** Keeps only the headers of sent packets from now on. */
  public void keepNoPayload() {
    keepsNoPayload = true;
  }

  /** The packets sent since the last call. */
  public List<Sent> take() {
    List<Sent> taken = List.copyOf(sent);
    sent.clear();
    return taken;
  }

  /** The packets sent since the last call, as text. */
  public List<String> texts() {
    return take().stream().map(Sent::toString).toList();
  }

  /** The paths for which a route was opened. */
  public List<Path> opened() {
    return opened;
  }

  @Override
  public @Nullable Route open(Path path, Work sender) {
    opened.add(path);
    return leadsNowhere ? null : this;
  }

  @Override
  public Station station() {
    return station;
  }

  @Override
  public int burstBytes(int logMtu) {
    return burstPackets << logMtu;
  }

  @Override
  public boolean isDirect() {
    return false;
  }

  @Override
  public boolean send(Packet packet) {
    if (room == 0) {
      return false;
    }
    room--;
    sent.add(keepsNoPayload ? Sent.headersOf(packet) : Sent.of(packet));
    return true;
  }
}
