package dev.bluebell.verbs.pair;

import static java.util.Objects.requireNonNull;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.QueuePairState;
import dev.bluebell.verbs.command.ConnectionCommands;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.command.LocalAddress;
import dev.bluebell.verbs.command.PeerRights;
import dev.bluebell.verbs.command.Route;
import dev.bluebell.verbs.object.DeviceCapabilities;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.value.Ranges;
import java.util.Set;

/**
 * The connection of a queue pair to one peer: moves the queue pair from RESET to RTS and stores the
 * agreed settings. Guarded by its queue pair.
 */
public final class Connection {
  private final StateMachine states;
  private final DeviceContext device;
  private final ConnectionSettings settings;
  private Set<Access> access;
  private LocalAddress address;
  private int psn;

  /** Does not change the queue pair yet; {@link #start} does. */
  public Connection(StateMachine states, DeviceContext device, ConnectionSettings settings) {
    this.states = states;
    this.device = device;
    this.settings = settings;
    access = settings.access();
    address = settings.address();
  }

  /** Moves the queue pair from RESET to INIT. This changes its endpoint. */
  public void start() {
    psn = settings.nextPsn();
    address = settings.address();
    states.move(
        QueuePairState.INIT,
        ConnectionCommands.resetToInit(states.number(), address, rights(access)));
  }

  private PeerRights rights(Set<Access> given) {
    return new PeerRights(
        given, DeviceCapabilities.atomicMode(device.attributes().maskedAtomicSizes()));
  }

  /** The message for requests that are posted before the queue pair is connected. */
  public static String tooEarly(int qpn) {
    return "QP 0x%x is in INIT: connect it before it sends (receives may be posted)".formatted(qpn);
  }

  public QueuePairEndpoint endpoint() {
    return new QueuePairEndpoint(
        address.gid(device),
        address.lid(device),
        states.number(),
        psn,
        address.mtu(device),
        settings.responderResources());
  }

  /** Moves the queue pair from INIT to RTS, with the GID and PSN that the peer knows. */
  public void connect(QueuePairEndpoint remote, ConnectOptions options, int gidIndex, int first) {
    requireReady(remote, options);
    Ranges.require("psn", first, 0, 0xffffff);
    address = settings.address().withGidIndex(device.gidIndex(settings.address().port(), gidIndex));
    psn = first;
    connect(remote, options);
  }

  private void requireReady(QueuePairEndpoint remote, ConnectOptions options) {
    requireNonNull(remote, "the remote endpoint is null");
    requireNonNull(options, "the options are null");
    states.require(
        QueuePairState.INIT, "it can connect only in INIT: reset it before connecting again");
  }

  /** Moves the queue pair from INIT to RTS. */
  public void connect(QueuePairEndpoint remote, ConnectOptions options) {
    requireReady(remote, options);
    Route route = address.routeTo(device, remote.gid(), remote.lid(), options.globalRoute());
    int largestMtu = Math.min(address.mtu(device), remote.mtu());
    ConnectOptions exact = options.pathMtu() == 0 ? options.withPathMtu(largestMtu) : options;
    states.move(
        QueuePairState.RTR,
        ConnectionCommands.initToRtr(
            states.number(), settings, rights(access), remote, route, exact));
    states.move(
        QueuePairState.RTS,
        settings.isReliable()
            ? ConnectionCommands.rtrToRts(states.number(), psn, reads(remote, options), options)
            : ConnectionCommands.rtrToRts(states.number(), psn));
  }

  /** READs and atomics that may be outstanding. */
  private int reads(QueuePairEndpoint remote, ConnectOptions options) {
    int most = Math.min(options.maxReads(), device.attributes().maxReads());
    return Math.max(1, Math.min(most, remote.responderResources()));
  }

  public void modifyAccess(Set<Access> wanted) {
    int mask = settings.rights();
    states.modify(
        switch (states.state()) {
          case INIT -> ConnectionCommands.initToInit(states.number(), mask, rights(wanted));
          case RTS -> ConnectionCommands.rtsToRts(states.number(), mask, rights(wanted));
          default -> throw states.wrongState("its access can change only in INIT and RTS");
        });
    access = wanted;
  }

  public void modifyMinRnrTimer(int code) {
    Ranges.require("minRnrTimer", code, 0, 31);
    states.require(QueuePairState.RTS, "its RNR timer can change only in RTS");
    states.modify(ConnectionCommands.rtsToRtsWithTimer(states.number(), code));
  }
}
