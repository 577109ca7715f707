package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RemoteMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Sets up one process's half of what a plan needs, the other half of which is another's. */
final class PeerBench {
  private final Device device;
  private final PerfPlan plan;
  private final PeerChannel peer;
  private final boolean isClient;
  private final int slots;
  private final ProtectionDomain domain;
  private final CompletionQueue requests;
  private final CompletionQueue receives;
  private final Payload payload;
  private final List<End> ends = new ArrayList<>();

  /** Where messages arrive here, by the numbers of the connections that are used. */
  private final List<LocalWindow> windows = new ArrayList<>();

  /** What the peer told, for each connection. */
  private final List<PeerEnd> peers = new ArrayList<>();

  private PeerBench(Device device, PerfPlan plan, PeerChannel peer, boolean isClient) {
    this.device = device;
    this.plan = plan;
    this.peer = peer;
    this.isClient = isClient;
    slots = plan.slots();
    domain = device.allocateProtectionDomain();
    boolean isEcho = plan.operation() == PerfOperation.ECHO;
    int outstanding = plan.flows() * plan.depth();
    requests = plan.completions(device, isEcho ? 4 * plan.depth() : outstanding);
    receives = isEcho || !isReceiving() ? requests : plan.completions(device, plan.flows() * slots);
    payload = new Payload(domain, plan.size(), slots + plan.flows());
    EndSettings settings =
        isEcho ? EchoTraffic.settings(device, domain, requests, plan) : settings();
    for (int i = 0; i < plan.queuePairs(); i++) {
      connect(settings, i < plan.active() && isTarget());
    }
  }

  /** The client's half. */
  static Traffic client(
      Device device, PerfPlan plan, PeerChannel server, @Nullable Timings timings) {
    PeerBench bench = new PeerBench(device, plan, server, true);
    Traffic own =
        timings == null
            ? bench.clientTraffic()
            : new TripTraffic(bench.clientTrip(), bench.slots, timings);
    return new PeerTraffic(own, server);
  }

  /** The server's half. */
  static Traffic server(Device device, PerfPlan plan, PeerChannel client) {
    return new PeerBench(device, plan, client, false).serverTraffic();
  }

  /** Whether messages with receives arrive in this process. */
  private boolean isReceiving() {
    return (plan.operation() == PerfOperation.SEND || plan.operation() == PerfOperation.WRITE_IMM)
        && (plan.latency() || !isClient);
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
        plan.depth(),
        plan.operation().gather(),
        plan.inline() ? plan.size() : 0,
        isReceiving() ? slots : 0,
        EndSettings.options(device),
        null,
        null,
        false);
  }

  private void connect(EndSettings settings, boolean withWindow) {
    OpenEnd end = plan.connection().open(settings);
    RemoteMemory memory = PeerEnd.NONE;
    if (withWindow) {
      LocalWindow window = window();
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

  private LocalWindow window() {
    LongFunction<MemoryRegion> memory = bytes -> plan.memory().allocate(device, domain, bytes);
    return LocalWindow.allocate(memory, slots, plan.size(), plan.connection().headerBytes());
  }

  private PeerWindow peerWindow(int number) {
    return new PeerWindow(
        peers.get(number).window(), slots, plan.size(), plan.connection().headerBytes());
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
    return new FlowTraffic(flows, poller(flows), slots);
  }

  private RoundTrip clientTrip() {
    return switch (plan.operation()) {
      case ECHO -> new EchoRoundTrip(echoClient());
      case READ -> {
        Flow flow = flow(0);
        yield new RequestRoundTrip(flow, poller(List.of(flow)));
      }
      default -> {
        Flow there = flow(0);
        yield new PeerTrip(there, poller(List.of(there)), arrivals());
      }
    };
  }

  /** Messages of this process to the other. */
  private Flow flow(int number) {
    Requester requester = ends.get(number).requester();
    return switch (plan.operation()) {
      case WRITE -> new WriteFlow(plan, number, requester, payload, peerWindow(number));
      case WRITE_IMM ->
          new WriteImmediateFlow(plan, number, requester, null, payload, peerWindow(number));
      case SEND -> {
        Window nowhere = new PeerWindow(PeerEnd.NONE, 0, plan.size(), 0);
        yield new SendFlow(plan, number, requester, null, payload, nowhere, nowhere);
      }
      case READ -> {
        Payload theirs = payload.of(peers.get(number).payload());
        yield new ReadFlow(plan, number, requester, theirs, window());
      }
      default ->
          throw new IllegalArgumentException(plan.operation() + " does not run in two processes");
    };
  }

  private FlowPoller poller(List<Flow> flows) {
    return new FlowPoller(flows, false, null, requests, requests);
  }

  private Echoes echoClient() {
    return new EchoHalf(
        new EchoClient(plan, ends.getFirst(), requests, payload, peerWindow(0)),
        payload,
        windows.getFirst(),
        stall());
  }

  // ---- the server

  private Traffic serverTraffic() {
    if (plan.operation() == PerfOperation.ECHO) {
      return new EchoHalf(
          new EchoServer(plan, ends.getFirst(), requests, windows.getFirst(), peerWindow(0)),
          payload,
          windows.getFirst(),
          stall());
    }
    if (plan.latency() && plan.operation() != PerfOperation.READ) {
      Flow back = flow(0);
      return new AnswerTraffic(arrivals(), back, poller(List.of(back)), slots);
    }
    return new ArrivalTraffic(arrivals(), plan.active(), slots);
  }

  private Arrivals arrivals() {
    List<Receives> posted = new ArrayList<>();
    for (int i = 0; isReceiving() && i < windows.size(); i++) {
      ReceiveQueue queue = ends.get(i).receives();
      posted.add(
          plan.operation() == PerfOperation.SEND
              ? new SendReceives(queue, i, plan.size(), windows.get(i))
              : new ImmediateReceives(queue, i, plan.size()));
    }
    return new Arrivals(windows, posted, payload, receives, new DataWait(device, stall()), stall());
  }

  /** While nothing comes of the peer, it may be gone. */
  private Stall stall() {
    return new Stall(peer::requireThere);
  }
}
