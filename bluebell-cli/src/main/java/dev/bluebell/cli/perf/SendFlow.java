package dev.bluebell.cli.perf;

import org.jspecify.annotations.Nullable;

/** SENDs, each into the receive request that was posted for it. */
final class SendFlow extends DataFlow {
  private final Landing landing;

  SendFlow(
      PerfPlan plan,
      int number,
      Requester requester,
      @Nullable Receives receives,
      Payload payload,
      Window window,
      Landing landing) {
    super(plan, number, requester, receives, payload, window);
    this.landing = landing;
  }

  @Override
  Landing landing() {
    return landing;
  }

  @Override
  void post(int index, int count) {
    Requester requester = requester();
    for (int i = index; i < index + count; i++) {
      end(addPayload(requester.messages().send()), i);
    }
  }
}
