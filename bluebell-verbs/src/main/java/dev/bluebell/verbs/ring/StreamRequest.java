package dev.bluebell.verbs.ring;

import dev.bluebell.verbs.StreamAtomicScatter;
import dev.bluebell.verbs.StreamData;
import dev.bluebell.verbs.StreamLanding;
import dev.bluebell.verbs.StreamOperations;
import dev.bluebell.verbs.StreamScatter;

/** A request on a stream, which is always signalled. */
public final class StreamRequest extends SendRequest<StreamRequest>
    implements StreamData, StreamLanding, StreamScatter, StreamAtomicScatter, StreamOperations {
  /** Creates one of a ring's request objects. */
  public StreamRequest(SendRing ring, SendRingLayout layout) {
    super(ring, layout);
  }
}
