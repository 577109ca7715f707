package dev.bluebell.softnic.transport.receive;

/** The arriving message and its progress. Owned by one responder. */
public final class IncomingMessage {
  private int pd;
  private boolean arriving;
  private boolean write;
  private long placed;

  /**
   * @param pd protection domain of the queue pair
   */
  public IncomingMessage(int pd) {
    this.pd = pd;
  }

  /** Protection domain that the remote keys of the message must belong to. */
  public int pd() {
    return pd;
  }

  /** Sets the protection domain that the remote keys of the next request are checked against. */
  public void enter(int newPd) {
    pd = newPd;
  }

  public void abandon() {
    arriving = false;
  }

  public void begin(boolean isWrite) {
    arriving = true;
    write = isWrite;
    placed = 0;
  }

  public void place(long bytes) {
    placed += bytes;
  }

  public void end() {
    arriving = false;
  }

  /** True between the first piece of a message and its last. */
  public boolean isArriving() {
    return arriving;
  }

  /** Bytes that were placed so far. */
  long placed() {
    return placed;
  }

  /** True when a piece neither starts a message nor continues the arriving one. */
  boolean refuses(boolean first, boolean isWrite) {
    return first == arriving || arriving && write != isWrite;
  }
}
