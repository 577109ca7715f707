package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.function.LongFunction;

/**
 * The echo: RDMA WRITEs with immediate that come back as the same. Both sides run on the calling
 * thread, each with queues of its own.
 */
final class EchoTraffic implements Echoes {
  private final EchoClient client;
  private final EchoServer server;
  private final Payload payload;
  private final Window clientWindow;
  private final Window serverWindow;
  private final Stall stall = new Stall();
  private long sequence;
  private int count;

  private EchoTraffic(
      EchoClient client,
      EchoServer server,
      Payload payload,
      Window clientWindow,
      Window serverWindow) {
    this.client = client;
    this.server = server;
    this.payload = payload;
    this.clientWindow = clientWindow;
    this.serverWindow = serverWindow;
  }

  static EchoTraffic create(Device device, PerfPlan plan) {
    ProtectionDomain domain = device.allocateProtectionDomain();
    int slots = plan.slots();
    Payload payload = new Payload(domain, plan.size(), slots + 1);
    LongFunction<MemoryRegion> memory = bytes -> plan.memory().allocate(device, domain, bytes);
    LocalWindow clientWindow = LocalWindow.allocate(memory, slots, plan.size(), 0);
    LocalWindow serverWindow = LocalWindow.allocate(memory, slots, plan.size(), 0);
    CompletionQueue clientCompletions = plan.completions(device, 4 * plan.depth());
    CompletionQueue serverCompletions = plan.completions(device, 4 * plan.depth());
    Connection connection =
        plan.connection()
            .connect(
                settings(device, domain, clientCompletions, plan),
                settings(device, domain, serverCompletions, plan));
    return new EchoTraffic(
        new EchoClient(plan, connection.left(), clientCompletions, payload, serverWindow),
        new EchoServer(plan, connection.right(), serverCompletions, serverWindow, clientWindow),
        payload,
        clientWindow,
        serverWindow);
  }

  /** Requests stay in the send queue until a later one that is signalled completes. */
  static EndSettings settings(
      Device device, ProtectionDomain domain, CompletionQueue completions, PerfPlan plan) {
    int requests = 2 * plan.depth();
    return new EndSettings(
        device,
        domain,
        completions,
        completions,
        requests,
        plan.operation().gather(),
        0,
        requests,
        EndSettings.options(device),
        null,
        null,
        false);
  }

  @Override
  public int window() {
    return clientWindow.slots();
  }

  @Override
  public void prepare(int messages) {
    count = messages;
    clientWindow.poison();
    serverWindow.poison();
    client.start(messages, sequence);
    server.start(messages, sequence);
    sequence += messages;
  }

  @Override
  public void run() {
    runUntil(count);
  }

  @Override
  public void runUntil(int echoes) {
    stall.restart();
    while (client.arrived() < echoes) {
      client.fill();
      stall.note(server.advance() + client.poll());
    }
  }

  @Override
  public boolean verify() {
    long first = sequence - count;
    return client.isInOrder()
        && server.isInOrder()
        && serverWindow.holds(payload, count, first)
        && clientWindow.holds(payload, count, first);
  }

  @Override
  public boolean copy() {
    serverWindow.fill(payload, sequence);
    clientWindow.fill(payload, sequence);
    return true;
  }
}
