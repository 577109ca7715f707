package dev.bluebell.cli.perf;

import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.RequestModifiers;
import org.jspecify.annotations.Nullable;

/** A flow of payload into the slots of a window. */
abstract class DataFlow extends Flow {
  private final Payload payload;
  private final Window window;
  private final boolean inline;
  private final int size;
  private final int lkey;
  private long first;
  private int content;

  DataFlow(
      PerfPlan plan,
      int number,
      Requester requester,
      @Nullable Receives receives,
      Payload payload,
      Window window) {
    super(plan, number, requester, receives);
    this.payload = payload;
    this.window = window;
    inline = plan.inline();
    size = plan.size();
    lkey = payload.lkey();
  }

  @Override
  final void begin(long firstSequence) {
    first = firstSequence;
    content = payload.content(first);
    window.poison();
  }

  @Override
  final boolean isGood() {
    return landing().holds(payload, target(), first);
  }

  @Override
  final boolean copy() {
    window.fill(payload, first);
    return true;
  }

  /** Where the messages arrive. */
  Landing landing() {
    return window;
  }

  /** Adds the next message's payload to a request. */
  final RequestModifiers addPayload(RequestData request) {
    int next = nextContent();
    return inline
        ? request.inline(payload.memory(), payload.offset(next), size)
        : request.gather(payload.address(next), size, lkey);
  }

  /** Address of the next message's payload. */
  final long nextPayload() {
    return payload.address(nextContent());
  }

  private int nextContent() {
    int next = content;
    content = payload.after(next);
    return next;
  }

  /** Address of the slot of the round's message {@code index}. */
  final long slot(int index) {
    return window.address(index);
  }

  /** The immediate of the round's message {@code index}: its sequence number. */
  final int immediate(int index) {
    return (int) first + index;
  }

  final int size() {
    return size;
  }
}
