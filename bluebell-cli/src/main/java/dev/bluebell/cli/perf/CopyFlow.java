package dev.bluebell.cli.perf;

/** Copies from memory to memory that the device makes by itself. */
final class CopyFlow extends DataFlow {
  private final int fromKey;
  private final int toKey;

  CopyFlow(PerfPlan plan, int number, Requester requester, Payload payload, LocalWindow window) {
    super(plan, number, requester, null, payload, window);
    fromKey = payload.lkey();
    toKey = window.region().lkey();
  }

  @Override
  void post(int index, int count) {
    Requester requester = requester();
    for (int i = index; i < index + count; i++) {
      end(requester.copy(nextPayload(), fromKey, slot(i), toKey, size()), i);
    }
  }
}
