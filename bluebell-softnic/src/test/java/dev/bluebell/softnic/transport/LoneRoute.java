package dev.bluebell.softnic.transport;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.fabric.Station;
import dev.bluebell.softnic.packet.Packet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fabric of one route, which collects what is sent, as long as a test says that it has room. */
final class LoneRoute implements Fabric, Route {
  private static final Station PORT = new Lone();

  private final List<Sent> sent = new ArrayList<>();
  private final List<Gid> opened = new ArrayList<>();
  private int room = Integer.MAX_VALUE;
  private int burstPackets = 4;
  private boolean leadsNowhere;
  private boolean keepsNoPayload;

  /** Entries 0 and 1 are of IPv6 and IPv4; the others are empty. */
  private static final class Lone implements Station {
    @Override
    public Gid gid(int index) {
      return switch (index) {
        case 0 -> LoneEnd.LOCAL;
        case 1 -> Gid.ofIpv4(0x0a000001);
        default -> Gid.ZERO;
      };
    }

    @Override
    public boolean isV1(int index) {
      return false;
    }

    @Override
    public boolean takes(long mac) {
      return true;
    }

    @Override
    public long mac() {
      return 0;
    }

    @Override
    public boolean isOwn(Gid gid) {
      return gid.equals(LoneEnd.LOCAL);
    }

    @Override
    public int mtuCode() {
      return PathMtu.LARGEST;
    }
  }

  /** Takes so many packets more, then refuses. */
  void room(int packets) {
    room = packets;
  }

  /** Packets that one train has at most; heeded when the route is opened. */
  void burst(int packets) {
    burstPackets = packets;
  }

  /** Has no route from now on. */
  void leadNowhere() {
    leadsNowhere = true;
  }

  /** Keeps the headers alone of what is sent. */
  void keepNoPayload() {
    keepsNoPayload = true;
  }

  /** What was sent since the last call. */
  List<Sent> take() {
    List<Sent> taken = List.copyOf(sent);
    sent.clear();
    return taken;
  }

  /** What was sent since the last call, as text. */
  List<String> texts() {
    return take().stream().map(Sent::toString).toList();
  }

  /** The GIDs to which a route was opened. */
  List<Gid> opened() {
    return opened;
  }

  @Override
  public @Nullable Route open(Gid destination, Work sender) {
    opened.add(destination);
    return leadsNowhere ? null : this;
  }

  @Override
  public Station station() {
    return PORT;
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
