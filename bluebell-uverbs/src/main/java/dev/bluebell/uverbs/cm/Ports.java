package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.uverbs.call.Refusal;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * The table of bound ports, in which requests find the listeners of this device. Mirrors {@code
 * cma.c: cma_alloc_any_port, cma_check_port, cma_use_port, cma_match_private_data}. Guarded by the
 * {@link ConnectionManager}.
 */
final class Ports implements Peers {
  /** The kernel's default range of ports for ids that bind to port 0. */
  private static final int FIRST_EPHEMERAL = 32_768;

  private static final int LAST_EPHEMERAL = 60_999;

  private final Map<Place, List<CmAddressing>> bound = new HashMap<>();
  private final Predicate<InetAddress> local;
  private final int firstUnprivileged;
  private final RandomGenerator random;

  /** A port of a port space. */
  private record Place(int space, int port) {}

  /**
   * @param local tests whether an address belongs to this machine
   * @param firstUnprivileged the lowest port that clients may bind; 0 or 1 for all
   */
  Ports(Predicate<InetAddress> local, int firstUnprivileged, RandomGenerator random) {
    this.local = local;
    this.firstUnprivileged = firstUnprivileged;
    this.random = random;
  }

  /**
   * Binds an id to the port of an address.
   *
   * @return the address, with a free port if it had 0
   */
  CmAddress bind(CmAddressing asking, CmAddress address) {
    int port = address.port();
    if (port == 0) {
      port = free(asking.space());
    }
    Refusal.require(
        port >= firstUnprivileged,
        Errno.EACCES,
        "port %d is for privileged processes; use one from %d on",
        port,
        firstUnprivileged);
    CmAddress complete = address.withPort(port);
    check(asking, complete, asking.reusesAddress());
    bound.computeIfAbsent(new Place(asking.space(), port), first -> new ArrayList<>()).add(asking);
    return complete;
  }

  private int free(int space) {
    int ports = LAST_EPHEMERAL - FIRST_EPHEMERAL + 1;
    int start = random.nextInt(ports);
    for (int i = 0; i < ports; i++) {
      int port = FIRST_EPHEMERAL + (start + i) % ports;
      if (!bound.containsKey(new Place(space, port))) {
        return port;
      }
    }
    throw new Refusal(Errno.EADDRNOTAVAIL, "all %d ports are taken".formatted(ports));
  }

  /** Throws for an address of another id, unless both have RDMA_OPTION_ID_REUSEADDR. */
  void check(CmAddressing asking, CmAddress address, boolean reuses) {
    Place place = new Place(asking.space(), address.port());
    for (CmAddressing other : bound.getOrDefault(place, List.of())) {
      CmAddress taken = other.source();
      boolean apart =
          other == asking
              || reuses && other.reusesAddress()
              || asking.isForOneFamily()
                  && other.isForOneFamily()
                  && address.family() != taken.family();
      if (!apart) {
        Refusal.require(
            !address.isAny() && !taken.isAny(),
            Errno.EADDRNOTAVAIL,
            "port %d is taken by another id",
            address.port());
        Refusal.require(
            !address.isSameHost(taken), Errno.EADDRINUSE, "%s is taken by another id", address);
      }
    }
  }

  void release(CmAddressing left) {
    bound.computeIfPresent(
        new Place(left.space(), left.source().port()),
        (place, all) -> {
          all.remove(left);
          return all.isEmpty() ? null : all;
        });
  }

  /** The addresses at which ids listen, sorted. */
  List<String> listeners() {
    return listeners(Integer.MAX_VALUE);
  }

  /**
   * Some of the addresses at which ids listen, sorted.
   *
   * @param most the largest number of them
   */
  List<String> listeners(int most) {
    return bound.values().stream()
        .flatMap(List::stream)
        .filter(at -> at.listener().isPresent())
        // First, because the text of thousands would take long, and all clients wait for the lock.
        .limit(most)
        .map(at -> Route.describe(at.source(), at.space()))
        .sorted()
        .toList();
  }

  @Override
  public boolean reach(CmAddress destination) {
    return local.test(destination.host());
  }

  @Override
  public Delivery connect(Route route, Offer offer, int psn, ReliableEnd from) {
    return deliver(route, offer, psn, from);
  }

  /** Delivers a connection request of this device or another one. */
  Delivery deliver(Route route, Offer offer, int psn, ConnectionPeer from) {
    return listener(route)
        .map(listener -> listener.take(route, offer, psn, from))
        .orElse(Delivery.REFUSED);
  }

  @Override
  public Delivery find(Route route, byte[] data, DatagramEnd from) {
    return deliver(route, data, from);
  }

  /** Delivers a SIDR request of this device or another one. */
  Delivery deliver(Route route, byte[] data, DatagramPeer from) {
    return listener(route)
        .map(listener -> listener.take(route, data, from))
        .orElse(Delivery.REFUSED);
  }

  private Optional<CmListener> listener(Route route) {
    CmAddress destination = route.destination();
    if (destination.isGroup()) {
      return Optional.empty();
    }
    Place place = new Place(route.space(), destination.port());
    return bound.getOrDefault(place, List.of()).stream()
        .filter(at -> at.listener().isPresent())
        .filter(
            at ->
                at.source().isSameHost(destination)
                    || at.source().isAny()
                        && (!at.isForOneFamily() || at.source().family() == destination.family()))
        .findFirst()
        .flatMap(CmAddressing::listener);
  }
}
