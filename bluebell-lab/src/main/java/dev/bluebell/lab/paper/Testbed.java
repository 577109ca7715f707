package dev.bluebell.lab.paper;

import dev.bluebell.program.compile.Target;
import dev.bluebell.program.plan.Model;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.option.Timing;
import dev.bluebell.verbs.Device;

/** A device with virtual time, which its hosts are on. One thread at a time. */
final class Testbed implements AutoCloseable {
  private final Device device;

  private Testbed(SoftNicOptions options, Timing timing) {
    device = Device.over(SoftNic.open(options.withEngine(EngineMode.POLL).withTiming(timing)));
  }

  static Testbed open(Timing timing) {
    return new Testbed(SoftNicOptions.DEFAULT, timing);
  }

  /** One that executes what a compiler makes for such devices. */
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

  /** Nanoseconds. */
  long now() {
    return device.clock();
  }

  /** Lets the device do what comes next; false when it has come to rest. */
  boolean turn() {
    return device.progress() > 0;
  }

  /** Lets the device do all that it has to do. */
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
