package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaManagement;
import dev.bluebell.hca.HcaManagement.Datagram;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.Processes;
import dev.bluebell.uverbs.call.Refusal;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The state of the connection manager that all clients of a device share: the numbers of ids, the
 * ports, the time. It is also the lock of all ids and files, so its holder never waits for a client
 * or the device: client memory and the device are accessed without it. The kernel is asked for the
 * machine's addresses under it.
 */
final class ConnectionManager {
  private static final Path FIRST_PORT = Path.of("/proc/sys/net/ipv4/ip_unprivileged_port_start");
  private static final int USUAL_FIRST_PORT = 1024;
  private static final int PSN_BITS = 24;
  private static final Logger LOGGER = System.getLogger("dev.bluebell.uverbs");

  /** Addresses that always mean the device itself. */
  private static final Set<InetAddress> STANDARD =
      Set.of(
          CmAddress.loopback(CmAddress.INET, 0).host(),
          CmAddress.loopback(CmAddress.INET6, 0).host());

  private final Ports ports;
  private final Deadlines deadlines = new Deadlines(this);
  private final RandomGenerator random;
  private final Timer timer;
  private @Nullable Network network;
  private final BitSet used = new BitSet();
  private final Map<Integer, Object> numbered = new HashMap<>();
  private long positions;

  /** A clock that also runs actions later, once. */
  interface Timer {
    /** Monotonic time in nanoseconds. */
    long now();

    void after(long nanos, Runnable action);
  }

  /** The timer of the system. */
  private static final class SystemTimer implements Timer {
    private final long start = System.nanoTime();

    @Override
    public long now() {
      return System.nanoTime() - start;
    }

    @Override
    public void after(long nanos, Runnable action) {
      CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(action);
    }
  }

  /** The connection manager of a device; it reaches other devices if the device has a network. */
  static ConnectionManager of(Hca hca) {
    RandomGenerator random = new SecureRandom();
    @Nullable HcaManagement management = hca.openManagement().orElse(null);
    if (management == null) {
      return new ConnectionManager(
          ConnectionManager::isLocal, firstPort(), random, new SystemTimer());
    }
    ConnectionManager manager =
        new ConnectionManager(
            address -> isOf(management.gid(), address), firstPort(), random, new SystemTimer());
    Network network = manager.join(CmPort.of(hca), management.gid(), management::send);
    management.show(network.counts()::line);
    Thread unused =
        Thread.ofPlatform()
            .daemon()
            .name("bluebell-cm")
            .start(() -> manager.receive(management, network));
    return manager;
  }

  ConnectionManager(
      Predicate<InetAddress> local, int firstPort, RandomGenerator random, Timer timer) {
    ports = new Ports(local, firstPort, random);
    this.random = random;
    this.timer = timer;
  }

  /**
   * Connects this device to others.
   *
   * @param own GID of its address on the network
   * @param link sends a datagram without waiting; false when it is lost at once
   */
  Network join(CmPort port, Gid own, Predicate<Datagram> link) {
    Network joined = new Network(this, port, own, link, random);
    network = joined;
    return joined;
  }

  private void receive(HcaManagement management, Network from) {
    try {
      for (@Nullable Datagram next = management.receive();
          next != null;
          next = management.receive()) {
        Datagram datagram = next;
        try {
          synchronized (this) {
            from.arrived(datagram);
          }
        } catch (RuntimeException defect) {
          LOGGER.log(Level.ERROR, "a datagram of " + datagram.peer() + " failed", defect);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** On a network, all other addresses, including this machine's, belong to other devices. */
  static boolean isOf(Gid own, InetAddress address) {
    return address.equals(CmAddress.of(own, 0).host()) || STANDARD.contains(address);
  }

  private static boolean isLocal(InetAddress address) {
    try {
      // A scope counts only in link-local addresses, as for a kernel.
      if (address instanceof Inet6Address scoped
          && scoped.isLinkLocalAddress()
          && scoped.getScopeId() > 0) {
        @Nullable NetworkInterface named = NetworkInterface.getByIndex(scoped.getScopeId());
        return named != null && named.inetAddresses().anyMatch(address::equals);
      }
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false;
    }
  }

  // Clients run as the same user.
  private static int firstPort() {
    if (Processes.userId() == 0) {
      return 0;
    }
    try {
      return Integer.parseInt(Files.readString(FIRST_PORT).strip());
    } catch (IOException | NumberFormatException e) {
      return USUAL_FIRST_PORT;
    }
  }

  Ports ports() {
    return ports;
  }

  /** The peers at an address: on this device, or on another one. */
  Peers towards(CmAddress address) {
    return network == null || address.isIb() || ports.reach(address) ? ports : network;
  }

  /** True for an IPv4 or IPv6 address of another device. */
  boolean isElsewhere(CmAddress address) {
    return towards(address) == network;
  }

  /** This device's address for reaching another address. */
  CmAddress near(CmAddress address) {
    return network != null && isElsewhere(address) ? network.address() : address;
  }

  /** Text for errors: the owner of the addresses to which ids can be bound. */
  String addresses() {
    return network == null
        ? "this machine"
        : "the device; use its own, %s, or 127.0.0.1"
            .formatted(network.address().host().getHostAddress());
  }

  /** Text for errors: the reachable addresses. */
  String reachable() {
    return network == null
        ? "the device has no network, so the connection manager connects the clients of one device"
            + " process; use 127.0.0.1, ::1 or another address of this machine, or give the devices"
            + " addresses (listen=, for Ethernet ports)"
        : "from %s, the device reaches addresses of the same IP version for ids that are not bound"
                .formatted(network.address().host().getHostAddress())
            + " to another address; for the other IP version, use a device that listens at such an"
            + " address";
  }

  Deadlines deadlines() {
    return deadlines;
  }

  long now() {
    return timer.now();
  }

  /** A random PSN, which no client can predict. */
  int psn() {
    return random.nextInt(1 << PSN_BITS);
  }

  /** Makes an object with the lowest free number, because librdmacm keeps a table of numbers. */
  <T> T number(IntFunction<T> maker) {
    int number = used.nextClearBit(0);
    T made = maker.apply(number);
    used.set(number);
    numbered.put(number, made);
    return made;
  }

  void forget(int number) {
    used.clear(number);
    numbered.remove(number);
  }

  /** A position behind all earlier ones, in the order of events. */
  long position() {
    return positions++;
  }

  /** The object with a number. */
  <T> T find(Class<T> kind, int number) {
    @Nullable Object found = numbered.get(number);
    if (!kind.isInstance(found)) {
      throw new Refusal(
          Errno.ENOENT, "number %d does not name an object of the client".formatted(number));
    }
    return kind.cast(found);
  }

  /** Runs an action later, under the lock. */
  void after(long nanos, Runnable action) {
    timer.after(
        nanos,
        () -> {
          synchronized (this) {
            action.run();
          }
        });
  }
}
