package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.RdmaCm;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.uverbs.call.Refusal;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of an id, the path between them, and the options for both. Its id checks that each
 * call is allowed in its state. Mirrors {@code cma.c}. Guarded by the {@link ConnectionManager}.
 */
final class CmAddressing {
  /**
   * Services of port spaces that have the numbers of IP ports; {@code rdma/ib.h: RDMA_IB_IP_PS_*}.
   */
  static final int SPACE_SHIFT = 16;

  private static final long PORTS = 0xffff;

  private final ConnectionManager manager;
  private final int chosenSpace;
  private int space;
  private CmAddress source = CmAddress.NONE;
  private CmAddress destination = CmAddress.NONE;
  private boolean hasPort;
  private boolean hasDevice;
  private @Nullable CmPath path;
  private @Nullable CmListener listener;

  private boolean reusesAddress;
  private boolean isForOneFamily;
  private boolean familyIsSet;
  private int trafficClass;
  private OptionalInt acknowledgement = OptionalInt.empty();

  /**
   * @param space one of {@link RdmaCm}
   */
  CmAddressing(ConnectionManager manager, int space) {
    this.manager = manager;
    chosenSpace = space;
    this.space = space;
  }

  /** The port space of its port. */
  int space() {
    return space;
  }

  CmAddress source() {
    return source;
  }

  CmAddress destination() {
    return destination;
  }

  /** The path; null before it is resolved. */
  @Nullable CmPath path() {
    return path;
  }

  /** The path; throws before it is resolved. */
  CmPath requirePath() {
    if (path == null) {
      throw new IllegalStateException("the route to %s is not resolved".formatted(destination));
    }
    return path;
  }

  /** Takes the requests for the source; empty while nothing listens. */
  Optional<CmListener> listener() {
    return Optional.ofNullable(listener);
  }

  boolean hasDevice() {
    return hasDevice;
  }

  boolean reusesAddress() {
    return reusesAddress;
  }

  boolean isForOneFamily() {
    return isForOneFamily;
  }

  /** The timeout of the queue pair, if the client set one. */
  OptionalInt acknowledgement() {
    return acknowledgement;
  }

  // ---- options

  void setTrafficClass(int value) {
    trafficClass = value;
  }

  void setReusesAddress(boolean value) {
    reusesAddress = value;
  }

  void setForOneFamily(boolean value) {
    familyIsSet = true;
    isForOneFamily = value;
  }

  void setAcknowledgement(int timeout) {
    acknowledgement = OptionalInt.of(timeout);
  }

  // ---- the source

  /** Binds to an address of this device, and to a free port number if the address has 0. */
  void bind(CmPort port, CmAddress address) {
    // An earlier attempt may have chosen another one.
    space = chosenSpace;
    Refusal.require(
        address.family() != 0, Errno.EAFNOSUPPORT, "the address is of an unknown family");
    Refusal.require(
        !address.lacksScope(), Errno.EINVAL, "link-local address %s has no scope", address);
    if (!address.isAny()) {
      if (address.isIb()) {
        Refusal.require(
            port.infiniBand() && port.has(address.gid()),
            Errno.ENODEV,
            "no InfiniBand port has %s",
            address);
      } else {
        Refusal.require(
            manager.ports().reach(address),
            Errno.EADDRNOTAVAIL,
            "%s is not an address of %s",
            address,
            manager.addresses());
      }
    }
    if (!familyIsSet) {
      isForOneFamily = address.family() == CmAddress.INET;
    }
    CmAddress complete = address.isIb() ? inPortSpace(address) : address;
    source = manager.ports().bind(this, complete);
    hasPort = true;
    hasDevice = !address.isAny();
  }

  // cma.c: cma_select_ib_ps.
  private CmAddress inPortSpace(CmAddress address) {
    long mask = address.serviceMask() & ~PORTS;
    long asked = address.service() & mask;
    for (int each : new int[] {RdmaCm.PS_IB, RdmaCm.PS_TCP, RdmaCm.PS_UDP}) {
      long services = (long) each << SPACE_SHIFT;
      if ((chosenSpace == RdmaCm.PS_IB || chosenSpace == each) && asked == (services & mask)) {
        space = each;
        return address.withService(services | address.port());
      }
    }
    throw new Refusal(
        Errno.EPROTONOSUPPORT,
        "service 0x%x is not in a port space of the id".formatted(address.service()));
  }

  /** Delivers requests for the source to a listener, until the port number is freed. */
  void listen(CmListener to) {
    if (reusesAddress) {
      manager.ports().check(this, source, false);
      reusesAddress = false;
    }
    listener = to;
  }

  /** Frees the port number. */
  void release() {
    if (hasPort) {
      manager.ports().release(this);
    }
  }

  // ---- the destination

  /**
   * Sets the destination. If it is reachable and the source is a wildcard, chooses the source.
   *
   * @return true when the destination is reachable
   */
  boolean resolve(CmPort port, CmAddress to) {
    Refusal.require(
        source.family() == to.family(),
        Errno.EINVAL,
        "the id is bound to %s, and %s is of another family",
        source,
        to);
    destination = !to.isAny() || to.isIb() ? to : CmAddress.loopback(to.family(), to.port());
    if (!reachesDestination(port)) {
      return false;
    }
    if (source.isAny()) {
      CmAddress own =
          destination.isGroup()
              ? CmAddress.loopback(destination.family(), 0)
              : manager.near(destination);
      source = own.withPort(source.port());
    }
    hasDevice = true;
    return true;
  }

  private boolean reachesDestination(CmPort port) {
    if (destination.isIb()) {
      return port.infiniBand() && port.has(destination.gid());
    }
    return destination.isGroup() || isReachedFromSource(destination);
  }

  /** An id bound to an address other than the network's reaches only this device. */
  private boolean isReachedFromSource(CmAddress goal) {
    boolean fits = source.isAny() || goal.isIb() || source.isSameHost(manager.near(goal));
    return manager.towards(goal).reach(goal) && (fits || manager.ports().reach(goal));
  }

  /** The peers at the destination. */
  Peers peers() {
    return manager.towards(destination);
  }

  // ---- the path

  /** The GID for an IPv4 or IPv6 address of this device or another one. */
  Gid gid(CmPort port, CmAddress address) {
    boolean isOfOther =
        address.family() != 0
            && !address.isIb()
            && !address.isAny()
            && manager.isElsewhere(address);
    return isOfOther ? address.gid() : port.gid(address);
  }

  /** Resolves the path to the destination. */
  void resolveRoute(CmPort port) {
    path =
        destination.isGroup()
            ? port.pathToGroup(source, destination.gid())
            : port.path(source, gid(port, destination), trafficClass, acknowledgement.orElse(0));
  }

  /**
   * The route of a request to the destination.
   *
   * @param type of the queue pair, as in {@link Verbs}
   */
  Route route(int type) {
    return new Route(space, type, source, destination, requirePath());
  }

  /** The addresses and path of a request that arrived at this source, for the id that answers. */
  CmAddressing answering(Route request, CmPort port) {
    CmAddressing answering = new CmAddressing(manager, space);
    answering.source = request.destination();
    answering.destination = request.source();
    answering.path = port.back(request.path(), request.destination());
    answering.hasDevice = true;
    return answering;
  }
}
