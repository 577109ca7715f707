package dev.bluebell.verbs.ring;

import dev.bluebell.verbs.RelaxedAtomic;
import dev.bluebell.verbs.RelaxedData;
import dev.bluebell.verbs.RelaxedLanding;
import dev.bluebell.verbs.RelaxedScatter;
import dev.bluebell.verbs.RequestModifiers;

/** A request that can be signalled only when it is fenced, for memory with relaxed ordering. */
public final class RelaxedRequest extends SendRequest<RelaxedRequest>
    implements RelaxedData, RelaxedLanding, RelaxedScatter, RelaxedAtomic, RequestModifiers {
  /** Creates one of a ring's request objects. */
  public RelaxedRequest(SendRing ring, SendRingLayout layout) {
    super(ring, layout);
  }
}
