package dev.bluebell.cli.perf;

import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.TagHeader;

/** SENDs that begin with a tag, each into the memory that waits for its tag. */
final class TagSendFlow extends DataFlow {
  private final MemoryRegion headers;
  private final int depth;
  private final int number;
  private final int lkey;

  TagSendFlow(
      PerfPlan plan,
      int number,
      Requester requester,
      Receives receives,
      ProtectionDomain domain,
      Payload payload,
      Window window) {
    super(plan, number, requester, receives, payload, window);
    this.number = number;
    depth = plan.depth();
    headers = domain.allocate((long) depth * TagHeader.BYTES);
    lkey = payload.lkey();
  }

  @Override
  void post(int index, int count) {
    Requester requester = requester();
    for (int i = index; i < index + count; i++) {
      long header = (long) (i % depth) * TagHeader.BYTES;
      TagHeader.eager(headers.segment(), header, TagReceives.tag(number, i), 0);
      end(
          requester
              .messages()
              .send()
              .gather(headers.address() + header, TagHeader.BYTES, headers.lkey())
              .gather(nextPayload(), size(), lkey),
          i);
    }
  }
}
