package dev.bluebell.softnic.transport;

import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import org.junit.jupiter.api.AfterEach;

/** Masters and managed queues, each connected to itself, which copies within the device. */
abstract class CrossChannels {
  final Rig rig;
  final RawMemory memory;

  CrossChannels() {
    this(Rigs.open());
  }

  CrossChannels(Rig opened) {
    rig = opened;
    memory = rig.memory(4096);
  }

  @AfterEach
  void close() {
    memory.expectCanaries();
    rig.close();
  }

  /** A completion queue that need not be polled. */
  final RawCq unpolled(int logSize) {
    return new RawCq(rig, logSize, rig.uar(), context -> context.set(Cqc.OI, true));
  }

  /** A queue pair that is its own peer. */
  final RawQp loop(RawQpPlan plan) {
    RawQp qp = rig.qp(plan);
    qp.connect(qp.number(), new Settings());
    return qp;
  }

  final RawQp master() {
    return loop(new RawQpPlan(rig.cq(6)).master());
  }

  /** A managed queue of 16 WQEBBs. */
  final RawQp worker() {
    return loop(new RawQpPlan(rig.cq(6)).managedSends());
  }
}
