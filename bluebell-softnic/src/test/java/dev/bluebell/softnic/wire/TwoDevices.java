package dev.bluebell.softnic.wire;

import dev.bluebell.hca.Gid;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.port.EthernetPort;
import dev.bluebell.softnic.port.Gids;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import java.net.InetAddress;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Two devices at two addresses of this machine, which reach each other over UDP and are stepped
 * together. The clocks of both stand still until the test advances them.
 */
final class TwoDevices implements AutoCloseable {
  /** Name of the lock of tests that use these addresses, for one device listens at an address. */
  static final String ADDRESSES = "addresses";

  static final String NEAR = address(2);
  static final String FAR = address(3);

  final Rig near;
  final Rig far;

  /** A loopback address that tests of other processes rarely use at the same time. */
  static String address(int last) {
    long pid = ProcessHandle.current().pid();
    return "127.%d.%d.%d".formatted(64 + (pid >>> 8 & 0x3f), pid & 0xff, last);
  }

  TwoDevices() {
    this(UnaryOperator.identity(), UnaryOperator.identity());
  }

  TwoDevices(UnaryOperator<SoftNicOptions> nearOptions, UnaryOperator<SoftNicOptions> farOptions) {
    near = open(NEAR, nearOptions);
    far = open(FAR, farOptions);
  }

  static Rig open(String address, UnaryOperator<SoftNicOptions> change) {
    return Rigs.open(options -> change.apply(options.withListen(InetAddress.ofLiteral(address))));
  }

  static Gid gid(String address) {
    return Gids.of(InetAddress.ofLiteral(address));
  }

  /** Settings of a connection to an address. */
  static Settings to(String address) {
    return to(address, new Settings());
  }

  static Settings to(String address, Settings settings) {
    return settings.source(EthernetPort.IPV4_V2).remote(gid(address));
  }

  /** A queue pair of each device, connected to the other. */
  record Pair(RawQp near, RawQp far) {}

  Pair pair() {
    return pair(0, Settings::new);
  }

  Pair pair(int service, Supplier<Settings> settings) {
    RawQp one = near.qp(new RawQpPlan(near.cq(6)).service(service));
    RawQp other = far.qp(new RawQpPlan(far.cq(6)).service(service));
    one.connect(other.number(), to(FAR, settings.get()));
    other.connect(one.number(), to(NEAR, settings.get()));
    return new Pair(one, other);
  }

  /** Steps both until both wait for something. */
  void settle() {
    int done;
    do {
      done = near.nic().step() + far.nic().step();
    } while (done > 0);
  }

  /** Advances both clocks, then settles. */
  void pass(long nanos) {
    near.clock().advance(nanos);
    far.clock().advance(nanos);
    settle();
  }

  /** The line that a device prints about its network. */
  static String network(Rig rig) {
    return rig.nic().diagnosis().orElseThrow().objects().stream()
        .filter(line -> line.startsWith("fabric network "))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    near.close();
    far.close();
  }
}
