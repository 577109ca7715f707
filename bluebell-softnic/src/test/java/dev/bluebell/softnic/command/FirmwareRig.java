package dev.bluebell.softnic.command;

import dev.bluebell.softnic.Clock;
import dev.bluebell.softnic.ManualClock;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.fabric.Loopback;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.rig.Heard;

/** Firmware without the handles in front of it: any command reaches it. */
final class FirmwareRig {
  final Inventory inventory = new Inventory();
  final Firmware firmware;
  private final Explanations explanations = new Explanations();

  FirmwareRig() {
    Clock clock = new ManualClock();
    DeviceTime time = new DeviceTime();
    FlightRecorder recorder = new FlightRecorder(time, 16);
    Chip chip =
        new Chip(time, inventory.keys(), recorder, explanations, (type, number, syndrome) -> {});
    Engine engine = new Engine(clock, chip, inventory.queuePairs());
    firmware =
        new Firmware(
            chip, engine, inventory, new Loopback(inventory.queuePairs(), Port::isOwn, Port::gid));
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
