package dev.bluebell.softnic.transport.operation;

import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.SendWqe;

/** A source of a requester's WQEs: it fetches them, and retires their WQEBBs. */
public interface WqeSource {

  /** Index of the WQE that comes next; any number when there is none. */
  int nextIndex();

  /** Fetches the next WQE into the snapshots of the send queue; sets the fault when it can't. */
  SendQueue.Fetch fetch(Fault fault);

  /** Retires the WQEBBs of a fetched WQE. */
  void retire(SendWqe wqe);

  /** True when a posted WQE was not fetched yet. */
  boolean hasPosted();

  /** Second word of the control segment of the next WQE, which is posted. */
  long secondWord();

  /** Retires the next posted WQE unexecuted, and returns the first word of its control segment. */
  long skip();

  /** Retires posted WQEs after a CQ overrun, if the ring needs it, and returns their number. */
  default int abandon() {
    return 0;
  }
}
