package dev.bluebell.verbs.ring;

import dev.bluebell.verbs.AtomicScatter;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.RequestLanding;
import dev.bluebell.verbs.RequestScatter;

/** A request that may end in any way. */
public final class PlainRequest extends SendRequest<PlainRequest>
    implements RequestData, RequestLanding, RequestScatter, AtomicScatter, ReliableOperations {
  /** One of a ring. */
  public PlainRequest(SendRing ring, SendRingLayout layout) {
    super(ring, layout);
  }
}
