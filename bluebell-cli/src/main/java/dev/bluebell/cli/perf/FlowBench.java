package dev.bluebell.cli.perf;

import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Sets up a plan on a device: connections, memory, and a flow for each direction. */
final class FlowBench {
  private static final int MAX_RECEIVES = 1 << 15;

  /** Most receives of all queue pairs that are posted once and for all, by a slot for each. */
  private static final int MAX_STANDING_RECEIVES = 1 << 16;

  private static final int MIN_TAGS = 16;
  private static final int MAX_SHARED_RECEIVES = (1 << 15) - 1;

  private final Device device;
  private final PerfPlan plan;
  private final ProtectionDomain domain;
  private final CompletionQueue requests;
  private final CompletionQueue receives;
  private final Payload payload;
  private @Nullable TagMatchingReceiveQueue tags;
  private int tagsOfFlow;

  // By flow number.
  private final List<Flow> flows = new ArrayList<>();
  private final List<LocalWindow> windows = new ArrayList<>();
  private final List<End> receivers = new ArrayList<>();
  private final List<Receives> posted = new ArrayList<>();

  FlowBench(Device device, PerfPlan plan) {
    this.device = device;
    this.plan = plan;
    domain = device.allocateProtectionDomain();
    int outstanding = plan.flows() * plan.depth();
    requests = plan.completions(device, outstanding);
    receives = plan.completions(device, receiveCompletions(outstanding));
    payload = new Payload(domain, plan.size(), plan.slots() + plan.flows());
    EndSettings settings = settings();
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

  /**
   * A tag has three completions: when it is added, and for the first and the last packet of its
   * message.
   */
  private int receiveCompletions(int outstanding) {
    return plan.operation() == PerfOperation.TAG_SEND
        ? 4 * device.attributes().maxTags()
        : 2 * outstanding;
  }

  private EndSettings settings() {
    if (plan.operation() == PerfOperation.TAG_SEND) {
      int most = device.attributes().maxTags() - 1;
      tagsOfFlow = Math.clamp(most / plan.flows(), 1, Math.max(MIN_TAGS, 2 * plan.depth()));
      int all = Math.min(most, tagsOfFlow * plan.flows());
      tags = domain.tagMatchingReceiveQueue(receives).tags(all).operations(all).create();
    }
    int count = plan.operation().takesReceives() ? Math.min(MAX_RECEIVES, 2 * plan.depth()) : 0;
    if (plan.operation() == PerfOperation.SEND
        && !plan.sharedReceives()
        && (long) plan.slots() * plan.queuePairs() <= MAX_STANDING_RECEIVES) {
      count = Math.max(count, plan.slots());
    }
    SharedReceiveQueue shared = null;
    if (plan.sharedReceives()) {
      count = Math.clamp(MAX_SHARED_RECEIVES / plan.flows(), 1, count);
      int all = Math.min(MAX_SHARED_RECEIVES, count * plan.flows());
      shared = domain.sharedReceiveQueue().requests(all).create();
    }
    return new EndSettings(
        device,
        domain,
        requests,
        receives,
        plan.operation(),
        plan.depth(),
        plan.inlineBytes(),
        count,
        shared,
        tags);
  }

  private void add(End source, End target) {
    LocalWindow window = LocalWindow.allocate(domain, plan);
    windows.add(window);
    receivers.add(target);
    Source from = new Source(plan, flows.size(), source.requester(), payload);
    flows.add(flow(from, target.receives(), window));
  }

  private Flow flow(Source from, ReceiveQueue queue, LocalWindow window) {
    return switch (plan.operation()) {
      case WRITE -> DataFlow.write(from, window);
      case WRITE_IMM ->
          DataFlow.writeImmediate(
              from, posted(new ImmediateReceives(queue, from.number(), plan.size())), window);
      case SEND -> send(from, queue, window);
      case TAG_SEND -> {
        TagMatchingReceiveQueue list = Objects.requireNonNull(tags);
        Receives to = new TagReceives(list, from.number(), plan.size(), window, tagsOfFlow);
        yield DataFlow.tagSend(from, posted(to), domain, window);
      }
      case READ -> DataFlow.read(from, window);
      case COPY -> DataFlow.copy(from, window);
      case CAS -> AtomicFlow.compareSwap(from, domain, window);
      case FAA -> AtomicFlow.fetchAdd(from, domain, window);
      case MASKED_CAS -> AtomicFlow.maskedCompareSwap(from, domain, window);
      case MASKED_FAA -> AtomicFlow.maskedFetchAdd(from, domain, window);
      case BIND -> new BindFlow(from, domain);
      case ECHO -> throw new IllegalArgumentException("an echo is not a flow");
    };
  }

  private Flow send(Source from, ReceiveQueue queue, LocalWindow window) {
    if (plan.sharedReceives()) {
      SharedSendReceives to = new SharedSendReceives(queue, from.number(), plan.size(), windows);
      return DataFlow.send(from, posted(to), window, to);
    }
    int ahead = Math.min(queue.size(), 2 * plan.depth());
    if (queue.slots() == window.slots()) {
      StandingReceives to = new StandingReceives(queue, from.number(), plan.size(), window, ahead);
      return DataFlow.send(from, posted(to), window, to);
    }
    Receives to = new SendReceives(queue, from.number(), plan.size(), window, ahead);
    return DataFlow.send(from, posted(to), window, window);
  }

  private Receives posted(Receives to) {
    posted.add(to);
    return to;
  }

  /** Traffic of all flows at once. */
  Traffic traffic() {
    return new FlowTraffic(flows, poller(), plan.slots());
  }

  /**
   * Traffic of one message at a time.
   *
   * @param nanos takes the time of each
   */
  Traffic trips(LongConsumer nanos) {
    FlowPoller poller = poller();
    Flow there = flows.get(0);
    Flow back = flows.get(1);
    return switch (plan.operation()) {
      // The peer polls its memory for the message, and answers with another.
      case WRITE -> {
        DataWait data = new DataWait(device, new Stall());
        LocalWindow thereWindow = windows.get(0);
        LocalWindow backWindow = windows.get(1);
        yield twoWay(
            poller,
            i -> {
              there.advance();
              data.await(thereWindow, i);
              back.advance();
              data.await(backWindow, i);
            },
            nanos);
      }
      // The peer polls for its receive completion, and answers with another message.
      case SEND, TAG_SEND, WRITE_IMM ->
          twoWay(
              poller,
              i -> {
                poller.deliver(there, i);
                poller.deliver(back, i);
              },
              nanos);
      default -> TripTraffic.requests(there, poller, plan.slots(), nanos);
    };
  }

  private Traffic twoWay(FlowPoller poller, IntConsumer trip, LongConsumer nanos) {
    Flow there = flows.get(0);
    Flow back = flows.get(1);
    return new TripTraffic(
        List.of(
            new FlowTraffic(List.of(there), poller, plan.slots()),
            new FlowTraffic(List.of(back), poller, plan.slots())),
        trip,
        i -> {
          poller.awaitCompleted(there, i + 1);
          poller.awaitCompleted(back, i + 1);
        },
        nanos);
  }

  private FlowPoller poller() {
    return new FlowPoller(
        flows,
        requests,
        plan.sharedReceives()
            ? new ReceivePoller(posted, receives, new Receivers(receivers)::flow)
            : new ReceivePoller(posted, receives));
  }
}
