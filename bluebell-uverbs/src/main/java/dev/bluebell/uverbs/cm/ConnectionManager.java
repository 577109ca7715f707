package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaManagement;
import dev.bluebell.hca.HcaManagement.Datagram;
import dev.bluebell.server.Processes;
import dev.bluebell.uverbs.call.Errno;
import dev.bluebell.uverbs.call.Refusal;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
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
 * What all clients of a device share of the connection manager: the numbers of ids, the ports, the
 * time. It is also the lock of all ids and files, so a thread that holds it never waits for a
 * client or the device: memory of clients is read and written, and the device is asked, without it.
 * The addresses of the machine are asked of the kernel under it.
 */
final class ConnectionManager {
  private static final Path FIRST_PORT = Path.of("/proc/sys/net/ipv4/ip_unprivileged_port_start");
  private static final int USUAL_FIRST_PORT = 1024;
  private static final int PSN_BITS = 24;
  private static final Logger LOGGER = System.getLogger("dev.bluebell.uverbs");

  /** They always stand for the device itself. */
  private static final Set<InetAddress> STANDARD =
      Set.of(
          CmAddress.loopback(CmAddress.INET, 0).host(),
          CmAddress.loopback(CmAddress.INET6, 0).host());

  private final Ports ports;
  private final RandomGenerator random;
  private final Timer timer;
  private @Nullable Network network;
  private final BitSet used = new BitSet();
  private final Map<Integer, Object> numbered = new HashMap<>();

  /** Has the time, and runs something later, once. */
  interface Timer {
    /** Nanoseconds since some time; never goes back. */
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

  /** The connection manager of a device, which reaches other devices if it has a network. */
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
   * Connects this device with others.
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

  /** On a network, other devices have the other addresses, also those of this machine. */
  static boolean isOf(Gid own, InetAddress address) {
    return address.equals(CmAddress.of(own, 0).host()) || STANDARD.contains(address);
  }

  private static boolean isLocal(InetAddress address) {
    try {
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false;
    }
  }

  // Clients are of the same user.
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

  /** Where the ids of an address are: on this device, or on another one. */
  Peers towards(CmAddress address) {
    return network == null || address.isIb() || ports.reach(address) ? ports : network;
  }

  /** True for an address of IPv4 or IPv6 that another device has. */
  boolean isElsewhere(CmAddress address) {
    return towards(address) == network;
  }

  /** The address of this device from which it reaches another address. */
  CmAddress near(CmAddress address) {
    return network != null && isElsewhere(address) ? network.address() : address;
  }

  /** Who has the addresses that ids can be bound to. */
  String addresses() {
    return network == null
        ? "this machine"
        : "the device; use its own, %s, or 127.0.0.1"
            .formatted(network.address().host().getHostAddress());
  }

  /** Which addresses are reached. */
  String reachable() {
    return network == null
        ? "the device has no network, so the connection manager connects the clients of one device"
            + " process; use 127.0.0.1, ::1 or another address of this machine, or give the devices"
            + " addresses (listen=)"
        : "from %s, the device reaches addresses of the same IP version, and ids that are bound to"
                .formatted(network.address().host().getHostAddress())
            + " no other address; those of the other version need a device that listens at one";
  }

  long now() {
    return timer.now();
  }

  /** A random PSN, which no client can predict. */
  int psn() {
    return random.nextInt(1 << PSN_BITS);
  }

  /** Makes something that has the lowest free number, as librdmacm keeps a table of numbers. */
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

  /** What a number names. */
  <T> T find(Class<T> kind, int number) {
    @Nullable Object found = numbered.get(number);
    if (!kind.isInstance(found)) {
      throw new Refusal(Errno.ENOENT, "number %d names nothing of the client".formatted(number));
    }
    return kind.cast(found);
  }

  /** Runs something later, under the lock. */
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
