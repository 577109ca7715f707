package dev.bluebell.verbs.dynamic;

import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.DcEndpoint;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.PathOptions;
import dev.bluebell.verbs.QueuePairState;
import dev.bluebell.verbs.command.ConnectionCommands;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.command.LocalAddress;
import dev.bluebell.verbs.command.PeerRights;
import dev.bluebell.verbs.command.QueuePairCommands;
import dev.bluebell.verbs.command.Route;
import dev.bluebell.verbs.pair.CopyReport;
import dev.bluebell.verbs.pair.QueuePairImpl;
import dev.bluebell.verbs.pair.QueuePairParts;
import dev.bluebell.verbs.ring.CopyReportMemory;
import java.util.Set;

/**
 * A DC initiator, with or without streams: its path from RESET to RTS, and its routes to targets.
 */
public abstract class DcQueuePairImpl extends QueuePairImpl {
  private final LocalAddress address;
  private final ConnectOptions options;
  private final CopyReport report;

  /**
   * Makes the queue pair of its parts; {@link #start} moves it to RTS.
   *
   * @param options options of its connections to targets
   * @param report closed with the queue pair
   */
  public DcQueuePairImpl(
      QueuePairParts parts, LocalAddress address, ConnectOptions options, CopyReport report) {
    super(parts);
    this.address = address;
    this.options = options;
    this.report = report;
  }

  /** Moves the queue pair to RTS, and allows copies if the report has memory for them. */
  @Override
  public final void start() {
    int qpn = states.number();
    int mtu = options.pathMtu() == 0 ? address.mtu(device) : options.pathMtu();
    int reads = Math.min(options.maxReads(), device.attributes().maxDcReads());
    states.move(
        QueuePairState.INIT,
        ConnectionCommands.resetToInit(qpn, address, new PeerRights(Set.of(), 0)));
    report.allow(states);
    states.move(
        QueuePairState.RTR, QueuePairCommands.initToRtr(qpn, mtu, QueuePairCommands.LOG_MSG_MAX));
    states.move(
        QueuePairState.RTS,
        ConnectionCommands.rtrToRts(qpn, ConnectionSettings.randomPsn(), reads, options));
  }

  public final DcTargetAddress targetAddress(DcEndpoint target) {
    return targetAddress(target, PathOptions.DEFAULT);
  }

  public final DcTargetAddress targetAddress(DcEndpoint target, PathOptions path) {
    lifetime.requireOpen();
    Route route = address.routeTo(device, target.gid(), target.lid(), path.globalRoute());
    return new DcTargetAddressImpl(target, route.words(target.accessKey(), target.dctn(), path));
  }

  /** Where the device reports on a copy. */
  final CopyReportMemory copyReport() {
    return report.required(lifetime);
  }

  @Override
  public final synchronized void close() {
    super.close();
    report.close();
  }
}
