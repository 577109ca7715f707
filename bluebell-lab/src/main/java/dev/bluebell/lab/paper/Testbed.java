package dev.bluebell.lab.paper;

import dev.bluebell.program.compile.Target;
import dev.bluebell.program.plan.Model;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.option.Timing;
import dev.bluebell.verbs.Device;

/** A device with virtual time that contains the hosts of an experiment. One thread at a time. */
final class Testbed implements AutoCloseable {
  private final Device device;

  private Testbed(SoftNicOptions options, Timing timing) {
    device = Device.over(SoftNic.open(options.withEngine(EngineMode.POLL).withTiming(timing)));
  }

  static Testbed open(Timing timing) {
    return new Testbed(SoftNicOptions.DEFAULT, timing);
  }

  /** Opens a device with the rules that the compiler's target and model assume. */
  static Testbed open(Timing timing, Target target, Model model) {
    return new Testbed(
        SoftNicOptions.DEFAULT
            .withWqeChecks(target == Target.CHECKED)
            .withFencedEnables(model == Model.ASSUMED),
        timing);
  }

  Device device() {
    return device;
  }

  /** A host with a card of its own. */
  Node node() {
    return new Node(device);
  }

  /** Current time in nanoseconds. */
  long now() {
    return device.clock();
  }

  /** Executes the next step of the device; false when there is none. */
  boolean turn() {
    return device.progress() > 0;
  }

  /** Executes the device until it has no further steps. */
  void rest() {
    while (turn()) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    device.close();
  }
}
