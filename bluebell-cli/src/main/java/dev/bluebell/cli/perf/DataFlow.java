package dev.bluebell.cli.perf;

import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.TagHeader;
import org.jspecify.annotations.Nullable;

/** A flow of payload into the slots of a window. */
final class DataFlow extends Flow {
  private final Payload payload;
  private final Window window;
  private final Landing landing;
  private final Requests requests;
  private final boolean inline;
  private final int size;
  private final int lkey;
  private long first;
  private int content;

  /**
   * Posts requests. Each implementation has its own loop, so that the JIT compiler specializes it.
   */
  @FunctionalInterface
  private interface Requests {
    /** Posts {@code count} requests for the round's messages from {@code index} on. */
    void post(DataFlow flow, int index, int count);
  }

  /**
   * A flow.
   *
   * @param landing where the messages arrive
   */
  private DataFlow(
      Source source,
      @Nullable Receives receives,
      Window window,
      Landing landing,
      Requests requests) {
    super(source, receives);
    this.window = window;
    this.landing = landing;
    this.requests = requests;
    payload = source.payload();
    inline = source.plan().inline();
    size = source.plan().size();
    lkey = payload.lkey();
  }

  /** RDMA WRITEs. */
  static DataFlow write(Source source, Window window) {
    Requester requester = source.requester();
    int rkey = window.rkey();
    return new DataFlow(
        source,
        null,
        window,
        window,
        (flow, index, count) -> {
          for (int i = index; i < index + count; i++) {
            flow.end(flow.addPayload(requester.writes().write(window.address(i), rkey)), i);
          }
        });
  }

  /** RDMA WRITEs with their sequence number as immediate. */
  static DataFlow writeImmediate(Source source, @Nullable Receives receives, Window window) {
    Requester requester = source.requester();
    int rkey = window.rkey();
    return new DataFlow(
        source,
        receives,
        window,
        window,
        (flow, index, count) -> {
          for (int i = index; i < index + count; i++) {
            flow.end(
                flow.addPayload(
                    requester
                        .writes()
                        .writeImmediate(window.address(i), rkey, (int) flow.first + i)),
                i);
          }
        });
  }

  /** RDMA READs of the peer's payload. */
  static DataFlow read(Source source, LocalWindow window) {
    Requester requester = source.requester();
    int rkey = source.payload().rkey();
    int lkey = window.region().lkey();
    return new DataFlow(
        source,
        null,
        window,
        window,
        (flow, index, count) -> {
          for (int i = index; i < index + count; i++) {
            flow.end(
                requester
                    .reliable()
                    .read(flow.nextPayload(), rkey)
                    .scatter(window.address(i), flow.size, lkey),
                i);
          }
        });
  }

  /** Memory copies that the device makes without a peer. */
  static DataFlow copy(Source source, LocalWindow window) {
    Requester requester = source.requester();
    int lkey = window.region().lkey();
    return new DataFlow(
        source,
        null,
        window,
        window,
        (flow, index, count) -> {
          for (int i = index; i < index + count; i++) {
            flow.end(
                requester
                    .copies()
                    .copyMemory(flow.nextPayload(), flow.lkey, window.address(i), lkey, flow.size),
                i);
          }
        });
  }

  /** SENDs, each into the receive that was posted for it. */
  static DataFlow send(Source source, @Nullable Receives receives, Window window, Landing landing) {
    Requester requester = source.requester();
    return new DataFlow(
        source,
        receives,
        window,
        landing,
        (flow, index, count) -> {
          for (int i = index; i < index + count; i++) {
            flow.end(flow.addPayload(requester.messages().send()), i);
          }
        });
  }

  /** SENDs that begin with a tag, each into the memory that was added for its tag. */
  static DataFlow tagSend(
      Source source, Receives receives, ProtectionDomain domain, Window window) {
    Requester requester = source.requester();
    int number = source.number();
    int depth = source.plan().depth();
    MemoryRegion headers = domain.allocate((long) depth * TagHeader.BYTES);
    return new DataFlow(
        source,
        receives,
        window,
        window,
        (flow, index, count) -> {
          for (int i = index; i < index + count; i++) {
            long header = (long) (i % depth) * TagHeader.BYTES;
            TagHeader.eager(headers.segment(), header, TagReceives.tag(number, i), 0);
            flow.end(
                requester
                    .messages()
                    .send()
                    .gather(headers.address() + header, TagHeader.BYTES, headers.lkey())
                    .gather(flow.nextPayload(), flow.size, flow.lkey),
                i);
          }
        });
  }

  @Override
  void begin(long firstSequence) {
    first = firstSequence;
    content = payload.content(first);
    window.poison();
  }

  @Override
  void post(int index, int count) {
    requests.post(this, index, count);
  }

  @Override
  boolean isGood() {
    return landing.holds(payload, target(), first);
  }

  @Override
  boolean copy() {
    window.fill(payload, first);
    return true;
  }

  /** Adds the next message's payload to a request. */
  private RequestModifiers addPayload(RequestData data) {
    int next = nextContent();
    return inline
        ? data.inline(payload.memory(), payload.offset(next), size)
        : data.gather(payload.address(next), size, lkey);
  }

  /** Address of the next message's payload. */
  private long nextPayload() {
    return payload.address(nextContent());
  }

  private int nextContent() {
    int next = content;
    content = payload.after(next);
    return next;
  }
}
