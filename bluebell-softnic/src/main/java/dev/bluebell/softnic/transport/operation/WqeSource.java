package dev.bluebell.softnic.transport.operation;

import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.SendWqe;

/** Where a requester takes its WQEs from, and gives their WQEBBs back to. */
public interface WqeSource {

  /** Index of the WQE that comes next; any number when there is none. */
  int nextIndex();

  /** Fetches the next WQE into the snapshots of the send queue; the fault says why it can't. */
  SendQueue.Fetch fetch(Fault fault);

  /** Gives the WQEBBs of a fetched WQE back. */
  void retire(SendWqe wqe);

  /** True when a WQE is posted and not fetched by the requester. */
  boolean hasPosted();

  /** Second word of the control segment of the next WQE, which is posted. */
  long secondWord();

  /** Gives the next WQE, which is posted, back unexecuted; first word of its control segment. */
  long skip();

  /**
   * Gives what is posted back after the CQ was found overrun, if the ring needs it; how many WQEs.
   */
  int abandon();
}
