package dev.bluebell.softnic.transport.operation;

import dev.bluebell.softnic.queue.SendWqe;

/** Executes one kind of local request: it sends no packets, and completes without a PSN. */
public interface LocalOperation {

  /**
   * Executes a request, or the next part of it. It is done when all its {@link #bytes} are.
   *
   * @param entry the request's entry in the outstanding requests
   * @param done bytes done so far
   * @param budget bytes after which to stop
   * @return bytes of this part, {@link Progress#WAIT} or {@link Progress#REFUSED}
   */
  long execute(SendWqe wqe, int entry, long done, long budget);

  /** Total bytes of a request. */
  default long bytes(SendWqe wqe) {
    return 0;
  }

  /**
   * True when it waits until all earlier requests are acknowledged, so that no retry repeats it.
   */
  default boolean isUnrepeatable() {
    return true;
  }

  /** True when a request obeys its fence, if it has one. */
  default boolean heedsFences(SendWqe wqe) {
    return true;
  }

  /** True when the request at the cursor still has work to do. */
  default boolean isToDo(SendWqe wqe) {
    return true;
  }
}
