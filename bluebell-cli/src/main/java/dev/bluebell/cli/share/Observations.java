package dev.bluebell.cli.share;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.server.remote.Observation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Hears what the device processes of a program explain. For one thread. */
final class Observations implements AutoCloseable {
  private final List<Observation> observations = new ArrayList<>();

  private Observations() {}

  /**
   * Starts to hear.
   *
   * @param traces as for {@link Observation#open}
   */
  static Observations open(List<NamedDevice> devices, boolean traces, Consumer<String> listener)
      throws IOException, InterruptedException {
    Observations all = new Observations();
    try {
      for (NamedDevice device : devices) {
        all.observations.add(Observation.open(device.socket(), traces, listener));
      }
      return all;
    } catch (IOException | RuntimeException e) {
      all.close();
      throw e;
    }
  }

  /** What the program hands in at each device, in their order. */
  List<Long> tokens() {
    return observations.stream().map(Observation::token).toList();
  }

  /** Ends observing; what the devices recorded, one after the other. */
  List<HcaHappening> end() throws InterruptedException {
    List<HcaHappening> record = new ArrayList<>();
    for (Observation observation : observations) {
      record.addAll(observation.end());
    }
    return record;
  }

  @Override
  public void close() throws InterruptedException {
    for (Observation observation : observations) {
      observation.close();
    }
  }
}
