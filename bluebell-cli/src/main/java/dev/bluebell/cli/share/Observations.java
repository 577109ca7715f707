package dev.bluebell.cli.share;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.server.remote.Explanation;
import dev.bluebell.server.remote.Observation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** Collects what the device processes of an application explain and record. For one thread. */
final class Observations implements AutoCloseable {
  /** Number of the latest explanations of a device that are kept until the end. */
  private static final int MOST = 1 << 14;

  private final List<Observed> all = new ArrayList<>();

  /** A device, its observation and its latest explanations. */
  private record Observed(
      NamedDevice device, Observation observation, Queue<String> explanations) {}

  private Observations() {}

  /**
   * Starts observing.
   *
   * @param traces as for {@link Observation#open}
   */
  static Observations open(
      List<NamedDevice> devices, boolean traces, Consumer<Explanation> listener)
      throws IOException, InterruptedException {
    Observations observations = new Observations();
    try {
      for (NamedDevice device : devices) {
        Queue<String> explanations = new LinkedBlockingQueue<>(MOST);
        Consumer<Explanation> both =
            explanation -> {
              // The application may run for weeks.
              while (!explanations.offer(explanation.sentence())) {
                Object unused = explanations.poll();
              }
              listener.accept(explanation);
            };
        observations.all.add(
            new Observed(device, Observation.open(device.socket(), traces, both), explanations));
      }
      return observations;
    } catch (IOException | RuntimeException e) {
      observations.close();
      throw e;
    }
  }

  /** The tokens that the application hands in, one per device, in order. */
  List<Long> tokens() {
    return all.stream().map(observed -> observed.observation.token()).toList();
  }

  /** Ends observing; returns the record of each device, in order. */
  List<ApplicationRecord> end() throws InterruptedException {
    List<ApplicationRecord> records = new ArrayList<>();
    for (Observed observed : all) {
      List<HcaHappening> happenings = observed.observation.end();
      records.add(
          new ApplicationRecord(
              observed.device,
              happenings,
              List.copyOf(observed.explanations),
              observed.observation.left()));
    }
    return records;
  }

  @Override
  public void close() throws InterruptedException {
    for (Observed observed : all) {
      observed.observation.close();
    }
  }
}
