package dev.bluebell.softnic.transport.operation;

/** Special results of one step of a request, in place of the bytes that it moved. */
public final class Progress {
  /** The request must wait. */
  public static final long WAIT = -1;

  /** The request can't be executed; the fault of its requester says why. */
  public static final long REFUSED = -2;

  private Progress() {}
}
