package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Sets up what a plan needs on a device: connections, memory, and a flow for each direction. */
final class FlowBench {
  private static final int MAX_RECEIVES = 1 << 15;
  private static final int MIN_TAGS = 16;
  private static final int MAX_SHARED_RECEIVES = (1 << 15) - 1;

  private final PerfPlan plan;
  private final int slots;
  private final LongFunction<MemoryRegion> memory;
  private final ProtectionDomain domain;
  private final CompletionQueue requests;
  private final CompletionQueue receives;
  private final Payload payload;
  private @Nullable TagMatchingReceiveQueue tags;
  private int tagsOfFlow;
  private final List<Flow> flows = new ArrayList<>();
  private final List<LocalWindow> windows = new ArrayList<>();
  private final List<End> receivers = new ArrayList<>();

  FlowBench(Device device, PerfPlan plan) {
    this.plan = plan;
    slots = plan.slots();
    domain = device.allocateProtectionDomain();
    memory = bytes -> plan.memory().allocate(device, domain, bytes);
    int outstanding = plan.flows() * plan.depth();
    requests = plan.completions(device, outstanding);
    receives = plan.completions(device, receiveCompletions(outstanding, device));
    payload = new Payload(domain, plan.size(), slots + plan.flows());
    EndSettings settings = settings(device);
    for (int i = 0; i < plan.queuePairs(); i++) {
      Connection connection = plan.connection().connect(settings, settings);
      if (i < plan.active()) {
        add(connection.left(), connection.right());
        if (plan.bidirectional() || plan.latency()) {
          add(connection.right(), connection.left());
        }
      }
    }
  }

  /** Tags have three: when they are added, and with the first and the last of their message. */
  private int receiveCompletions(int outstanding, Device device) {
    return plan.operation() == PerfOperation.TAG_SEND
        ? 4 * device.attributes().maxTags()
        : 2 * outstanding;
  }

  private EndSettings settings(Device device) {
    if (plan.operation() == PerfOperation.TAG_SEND) {
      int most = device.attributes().maxTags() - 1;
      tagsOfFlow = Math.clamp(most / plan.flows(), 1, Math.max(MIN_TAGS, 2 * plan.depth()));
      int all = Math.min(most, tagsOfFlow * plan.flows());
      tags = domain.tagMatchingReceiveQueue(receives).tags(all).operations(all).create();
    }
    int count = isReceiving() ? Math.min(MAX_RECEIVES, 2 * plan.depth()) : 0;
    int inline = plan.inline() ? plan.size() : 0;
    SharedReceiveQueue shared = null;
    if (plan.sharedReceives()) {
      count = Math.clamp(MAX_SHARED_RECEIVES / plan.flows(), 1, count);
      int all = Math.min(MAX_SHARED_RECEIVES, count * plan.flows());
      shared = domain.sharedReceiveQueue().requests(all).create();
    }
    ConnectOptions options = EndSettings.options(device);
    return new EndSettings(
        device,
        domain,
        requests,
        receives,
        plan.depth(),
        plan.operation().gather(),
        inline,
        count,
        options,
        shared,
        tags,
        plan.operation() == PerfOperation.COPY);
  }

  private boolean isReceiving() {
    return switch (plan.operation()) {
      case SEND, TAG_SEND, WRITE_IMM -> true;
      default -> false;
    };
  }

  private void add(End source, End target) {
    int number = flows.size();
    Requester from = source.requester();
    ReceiveQueue to = target.receives();
    LocalWindow window =
        LocalWindow.allocate(memory, slots, plan.size(), plan.connection().headerBytes());
    windows.add(window);
    receivers.add(target);
    flows.add(
        switch (plan.operation()) {
          case WRITE -> new WriteFlow(plan, number, from, payload, window);
          case WRITE_IMM -> {
            Receives peer = new ImmediateReceives(to, number, plan.size());
            yield new WriteImmediateFlow(plan, number, from, peer, payload, window);
          }
          case SEND -> send(number, from, to, window);
          case TAG_SEND -> tagSend(number, from, window);
          case READ -> new ReadFlow(plan, number, from, payload, window);
          case COPY -> new CopyFlow(plan, number, from, payload, window);
          case CAS -> new CompareSwapFlow(plan, number, from, domain, window);
          case MASKED_CAS -> new MaskedCompareSwapFlow(plan, number, from, domain, window);
          case MASKED_FAA -> new MaskedFetchAddFlow(plan, number, from, domain, window);
          case FAA -> new FetchAddFlow(plan, number, from, domain, window);
          case BIND -> new BindFlow(plan, number, from, domain);
          case ECHO -> throw new IllegalArgumentException("an echo is no flow");
        });
  }

  private Flow tagSend(int number, Requester from, LocalWindow window) {
    TagMatchingReceiveQueue queue = Objects.requireNonNull(tags);
    Receives peer = new TagReceives(queue, number, plan.size(), window, tagsOfFlow);
    return new TagSendFlow(plan, number, from, peer, domain, payload, window);
  }

  private Flow send(int number, Requester from, ReceiveQueue to, LocalWindow window) {
    if (plan.sharedReceives()) {
      SharedSendReceives peer = new SharedSendReceives(to, number, plan.size(), windows);
      return new SendFlow(plan, number, from, peer, payload, window, peer);
    }
    Receives peer = new SendReceives(to, number, plan.size(), window);
    return new SendFlow(plan, number, from, peer, payload, window, window);
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
      case SEND, TAG_SEND, WRITE_IMM -> new MessageRoundTrip(flows.get(0), flows.get(1), poller());
      default -> new RequestRoundTrip(flows.get(0), poller());
    };
  }

  private FlowPoller poller() {
    Receivers byEnd = plan.sharedReceives() ? new Receivers(receivers) : null;
    return new FlowPoller(flows, isReceiving(), byEnd, requests, receives);
  }
}
