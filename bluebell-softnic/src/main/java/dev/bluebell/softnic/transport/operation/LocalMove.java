package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.softnic.queue.DataSegments;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.SegmentList;
import dev.bluebell.softnic.transport.connection.QpIdentity;

/**
 * The local source and target memory of a request with two data segments. Owned by one requester.
 */
final class LocalMove {
  /** The memory to read. */
  final SegmentList source = new SegmentList();

  /** The memory to write. */
  final SegmentList target = new SegmentList();

  private final KeyTable keys;
  private final int pd;
  private final int qpn;
  private final Fault fault;

  /**
   * @param fault set by the methods that return false
   */
  LocalMove(KeyTable keys, QpIdentity self, Fault fault) {
    this.keys = keys;
    pd = self.pd();
    qpn = self.number();
    this.fault = fault;
  }

  /** Checks all memory of a request; false when a key refuses. */
  boolean isAllowed(SendWqe wqe) {
    return DataSegments.isAllowed(wqe.list(), keys, pd, qpn, MemoryKey.LOCAL_READ, fault)
        && DataSegments.isAllowed(target(wqe), keys, pd, qpn, MemoryKey.LOCAL_WRITE, fault);
  }

  /** Finds bytes {@code [skip, skip + bytes)}; false when a key refuses. */
  boolean find(SendWqe wqe, long skip, int bytes) {
    long middle = target(wqe);
    if (!DataSegments.collect(
        wqe.list(), middle, skip, bytes, keys, pd, qpn, MemoryKey.LOCAL_READ, source, fault)) {
      return false;
    }
    boolean found =
        DataSegments.collect(
            middle,
            wqe.listEnd(),
            skip,
            bytes,
            keys,
            pd,
            qpn,
            MemoryKey.LOCAL_WRITE,
            target,
            fault);
    if (!found) {
      source.clear();
    }
    return found;
  }

  private static long target(SendWqe wqe) {
    return wqe.list() + DataSegment.BYTES;
  }

  /** Refuses a request whose memory belongs to a process that did not serve the access; false. */
  boolean refuseUnreachable(SegmentList list) {
    DataSegments.refuseUnreachable(list, fault);
    source.clear();
    target.clear();
    return false;
  }
}
