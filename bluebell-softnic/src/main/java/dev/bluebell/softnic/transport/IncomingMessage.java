package dev.bluebell.softnic.transport;

/** The message that is arriving, and how far it has come. Owned by one responder. */
final class IncomingMessage {
  private int pd;
  private boolean arriving;
  private boolean write;
  private long placed;

  /**
   * @param pd protection domain of the queue pair
   */
  IncomingMessage(int pd) {
    this.pd = pd;
  }

  /** Protection domain that the remote keys of the message must belong to. */
  int pd() {
    return pd;
  }

  /** Checks the remote keys of the next request against another protection domain. */
  void enter(int newPd) {
    pd = newPd;
  }

  /** Gives it up. */
  void abandon() {
    arriving = false;
  }

  void begin(boolean isWrite) {
    arriving = true;
    write = isWrite;
    placed = 0;
  }

  void place(long bytes) {
    placed += bytes;
  }

  void end() {
    arriving = false;
  }

  /** True between the first piece of a message and its last. */
  boolean isArriving() {
    return arriving;
  }

  /** True for an RDMA WRITE, while one arrives. */
  boolean isWrite() {
    return write;
  }

  /** Bytes that have arrived. */
  long placed() {
    return placed;
  }

  /** True when a piece neither starts a message nor continues the one that is arriving. */
  boolean refuses(boolean first, boolean isWrite) {
    return first == arriving || arriving && write != isWrite;
  }
}
