package dev.bluebell.softnic.queue;

import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.engine.Adversary;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.injection.Faults;
import dev.bluebell.softnic.option.MachineOptions;
import dev.bluebell.softnic.timing.Hosts;
import dev.bluebell.softnic.translation.KeyTable;
import org.jspecify.annotations.Nullable;

/**
 * What all units of one device share.
 *
 * @param time the device's cached clock
 * @param keys memory keys
 * @param recorder the flight recorder
 * @param explanations why things failed
 * @param events who hears of events
 * @param scheduler who gives turns
 * @param staging where payload from other processes passes through
 * @param machine how work queue entries are treated
 * @param crossChannel what WAIT, SEND_EN and RECV_EN may name
 * @param adversary draws what the order of requests leaves open; null when nothing does
 * @param counters what went over the port, and what went wrong
 * @param hosts what work costs; null when time is not virtual
 * @param faults what goes wrong on purpose; null when nothing does
 */
public record Chip(
    DeviceTime time,
    KeyTable keys,
    FlightRecorder recorder,
    Explanations explanations,
    Events events,
    Scheduler scheduler,
    Staging staging,
    MachineOptions machine,
    CrossChannel crossChannel,
    @Nullable Adversary adversary,
    Counters counters,
    @Nullable Hosts hosts,
    @Nullable Faults faults) {

  /** Of a device whose work queue entries name nothing else. */
  public Chip(
      DeviceTime time,
      KeyTable keys,
      FlightRecorder recorder,
      Explanations explanations,
      Events events,
      Scheduler scheduler) {
    this(
        time,
        keys,
        recorder,
        explanations,
        events,
        scheduler,
        MachineOptions.DEFAULT,
        new CrossChannel(),
        null);
  }

  public Chip(
      DeviceTime time,
      KeyTable keys,
      FlightRecorder recorder,
      Explanations explanations,
      Events events,
      Scheduler scheduler,
      MachineOptions machine,
      CrossChannel crossChannel,
      @Nullable Adversary adversary) {
    this(
        time,
        keys,
        recorder,
        explanations,
        events,
        scheduler,
        new Staging(),
        machine,
        crossChannel,
        adversary,
        new Counters(),
        null,
        null);
  }
}
