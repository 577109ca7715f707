package dev.bluebell.softnic.transport.operation;

import dev.bluebell.softnic.queue.Fault;

/**
 * The one request of a requester that can't be executed: at which entry, and why. Everything before
 * it still completes, and nothing behind it starts. Owned by one requester.
 */
public final class RefusedRequest {
  private final Fault fault = new Fault();
  private int entry;

  /** Where those who refuse it say why; it is set when a request is refused. */
  public Fault fault() {
    return fault;
  }

  /** Says which entry of the outstanding requests it is. */
  public void at(int refused) {
    entry = refused;
  }

  /** True when a request is refused. */
  public boolean isSet() {
    return fault.isSet();
  }

  /** True when the request of an entry is refused. */
  public boolean is(int outstanding) {
    return fault.isSet() && entry == outstanding;
  }

  /** Forgets it. */
  public void clear() {
    fault.clear();
  }
}
