package dev.bluebell.softnic.command;

import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.doorbell.Doorbells;
import dev.bluebell.softnic.engine.Effort;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.engine.Lookouts;
import dev.bluebell.softnic.fabric.Loopback;
import dev.bluebell.softnic.option.Clock;
import dev.bluebell.softnic.option.MachineOptions;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.Profile;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionBatch;
import dev.bluebell.softnic.queue.CrossChannel;
import dev.bluebell.softnic.queue.Staging;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.Heard;
import dev.bluebell.softnic.transport.Endpoint;
import dev.bluebell.softnic.transport.Network;

/** Firmware without the handles in front of it: any command reaches it. */
final class FirmwareRig {
  final Inventory inventory = new Inventory(new Explanations(), Addresses.PORT, new Effort());
  final Firmware firmware;
  private final Explanations explanations = new Explanations();

  FirmwareRig() {
    this(Profile.SOFTWARE);
  }

  FirmwareRig(Profile profile) {
    Clock clock = new ManualClock();
    DeviceTime time = new DeviceTime();
    FlightRecorder recorder = new FlightRecorder(time, 16);
    Engine engine = new Engine(clock::nanos, time, null);
    Chip chip =
        new Chip(
            time,
            inventory.keys(),
            recorder,
            explanations,
            (type, number, syndrome) -> {},
            engine,
            new Staging(),
            new CompletionBatch(),
            MachineOptions.DEFAULT,
            new CrossChannel(),
            null,
            new Counters(),
            null,
            null);
    Doorbells doorbells =
        new Doorbells(inventory.queuePairs(), recorder, explanations, engine, false, null);
    Endpoint endpoint =
        new Endpoint(
            inventory.queuePairs(),
            inventory.targets(),
            inventory.groups(),
            new Counters(),
            explanations);
    Network network =
        new Network(
            new Loopback(engine, inventory.port, endpoint),
            endpoint,
            new Lookouts(),
            inventory.xrcSrqs());
    firmware = new Firmware(chip, engine, doorbells, inventory, network, profile);
  }

  Firmware.Answer execute(byte[] command) {
    Firmware.Answer answer = firmware.execute(command);
    Heard.add(answer.explanation());
    return answer;
  }

  Firmware.Answer attempt(Runnable call) {
    Firmware.Answer answer = firmware.attempt("call", call);
    Heard.add(answer.explanation());
    return answer;
  }
}
