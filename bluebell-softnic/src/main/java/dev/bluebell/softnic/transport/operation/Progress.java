package dev.bluebell.softnic.transport.operation;

/** How far a request came in one step, in place of the bytes that it moved. */
public final class Progress {
  /** The request must wait. */
  public static final long WAIT = -1;

  /** The request can't be executed; the fault of its requester says why. */
  public static final long REFUSED = -2;

  private Progress() {}
}
