package dev.bluebell.softnic.transport;

/** How far the message that is arriving has come. Owned by one responder. */
final class IncomingMessage {
  private boolean arriving;
  private boolean write;
  private long placed;

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
