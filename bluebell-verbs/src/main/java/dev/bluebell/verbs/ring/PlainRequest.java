package dev.bluebell.verbs.ring;

import dev.bluebell.verbs.AtomicScatter;
import dev.bluebell.verbs.ReliableOperations;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.RequestLanding;
import dev.bluebell.verbs.RequestScatter;

/** A request that can be ended in any way: signalled or unsignalled, fenced or not. */
public final class PlainRequest extends SendRequest<PlainRequest>
    implements RequestData, RequestLanding, RequestScatter, AtomicScatter, ReliableOperations {
  /** Creates one of a ring's request objects. */
  public PlainRequest(SendRing ring, SendRingLayout layout) {
    super(ring, layout);
  }
}
