package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sets up what a plan needs on a device: connections, memory, and a flow for each direction. */
final class FlowBench {
  private final PerfPlan plan;
  private final int slots;
  private final ProtectionDomain domain;
  private final CompletionQueue requests;
  private final CompletionQueue receives;
  private final Payload payload;
  private final List<Flow> flows = new ArrayList<>();
  private final List<Window> windows = new ArrayList<>();

  FlowBench(Device device, PerfPlan plan) {
    this.plan = plan;
    slots = plan.slots();
    domain = device.allocateProtectionDomain();
    int outstanding = plan.flows() * plan.depth();
    requests = device.createCompletionQueue(outstanding);
    receives = device.createCompletionQueue(2 * outstanding);
    payload = new Payload(domain, plan.size(), slots + plan.flows());
    for (int i = 0; i < plan.queuePairs(); i++) {
      Connection connection =
          Connection.create(device, domain, requests, receives, plan, isReceiving());
      if (i < plan.active()) {
        add(connection.left(), connection.right());
        if (plan.bidirectional() || plan.latency()) {
          add(connection.right(), connection.left());
        }
      }
    }
  }

  private boolean isReceiving() {
    return plan.operation() == PerfOperation.SEND || plan.operation() == PerfOperation.WRITE_IMM;
  }

  private void add(RcQueuePair from, RcQueuePair to) {
    int number = flows.size();
    Window window = new Window(domain, slots, plan.size());
    windows.add(window);
    Receives peer = receives(number, to, window);
    flows.add(
        switch (plan.operation()) {
          case WRITE -> new WriteFlow(plan, number, from, payload, window);
          case WRITE_IMM -> new WriteImmediateFlow(plan, number, from, peer, payload, window);
          case SEND -> new SendFlow(plan, number, from, peer, payload, window);
          case READ -> new ReadFlow(plan, number, from, payload, window);
          case CAS -> new CompareSwapFlow(plan, number, from, domain, window);
          case FAA -> new FetchAddFlow(plan, number, from, domain, window);
          case ECHO -> throw new IllegalArgumentException("an echo is no flow");
        });
  }

  private @Nullable Receives receives(int number, RcQueuePair queuePair, Window window) {
    return switch (plan.operation()) {
      case SEND -> new SendReceives(queuePair, number, plan.size(), window);
      case WRITE_IMM -> new ImmediateReceives(queuePair, number, plan.size());
      default -> null;
    };
  }

  /** All flows at once. */
  Traffic traffic() {
    return new FlowTraffic(flows, poller(), slots);
  }

  /** One message at a time. */
  RoundTrip roundTrip(Device device) {
    return switch (plan.operation()) {
      case WRITE ->
          new WriteRoundTrip(
              device, flows.get(0), flows.get(1), windows.get(0), windows.get(1), poller());
      case SEND, WRITE_IMM -> new MessageRoundTrip(flows.get(0), flows.get(1), poller());
      default -> new RequestRoundTrip(flows.get(0), poller());
    };
  }

  private FlowPoller poller() {
    return new FlowPoller(flows, isReceiving(), requests, receives);
  }
}
