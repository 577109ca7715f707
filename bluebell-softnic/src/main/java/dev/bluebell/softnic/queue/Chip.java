package dev.bluebell.softnic.queue;

import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.translation.KeyTable;

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
 */
public record Chip(
    DeviceTime time,
    KeyTable keys,
    FlightRecorder recorder,
    Explanations explanations,
    Events events,
    Scheduler scheduler,
    Staging staging,
    Machine machine,
    CrossChannel crossChannel) {

  /** Of a device whose work queue entries name nothing else. */
  public Chip(
      DeviceTime time,
      KeyTable keys,
      FlightRecorder recorder,
      Explanations explanations,
      Events events,
      Scheduler scheduler) {
    this(
        time, keys, recorder, explanations, events, scheduler, Machine.DEFAULT, new CrossChannel());
  }

  public Chip(
      DeviceTime time,
      KeyTable keys,
      FlightRecorder recorder,
      Explanations explanations,
      Events events,
      Scheduler scheduler,
      Machine machine,
      CrossChannel crossChannel) {
    this(
        time,
        keys,
        recorder,
        explanations,
        events,
        scheduler,
        new Staging(),
        machine,
        crossChannel);
  }
}
