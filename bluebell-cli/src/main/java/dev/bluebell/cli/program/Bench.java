package dev.bluebell.cli.program;

import dev.bluebell.program.install.Trial;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.HashMap;
import java.util.Map;

/**
 * Installations of a program, one for each concurrent client, whose calls use it one after another.
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

  /** Ends a call: closes an installation whose call failed, which can't take another one. */
  void called(int client, boolean right) {
    if (!right) {
      Trial gone = trials.remove(client);
      if (gone != null) {
        gone.close();
      }
    }
  }

  Device device() {
    return device;
  }

  /** Number of installations made so far. */
  int installations() {
    return installations;
  }

  @Override
  public void close() {
    trials.values().forEach(Trial::close);
  }
}
