package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;

/**
 * The echo: RDMA WRITEs with immediate that come back as the same. Both sides run on the calling
 * thread, each with queues of its own.
 */
final class EchoTraffic implements Traffic {
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
    Window clientWindow = new Window(domain, slots, plan.size());
    Window serverWindow = new Window(domain, slots, plan.size());
    CompletionQueue clientCompletions = device.createCompletionQueue(4 * plan.depth());
    CompletionQueue serverCompletions = device.createCompletionQueue(4 * plan.depth());
    RcQueuePair left = queuePair(domain, clientCompletions, plan);
    RcQueuePair right = queuePair(domain, serverCompletions, plan);
    Connection.connect(device, left, right);
    return new EchoTraffic(
        new EchoClient(plan, left, clientCompletions, payload, serverWindow),
        new EchoServer(plan, right, serverCompletions, serverWindow, clientWindow),
        payload,
        clientWindow,
        serverWindow);
  }

  /** Requests stay in the send queue until a later one that is signalled completes. */
  private static RcQueuePair queuePair(
      ProtectionDomain domain, CompletionQueue completions, PerfPlan plan) {
    return domain
        .rcQueuePair(completions)
        .sendQueue(2 * plan.depth())
        .receiveQueue(2 * plan.depth())
        .create();
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
    server.start(sequence);
    sequence += messages;
  }

  @Override
  public void run() {
    runUntil(count);
  }

  /** Runs until so many messages of the round have come back. */
  void runUntil(int echoes) {
    stall.restart();
    while (client.arrived() < echoes) {
      client.advance();
      int done = server.poll();
      if (done > 0) {
        server.queuePair().ringDoorbell();
      }
      stall.note(done + client.poll());
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
  public void copy() {
    serverWindow.fill(payload, sequence);
    clientWindow.fill(payload, sequence);
  }
}
