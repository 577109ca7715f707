package dev.bluebell.cli.program;

import dev.bluebell.program.install.Trial;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.HashMap;
import java.util.Map;

/**
 * Installations for calls that are made at the same time, each with a client of its own. Where the
 * program is for many calls, one takes what comes after another.
 */
final class Bench implements AutoCloseable {
  private final Device device;
  private final ProtectionDomain domain;
  private final Map<Integer, Trial> trials = new HashMap<>();
  private int installations;

  Bench(Device device, ProtectionDomain domain) {
    this.device = device;
    this.domain = domain;
  }

  /** The installation of a client. */
  Trial at(int client, Plan plan) {
    return trials.computeIfAbsent(
        client,
        _ -> {
          installations++;
          return new Trial(device, domain, plan);
        });
  }

  /** A call was made: what answers no further one goes. */
  void called(int client, Plan plan, boolean right) {
    if (plan.calls() == Calls.ONE || !right) {
      Trial gone = trials.remove(client);
      if (gone != null) {
        gone.close();
      }
    }
  }

  Device device() {
    return device;
  }

  /** How many there were. */
  int installations() {
    return installations;
  }

  @Override
  public void close() {
    trials.values().forEach(Trial::close);
  }
}
