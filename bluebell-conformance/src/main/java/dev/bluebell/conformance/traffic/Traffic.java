package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Random requests on queue pairs of one device. Each completion is checked when it arrives, and all
 * memory once everything has completed. For one thread.
 */
public final class Traffic {
  /** Requests between two polls of the completion queues. */
  private static final int BATCH = 64;

  private static final int FLOWS_TOLD = 5;

  private final SplittableRandom random;
  private final Tally tally;
  private final Population population;
  private final List<Flow> flows;
  private final List<Inbox> inboxes;
  private final List<CompletionQueue> completions;
  private final Request request = new Request();
  private final CompletionHandler handler = this::take;

  private Traffic(SplittableRandom random, Population population) {
    this.random = random;
    this.population = population;
    tally = population.tally();
    flows = population.flows();
    inboxes = population.inboxes();
    completions = population.completions();
  }

  /**
   * A thousand queue pairs of all kinds.
   *
   * @param seed of all random choices, which repeats them
   * @param loses true when the device loses, repeats and reorders messages of unreliable services
   * @param streams true when the device has initiators of dynamic connections with streams
   */
  public static Traffic ofAllKinds(Device device, long seed, boolean loses, boolean streams) {
    SplittableRandom random = new SplittableRandom(seed);
    return new Traffic(random, Population.ofAllKinds(device, random.split(), loses, streams));
  }

  /**
   * A few reliable connections, whose requests are longer.
   *
   * @param seed of all random choices, which repeats them
   * @param loses true when the device loses packets
   */
  public static Traffic ofConnections(Device device, long seed, boolean loses) {
    SplittableRandom random = new SplittableRandom(seed);
    return new Traffic(random, Population.ofConnections(device, random.split(), loses));
  }

  /** Number of queue pairs, including those of DC and XRC. */
  public int queuePairs() {
    return population.queuePairs();
  }

  /** Number of requests posted so far. */
  public long requests() {
    return tally.requests;
  }

  /** Numbers of sent and arrived messages of unreliable services; repeated ones count again. */
  public String unreliableMessages() {
    return "%d of %d".formatted(tally.arrived, tally.hoped);
  }

  /** Number of arrived messages of unreliable services; repeated ones count again. */
  public long unreliableArrivals() {
    return tally.arrived;
  }

  /** Posts some random requests, as far as queues have room, and handles completions. */
  public void act() {
    for (int i = 0; i < BATCH; i++) {
      boolean unused = flows.get(random.nextInt(flows.size())).act(random, request);
    }
    poll();
  }

  /** Makes all posted requests report a completion. */
  public void finish() {
    flows.forEach(flow -> flow.finish(random, request));
  }

  /** Handles completions; true when none is due any more. */
  public boolean isQuiet() {
    if (tally.outstanding > 0) {
      inboxes.forEach(inbox -> inbox.provide(random));
    }
    poll();
    return tally.outstanding == 0;
  }

  /** Compares all memory with the model. Nothing may be due. */
  public void compare() {
    flows.forEach(Flow::endRound);
    inboxes.forEach(Inbox::endRound);
    population.territories().forEach(Territory::compare);
    tally.counter.compare();
  }

  /** Handles completions. */
  private void poll() {
    for (CompletionQueue queue : completions) {
      int unused = queue.poll(handler);
    }
  }

  private void take(Completion completion) {
    long id = completion.id();
    if (Ids.isInbox(id)) {
      inboxes.get(Ids.owner(id)).completed(completion);
    } else {
      flows.get(Ids.owner(id)).completed(completion);
    }
  }

  /** Describes the queue pairs and what is due. */
  @Override
  public String toString() {
    return "%s; %d requests, %d completions and messages due%s"
        .formatted(
            population,
            tally.requests,
            tally.outstanding,
            flows.stream()
                .filter(Flow::isBusy)
                .limit(FLOWS_TOLD)
                .map(flow -> "\n  " + flow)
                .collect(Collectors.joining()));
  }
}
