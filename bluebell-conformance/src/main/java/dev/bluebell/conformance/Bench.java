package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.bluebell.conformance.traffic.RoceEntries;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.ConnectedQueuePair;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;

/**
 * The device under test, with methods that wait for it. For the test's thread.
 *
 * <p>The device may run in real time, like a card. So a wait for an event fails after a minute, and
 * a short wait only checks that nothing happens, which a slow device always passes.
 */
public final class Bench implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration CALM = Duration.ofMillis(2);
  private static final int LINES_ON_FAILURE = 40;
  private static final int ATTEMPTS = 30;

  private final TamperingHca hca;
  private final Device device;
  private final boolean loses;
  private final boolean isOnNetwork;

  /**
   * @param loses whether the fabric of the device loses packets
   */
  Bench(Hca hca, boolean loses) {
    this.hca = new TamperingHca(hca);
    device = Device.over(this.hca);
    this.loses = loses;
    isOnNetwork =
        device.diagnosis().stream()
            .flatMap(diagnosis -> diagnosis.objects().stream())
            .anyMatch(line -> line.startsWith("fabric network"));
  }

  /** True when the device's fabric loses, repeats and reorders packets. */
  boolean loses() {
    return loses;
  }

  Device device() {
    return device;
  }

  /** The device under the driver, with which tests may tamper. */
  TamperingHca hca() {
    return hca;
  }

  /** True when its port is an InfiniBand port. */
  boolean isInfiniBand() {
    return device.port(1).linkLayer() == LinkLayer.INFINIBAND;
  }

  /** Skips the test on a port of another link layer. */
  void assumeLinkLayer(LinkLayer layer) {
    assumeTrue(
        device.port(1).linkLayer() == layer,
        () -> "the link layer of the port is not %s".formatted(layer));
  }

  /**
   * The first entry of RoCE v2 in the GID table with an address of this family. Skips the test when
   * there is none: the table has the addresses of the network interface.
   */
  int assumeGidOfRoceV2(boolean ipv4) {
    OptionalInt index = RoceEntries.first(device, ipv4);
    assumeTrue(
        index.isPresent(),
        () -> "the port has no GID of RoCE v2 with %s".formatted(ipv4 ? "IPv4" : "IPv6"));
    return index.orElseThrow();
  }

  /**
   * True when the device has a capability.
   *
   * @param name of a field, as in {@link Needs}
   */
  boolean has(String name) {
    return missing(name).isEmpty();
  }

  /** Names the first capability that the device lacks; empty if it has all. */
  Optional<String> missing(String... names) {
    return DeviceCapabilities.of(hca).missing(names);
  }

  /**
   * Skips the test on a device that lacks a capability.
   *
   * @param names of fields, as in {@link Needs}
   */
  void assumeCapabilities(String... names) {
    missing(names).ifPresent(Assumptions::abort);
  }

  /** Starts to describe two queue pairs that will be connected. */
  EndsBuilder ends() {
    return new EndsBuilder(this);
  }

  /** Two connected queue pairs with the driver's defaults, except retries that end soon. */
  Ends connected() {
    return ends().connect();
  }

  /** Two connected queue pairs with the same options at both sides. */
  Ends connected(UnaryOperator<ConnectOptions> options) {
    return ends().options(options).connect();
  }

  /** Connects two queue pairs to each other, the left one first. */
  static void connect(ConnectedQueuePair left, ConnectedQueuePair right) {
    left.connect(right.endpoint());
    right.connect(left.endpoint());
  }

  /** Connects a queue pair to itself. */
  static <Q extends ConnectedQueuePair> Q toItself(Q queuePair) {
    queuePair.connect(queuePair.endpoint());
    return queuePair;
  }

  ProtectionDomain domain() {
    return device.allocateProtectionDomain();
  }

  /** True when the device explains failures in full, which only software does. */
  boolean explains() {
    return device.diagnosis().isPresent();
  }

  /**
   * The explanation of a completion, in which tests look for the responder's reason. A NAK on a
   * network carries no reason, so there all explanations of the device are appended.
   */
  String heard(String explanation) {
    return isOnNetwork
        ? explanation + "\n" + String.join("\n", device.diagnosis().orElseThrow().explanations())
        : explanation;
  }

  /**
   * Words that a requester gets only inside one device, such as why packets were dropped; empty on
   * a network.
   */
  String saidInside(String words) {
    return isOnNetwork ? "" : words;
  }

  /** Polls until a number of completions have arrived, and returns them in order. */
  List<Done> await(CompletionQueue completions, int count) {
    return await(completions, count, Done::of);
  }

  /**
   * Polls until a number of completions have arrived, and returns them in order.
   *
   * @param copy copies the values that the test checks
   */
  <T> List<T> await(CompletionQueue completions, int count, Function<Completion, T> copy) {
    List<T> done = new ArrayList<>();
    until(
        () -> {
          completions.poll(completion -> done.add(copy.apply(completion)));
          return done.size() >= count;
        },
        () -> "%d completions, but got only %s".formatted(count, done));
    assertThat(done).hasSize(count);
    return done;
  }

  /** Polls until the next completion, which is valid until the next poll. */
  Completion awaitView(CompletionQueue completions) {
    AtomicReference<Completion> seen = new AtomicReference<>();
    until(
        () -> {
          Completion completion = completions.poll();
          if (completion != null) {
            seen.set(completion);
          }
          return completion != null;
        },
        () -> "a completion");
    return seen.get();
  }

  /**
   * Sends a message of an unreliable service until it arrives: once, unless packets are lost.
   *
   * @param attempt sends the message; the same receive request serves each attempt
   */
  Done awaitDelivery(CompletionQueue receives, Runnable attempt) {
    for (int i = 0; loses && i < ATTEMPTS; i++) {
      attempt.run();
      List<Done> done = pollForAWhile(receives);
      if (!done.isEmpty()) {
        assertThat(done).hasSize(1);
        return done.getFirst();
      }
    }
    attempt.run();
    return await(receives, 1).getFirst();
  }

  /** Polls for a while, measured on the device's clock, and expects that nothing completes. */
  void expectCalm(CompletionQueue completions) {
    assertThat(pollForAWhile(completions)).isEmpty();
  }

  /** Polls for a while, measured on the device's clock, and returns the completions. */
  List<Done> pollForAWhile(CompletionQueue completions) {
    List<Done> done = new ArrayList<>();
    long cycles = CALM.toNanos() * device.attributes().clockKilohertz() / 1_000_000;
    long start = device.clock();
    until(
        () -> {
          completions.poll(completion -> done.add(Done.of(completion)));
          return device.clock() - start >= cycles;
        },
        () -> "time to pass");
    return done;
  }

  /** Waits for the next asynchronous event of a type and drops earlier ones. */
  AsyncEvent awaitEvent(AsyncEvent.Type type) {
    List<AsyncEvent> events = new ArrayList<>();
    until(
        () -> {
          AsyncEvent event = device.pollEvent();
          if (event != null) {
            events.add(event);
          }
          return event != null && event.type() == type;
        },
        () -> "event %s, but got only %s".formatted(type, events));
    return events.getLast();
  }

  /** Polls asynchronous events until there are none left. */
  List<AsyncEvent> events() {
    List<AsyncEvent> events = new ArrayList<>();
    for (AsyncEvent event = device.pollEvent(); event != null; event = device.pollEvent()) {
      events.add(event);
    }
    return events;
  }

  /**
   * Lets the device work until a condition holds.
   *
   * @param wanted describes what the test waited for, if it fails
   */
  void until(BooleanSupplier condition, Supplier<String> wanted) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("waited for %s\n%s".formatted(wanted.get(), diagnosis()));
      }
      device.progress();
      Thread.onSpinWait();
    }
  }

  private String diagnosis() {
    return device.diagnosis().map(Bench::lastLines).orElse("the device does not explain itself");
  }

  private static String lastLines(HcaDiagnosis diagnosis) {
    List<String> record = diagnosis.flightRecord();
    List<String> lines = new ArrayList<>(diagnosis.objects());
    lines.addAll(diagnosis.explanations());
    lines.addAll(record.subList(Math.max(0, record.size() - LINES_ON_FAILURE), record.size()));
    return lines.stream().collect(Collectors.joining("\n  ", "  ", ""));
  }

  @Override
  public void close() {
    device.close();
  }
}
