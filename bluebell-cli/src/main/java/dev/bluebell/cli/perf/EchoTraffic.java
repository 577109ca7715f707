package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * The echo: RDMA WRITEs with immediate, each answered with the same data. This process has one or
 * both sides; they run on the calling thread, each with its own queues.
 */
final class EchoTraffic implements Traffic {
  private final List<EchoSide> sides;
  private final EchoSide last;
  private final IntSupplier advance;
  private final Payload payload;
  private final Stall stall;
  private int count;
  private long first;

  private EchoTraffic(List<EchoSide> sides, IntSupplier advance, Payload payload, Stall stall) {
    this.sides = sides;
    this.advance = advance;
    this.payload = payload;
    this.stall = stall;
    last = sides.getFirst();
  }

  /** One side of the echo, when another process has the other side. */
  static EchoTraffic half(EchoSide side, Payload payload, Stall stall) {
    return new EchoTraffic(List.of(side), side::advance, payload, stall);
  }

  /** Both sides of the echo. */
  static EchoTraffic create(Device device, PerfPlan plan) {
    ProtectionDomain domain = device.allocateProtectionDomain();
    Payload payload = new Payload(domain, plan.size(), plan.slots() + 1);
    LocalWindow clientWindow = LocalWindow.allocate(domain, plan);
    LocalWindow serverWindow = LocalWindow.allocate(domain, plan);
    CompletionQueue clientCompletions = plan.completions(device, 4 * plan.depth());
    CompletionQueue serverCompletions = plan.completions(device, 4 * plan.depth());
    Connection connection =
        plan.connection()
            .connect(
                settings(device, domain, clientCompletions, plan),
                settings(device, domain, serverCompletions, plan));
    EchoClient client =
        new EchoClient(
            plan, connection.left(), clientCompletions, clientWindow, serverWindow, payload);
    EchoServer server =
        new EchoServer(plan, connection.right(), serverCompletions, serverWindow, clientWindow);
    return new EchoTraffic(
        List.of(client, server),
        () -> {
          client.fill();
          return server.advance() + client.poll();
        },
        payload,
        new Stall());
  }

  /**
   * Requests stay in the send queue until a later signalled one completes, so it has twice the
   * depth.
   */
  static EndSettings settings(
      Device device, ProtectionDomain domain, CompletionQueue completions, PerfPlan plan) {
    int requests = 2 * plan.depth();
    return new EndSettings(
        device,
        domain,
        completions,
        completions,
        plan.operation(),
        requests,
        0,
        requests,
        null,
        null);
  }

  @Override
  public int window() {
    return last.window().slots();
  }

  @Override
  public void prepare(int messages, long firstSequence) {
    count = messages;
    first = firstSequence;
    for (EchoSide side : sides) {
      side.start(messages, first);
    }
  }

  @Override
  public void run() {
    runUntil(count);
  }

  /** Runs until {@code echoes} messages of the round have come back. */
  void runUntil(int echoes) {
    stall.restart();
    while (last.arrived() < echoes) {
      stall.note(advance.getAsInt());
    }
  }

  @Override
  public boolean verify() {
    return sides.stream()
        .allMatch(side -> side.isInOrder() && side.window().holds(payload, count, first));
  }

  @Override
  public boolean copy() {
    if (sides.size() == 1) {
      return false;
    }
    sides.forEach(side -> side.window().fill(payload, first));
    return true;
  }
}
