package dev.bluebell.verbs.dynamic;

import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.DcEndpoint;
import dev.bluebell.verbs.PathOptions;
import dev.bluebell.verbs.QueuePairState;
import dev.bluebell.verbs.command.ConnectionCommands;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.command.PeerRights;
import dev.bluebell.verbs.command.QueuePairCommands;
import dev.bluebell.verbs.command.Route;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.pair.CopyReport;
import dev.bluebell.verbs.pair.StateMachine;
import java.util.Set;

/** Moves a DC initiator from RESET to RTS, and resolves its routes to targets. */
public final class DcPath {
  private final DeviceContext device;
  private final DcSettings settings;

  public DcPath(DeviceContext device, DcSettings settings) {
    this.device = device;
    this.settings = settings;
  }

  /** Moves a queue pair from RESET to RTS, and allows copies if the report has memory for them. */
  public void start(StateMachine states, CopyReport report) {
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

  public DcTargetAddressImpl to(DcEndpoint target, PathOptions options) {
    Route route =
        settings.address().routeTo(device, target.gid(), target.lid(), options.globalRoute());
    return new DcTargetAddressImpl(target, route.words(target.accessKey(), target.dctn(), options));
  }
}
