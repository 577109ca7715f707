package dev.bluebell.softnic.fabric;

import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.timing.Hosts;

/**
 * The fabric of a device with virtual time: a packet arrives after its travel and execution times,
 * in order with the others of its connection and direction. Owned by the thread that runs the
 * engine.
 */
public final class TimedFabric extends ClockedFabric {
  private final Hosts hosts;

  /**
   * @param inside carries the packets when they are due
   * @param hosts compute how long packets take
   */
  public TimedFabric(
      Fabric inside, DeviceTime time, Explanations explanations, Scheduler scheduler, Hosts hosts) {
    super(inside, time, explanations, scheduler, 1);
    this.hosts = hosts;
  }

  @Override
  void take(HeldRoute way, Packet packet) {
    long due = hosts.deliver(packet, time.now());
    if (BthOpcode.isResponse(packet.opcode)) {
      way.responsesDue = Math.max(way.responsesDue, due);
      due = way.responsesDue;
    } else {
      way.requestsDue = Math.max(way.requestsDue, due);
      due = way.requestsDue;
    }
    hold(packet, way, due, true);
  }

  @Override
  String describe() {
    return "the fabric with virtual time";
  }
}
