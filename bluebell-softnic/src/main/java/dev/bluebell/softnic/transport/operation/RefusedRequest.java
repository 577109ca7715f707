package dev.bluebell.softnic.transport.operation;

import dev.bluebell.softnic.queue.Fault;

/**
 * The request at which a requester stops because it can't be executed: its entry, and the reason.
 * Earlier requests still complete, and later ones do not start. Owned by one requester.
 */
public final class RefusedRequest {
  private final Fault fault = new Fault();
  private int entry;

  /** The fault, which is set when a request is refused. */
  public Fault fault() {
    return fault;
  }

  /** Sets its entry in the outstanding requests. */
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
