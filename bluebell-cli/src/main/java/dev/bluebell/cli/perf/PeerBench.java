package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RemoteMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** Sets up this process's half of a plan; another process sets up the other half. */
final class PeerBench {
  private final Device device;
  private final PerfPlan plan;
  private final PeerChannel peer;
  private final boolean isClient;
  private final ProtectionDomain domain;
  private final CompletionQueue requests;
  private final CompletionQueue receives;
  private final Payload payload;
  private final List<End> ends = new ArrayList<>();

  /** Windows for arriving messages, one for each active connection. */
  private final List<LocalWindow> windows = new ArrayList<>();

  /** The ends of the peer, one for each connection. */
  private final List<PeerEnd> peers = new ArrayList<>();

  private PeerBench(Device device, PerfPlan plan, PeerChannel peer, boolean isClient) {
    this.device = device;
    this.plan = plan;
    this.peer = peer;
    this.isClient = isClient;
    domain = device.allocateProtectionDomain();
    boolean isEcho = plan.operation() == PerfOperation.ECHO;
    int outstanding = plan.flows() * plan.depth();
    requests = plan.completions(device, isEcho ? 4 * plan.depth() : outstanding);
    receives = isReceiving() ? plan.completions(device, plan.flows() * plan.slots()) : requests;
    payload = new Payload(domain, plan.size(), plan.slots() + plan.flows());
    EndSettings settings =
        isEcho ? EchoTraffic.settings(device, domain, requests, plan) : settings();
    for (int i = 0; i < plan.queuePairs(); i++) {
      connect(settings, i < plan.active() && isTarget());
    }
  }

  /** The client's half. */
  static Traffic client(Device device, PerfPlan plan, PeerChannel server, Timings timings) {
    PeerBench bench = new PeerBench(device, plan, server, true);
    Traffic own = plan.latency() ? bench.clientTrips(timings::add) : bench.clientTraffic();
    return new PeerTraffic(own, server);
  }

  /** The server's half. */
  static Traffic server(Device device, PerfPlan plan, PeerChannel client) {
    return new PeerBench(device, plan, client, false).serverTraffic();
  }

  /** Whether messages with receives arrive in this process. */
  private boolean isReceiving() {
    return plan.operation().takesReceives() && (plan.latency() || !isClient);
  }

  /** Whether messages of the other process arrive in this one. */
  private boolean isTarget() {
    return switch (plan.operation()) {
      case READ -> false;
      case ECHO -> true;
      default -> plan.latency() || !isClient;
    };
  }

  private EndSettings settings() {
    return new EndSettings(
        device,
        domain,
        requests,
        receives,
        plan.operation(),
        plan.depth(),
        plan.inlineBytes(),
        isReceiving() ? plan.slots() : 0,
        null,
        null);
  }

  private void connect(EndSettings settings, boolean withWindow) {
    OpenEnd end = plan.connection().open(settings);
    RemoteMemory memory = PeerEnd.NONE;
    if (withWindow) {
      LocalWindow window = LocalWindow.allocate(domain, plan);
      windows.add(window);
      memory = window.region().remote();
    }
    PeerEnd own = new PeerEnd(end.address(), memory, payload.remote());
    PeerEnd other;
    if (isClient) {
      peer.send(own.message());
      other = PeerEnd.of(peer.receive(PeerMessage.Kind.END));
    } else {
      other = PeerEnd.of(peer.receive(PeerMessage.Kind.END));
      peer.send(own.message());
    }
    ends.add(end.connect(other.address()));
    peers.add(other);
  }

  private PeerWindow peerWindow(int number) {
    return new PeerWindow(
        peers.get(number).window(), plan.slots(), plan.size(), plan.connection().headerBytes());
  }

  // ---- the client

  private Traffic clientTraffic() {
    if (plan.operation() == PerfOperation.ECHO) {
      return echoClient();
    }
    List<Flow> flows = new ArrayList<>();
    for (int i = 0; i < plan.active(); i++) {
      flows.add(flow(i));
    }
    return new FlowTraffic(flows, poller(flows), plan.slots());
  }

  private Traffic clientTrips(LongConsumer nanos) {
    if (plan.operation() == PerfOperation.ECHO) {
      return TripTraffic.echoes(echoClient(), nanos);
    }
    Flow there = flow(0);
    FlowPoller poller = poller(List.of(there));
    if (plan.operation() == PerfOperation.READ) {
      return TripTraffic.requests(there, poller, plan.slots(), nanos);
    }
    Arrivals back = arrivals();
    return new TripTraffic(
        List.of(new FlowTraffic(List.of(there), poller, plan.slots()), back),
        i -> {
          there.advance();
          back.await(i);
        },
        i -> poller.awaitCompleted(there, i + 1),
        nanos);
  }

  /** A flow of messages from this process to the other. */
  private Flow flow(int number) {
    Requester requester = ends.get(number).requester();
    Source source = new Source(plan, number, requester, payload);
    return switch (plan.operation()) {
      case WRITE -> DataFlow.write(source, peerWindow(number));
      case WRITE_IMM -> DataFlow.writeImmediate(source, null, peerWindow(number));
      case SEND -> {
        Window nowhere = new PeerWindow(PeerEnd.NONE, 0, plan.size(), 0);
        yield DataFlow.send(source, null, nowhere, nowhere);
      }
      case READ -> {
        Payload theirs = payload.of(peers.get(number).payload());
        yield DataFlow.read(
            new Source(plan, number, requester, theirs), LocalWindow.allocate(domain, plan));
      }
      default ->
          throw new IllegalArgumentException(plan.operation() + " does not run in two processes");
    };
  }

  private FlowPoller poller(List<Flow> flows) {
    return new FlowPoller(flows, requests, new ReceivePoller(List.of(), requests));
  }

  private EchoTraffic echoClient() {
    EchoSide client =
        new EchoClient(plan, ends.getFirst(), requests, windows.getFirst(), peerWindow(0), payload);
    return EchoTraffic.half(client, payload, stall());
  }

  // ---- the server

  private Traffic serverTraffic() {
    if (plan.operation() == PerfOperation.ECHO) {
      EchoSide server =
          new EchoServer(plan, ends.getFirst(), requests, windows.getFirst(), peerWindow(0));
      return EchoTraffic.half(server, payload, stall());
    }
    return plan.latency() && plan.operation() != PerfOperation.READ ? answers() : arrivals();
  }

  /** Answers each message with another; the client measures how long that takes. */
  private Traffic answers() {
    Arrivals there = arrivals();
    Flow back = flow(0);
    FlowPoller poller = poller(List.of(back));
    return new TripTraffic(
        List.of(there, new FlowTraffic(List.of(back), poller, plan.slots())),
        i -> {
          there.await(i);
          back.advance();
        },
        i -> poller.awaitCompleted(back, i + 1),
        nanos -> {});
  }

  private Arrivals arrivals() {
    List<Receives> posted = new ArrayList<>();
    for (int i = 0; isReceiving() && i < windows.size(); i++) {
      ReceiveQueue queue = ends.get(i).receives();
      posted.add(
          plan.operation() == PerfOperation.SEND
              ? new SendReceives(queue, i, plan.size(), windows.get(i), queue.size())
              : new ImmediateReceives(queue, i, plan.size()));
    }
    return new Arrivals(
        windows,
        posted,
        payload,
        new ReceivePoller(posted, receives),
        new DataWait(device, stall()),
        stall(),
        plan.active() * plan.slots());
  }

  /** While nothing arrives, it checks whether the peer is gone. */
  private Stall stall() {
    return new Stall(peer::requireThere);
  }
}
