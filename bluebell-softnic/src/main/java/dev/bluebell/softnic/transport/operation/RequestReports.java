package dev.bluebell.softnic.transport.operation;

import dev.bluebell.softnic.queue.SendWqe;

/** Receives the outcome of each request of a requester. */
public interface RequestReports {

  /**
   * Reports that a request is complete.
   *
   * @param outstanding holds its response
   * @param entry of the request there
   * @return false when the completion queue is overrun
   */
  boolean complete(SendWqe wqe, Outstanding outstanding, int entry);

  /**
   * Reports that a request failed, which ends the send queue.
   *
   * @param sentence names the request and says why
   */
  void fail(int opcode, int index, int syndrome, int vendorSyndrome, String sentence);

  /**
   * Reports that a request is flushed.
   *
   * @param completion when it requests a completion, see {@link
   *     dev.bluebell.hca.wqe.ControlSegment#CE_MASK}
   * @return false when the completion queue is overrun
   */
  boolean flush(int opcode, int completion, int index, String cause);

  /** Reports that no other fetched request will complete. */
  default void cancel(String cause) {}

  /** True when short responses go into their CQEs, as cs_req requests. */
  default boolean takesAnswers() {
    return true;
  }

  /** Protection domain of the memory in which the answers of requests land. */
  int pd();

  /** Number of the completion queue that it writes to. */
  int completionQueue();
}
