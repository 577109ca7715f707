package dev.bluebell.softnic.transport.operation;

import dev.bluebell.softnic.queue.SendWqe;

/** Whom a requester tells what became of its requests. */
public interface RequestReports {

  /**
   * Takes note that a request is complete.
   *
   * @param outstanding has its answer
   * @param entry of the request there
   * @return false when the completion queue is overrun
   */
  boolean complete(SendWqe wqe, Outstanding outstanding, int entry);

  /**
   * Takes note that a request failed, which ends the send queue.
   *
   * @param sentence names the request and says why
   */
  void fail(int opcode, int index, int syndrome, int vendorSyndrome, String sentence);

  /**
   * Takes note that a request is flushed.
   *
   * @param completion when it asks for a completion, see {@link
   *     dev.bluebell.hca.wqe.ControlSegment#CE_MASK}
   * @return false when the completion queue is overrun
   */
  boolean flush(int opcode, int completion, int index, String cause);

  /** Takes note that nothing more of what was fetched completes. */
  void cancel(String cause);

  /** True when the data of short answers goes into completions, as cs_req asks. */
  boolean takesAnswers();

  /** Number of the completion queue that it writes to. */
  int completionQueue();
}
