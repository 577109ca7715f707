package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaManagement.Datagram;
import dev.bluebell.server.Quota;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The connection managers of two devices, and a network between them that may lose, double and
 * delay datagrams. Both use one clock, which the test steps.
 */
final class TwoManagers {
  static final Gid NEAR = Gid.ofIpv4(0x7f000002);
  static final Gid FAR = Gid.ofIpv4(0x7f000003);
  private static final long LATENCY_NANOS = TimeUnit.MICROSECONDS.toNanos(10);

  final CmWorld.Clock clock = new CmWorld.Clock();
  final Side near;
  final Side far;

  /** Datagrams in sending order, including lost ones. */
  final List<Mad> sent = new ArrayList<>();

  int lost;
  int doubled;
  int reordered;

  private final Random random;
  private double loss;
  private double doubling;
  private long jitterNanos;

  /** Selects datagrams to lose, in addition to random losses. */
  Predicate<Mad> cut = mad -> false;

  TwoManagers() {
    this(NEAR, FAR, 1, Map.of());
  }

  TwoManagers(Gid near, Gid far, long seed, Map<Quota, Long> amounts) {
    random = new Random(seed);
    this.near = new Side(near, amounts);
    this.far = new Side(far, amounts);
  }

  /** Loses and doubles a share of the datagrams, and delays each by a random time up to a limit. */
  void disturb(double lossShare, double doublingShare, long jitterMilliseconds) {
    loss = lossShare;
    doubling = doublingShare;
    jitterNanos = TimeUnit.MILLISECONDS.toNanos(jitterMilliseconds);
  }

  /** Lets time pass. */
  void pass(long milliseconds) {
    clock.pass(milliseconds);
  }

  /** Lets just enough time pass that datagrams arrive, and nothing is repeated. */
  void deliver() {
    clock.pass(1);
  }

  /** Number of sent messages of a kind. */
  long count(Predicate<Mad> which) {
    return sent.stream().filter(which).count();
  }

  /** A device and its connection manager. */
  final class Side {
    final Gid gid;
    final CmWorld world;
    final Network network;
    private long latest;

    /** How many more datagrams the device takes now. */
    int room = Integer.MAX_VALUE;

    private Side(Gid gid, Map<Quota, Long> amounts) {
      this.gid = gid;
      CmPort port =
          new CmPort(
              gid.low() << 8 | 7,
              false,
              0,
              5,
              List.of(new CmPort.Entry(1, CmWorld.LINK_LOCAL), new CmPort.Entry(3, gid)));
      world =
          new CmWorld(
              port, amounts, random, clock, address -> ConnectionManager.isOf(gid, address));
      network = world.manager.join(port, gid, this::carry);
    }

    CmAddress address(int port) {
      return CmAddress.of(gid, port);
    }

    private Side other() {
      return this == near ? far : near;
    }

    private boolean carry(Datagram datagram) {
      if (room == 0) {
        return false;
      }
      room--;
      Mad mad = Mad.of(datagram.mad()).orElseThrow();
      sent.add(mad);
      if (cut.test(mad) || !datagram.peer().equals(other().gid)) {
        lost++;
        return true;
      }
      int copies = random.nextDouble() < loss ? 0 : random.nextDouble() < doubling ? 2 : 1;
      lost += copies == 0 ? 1 : 0;
      doubled += copies == 2 ? 1 : 0;
      for (int i = 0; i < copies; i++) {
        long nanos = LATENCY_NANOS + (jitterNanos == 0 ? 0 : random.nextLong(jitterNanos));
        long at = clock.now() + nanos;
        reordered += at < latest ? 1 : 0;
        latest = Math.max(latest, at);
        clock.after(nanos, () -> other().network.arrived(new Datagram(gid, 1, datagram.mad())));
      }
      return true;
    }

    /** Lets a datagram arrive here. */
    void arrive(Gid from, Mad mad) {
      network.arrived(new Datagram(from, 1, mad.bytes().array().clone()));
    }

    long drops(CmCounts.Drop which) {
      return network.counts().get(which);
    }
  }

  /** The last sent message of a kind. */
  Optional<Mad> last(dev.bluebell.roce.packet.CmMad.Message message) {
    return sent.stream().filter(mad -> mad.message() == message).reduce((first, second) -> second);
  }
}
