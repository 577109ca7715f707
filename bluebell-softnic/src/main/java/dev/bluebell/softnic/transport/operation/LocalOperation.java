package dev.bluebell.softnic.transport.operation;

import dev.bluebell.softnic.queue.SendWqe;

/**
 * Executes one kind of request that concerns this device alone: nothing of it travels, and no PSN
 * tells that it is done.
 */
public interface LocalOperation {

  /**
   * Executes a request, or the next part of it. It is done when all its {@link #bytes} are.
   *
   * @param entry of the outstanding requests
   * @param done bytes of it that are done
   * @param budget bytes after which to stop
   * @return bytes of this part, {@link Progress#WAIT} or {@link Progress#REFUSED}
   */
  long execute(SendWqe wqe, int entry, long done, long budget);

  /** Bytes after which a request is done. */
  default long bytes(SendWqe wqe) {
    return 0;
  }

  /**
   * True when it waits until everything before it is acknowledged, so that no retry comes back to
   * it.
   */
  boolean isUnrepeatable();

  /** True when a request waits for its fence, if it has one. */
  default boolean heedsFences(SendWqe wqe) {
    return true;
  }

  /** True for the request at the cursor when something is left to do. */
  default boolean isToDo(SendWqe wqe) {
    return true;
  }
}
