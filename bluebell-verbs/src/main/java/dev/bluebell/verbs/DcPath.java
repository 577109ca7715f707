package dev.bluebell.verbs;

import java.util.Set;

/** The way of a DC initiator from RESET to RTS, and from its port to targets. */
final class DcPath {
  private final Device device;
  private final DcSettings settings;

  DcPath(Device device, DcSettings settings) {
    this.device = device;
    this.settings = settings;
  }

  /** Moves a queue pair from RESET to RTS, in which it copies if the report says so. */
  void start(StateMachine states, CopyReport report) {
    int qpn = states.number();
    ConnectOptions options = settings.options();
    int largest = settings.address().mtu(device);
    int mtu = options.pathMtu() == 0 ? largest : options.pathMtu();
    int reads = Math.min(options.maxReads(), device.attributes().maxReads());
    states.move(
        QueuePairState.INIT,
        ConnectionCommands.resetToInit(qpn, settings.address(), new PeerRights(Set.of(), 0)));
    report.allow(states);
    states.move(
        QueuePairState.RTR, QueuePairCommands.initToRtr(qpn, mtu, QueuePairCommands.LOG_MSG_MAX));
    states.move(
        QueuePairState.RTS,
        ConnectionCommands.rtrToRts(qpn, ConnectionSettings.randomPsn(), reads, options));
  }

  DcTargetAddress to(DcEndpoint target, PathOptions options) {
    Route route =
        settings.address().routeTo(device, target.gid(), target.lid(), options.globalRoute());
    return new DcTargetAddress(target, route.words(target.accessKey(), target.dctn(), options));
  }
}
