package dev.bluebell.softnic.timing;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import java.util.function.Consumer;

/** A host in virtual time, which is a protection domain, and raw objects on it. */
final class TimedHost {
  private static final int LOG_SENDS = 8;
  private static final int LOG_RECEIVES = 3;
  private static final int LOG_STRIDE = 4;
  private static final int LOG_COMPLETIONS = 9;

  private final Rig rig;
  private final HcaObject domain;

  TimedHost(Rig rig) {
    this.rig = rig;
    domain = rig.nic().allocateProtectionDomain();
  }

  RawMemory memory(int bytes) {
    return rig.memory(domain, bytes, HcaAccess.ALL);
  }

  RawQp qp() {
    return qp(context -> {});
  }

  RawQp qp(Consumer<View> change) {
    return qp(rig.cq(LOG_COMPLETIONS), change);
  }

  RawQp qp(RawCq completions, Consumer<View> change) {
    return rig.qp(
        new RawQpPlan(completions)
            .sizes(LOG_SENDS, LOG_RECEIVES, LOG_STRIDE)
            .change(
                context -> {
                  context.set(Qpc.PD, domain.number());
                  change.accept(context);
                }));
  }

  /** A connection to another host, or to this one itself. */
  RawPair connect(TimedHost other) {
    return RawPair.connect(qp(), other.qp(), new Settings());
  }

  /** A queue that is its own peer. */
  TimedQueue loopback(boolean master, boolean managed) {
    return loopback(master, managed, new Settings());
  }

  TimedQueue loopback(boolean master, boolean managed, Settings settings) {
    RawQp queue = qp(context -> context.set(Qpc.CD_MASTER, master).set(Qpc.CD_SLAVE_SEND, managed));
    queue.connect(queue.number(), settings);
    return new TimedQueue(queue);
  }
}
