package dev.bluebell.uverbs.srq;

import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.structure.View;
import dev.bluebell.uverbs.pages.SharedRanges;
import java.io.IOException;

/** The commands for the device object of an SRQ, which depend on its type. */
interface SrqCommands {

  /**
   * The attributes that all types have.
   *
   * @param pd number of the protection domain
   * @param signed whether requests have signatures
   */
  record Shape(
      SharedRanges.Place ring,
      SharedRanges.Place record,
      int pd,
      int logEntries,
      int logStride,
      boolean signed) {

    /** Writes the context of the device's receive queue. */
    void describe(View wq) {
      wq.set(Wq.WQ_SIGNATURE, signed)
          .set(Wq.PD, pd)
          .set(Wq.LOG_WQ_SZ, logEntries)
          .set(Wq.LOG_WQ_STRIDE, logStride)
          .set(Wq.WQ_UMEM_VALID, true)
          .set(Wq.WQ_UMEM_ID, ring.umem())
          .set(Wq.WQ_UMEM_OFFSET, ring.offset())
          .set(Wq.DBR_UMEM_VALID, true)
          .set(Wq.DBR_UMEM_ID, record.umem())
          .set(Wq.DBR_ADDR, record.offset());
    }

    /** Returns the memory, once no queue lies in it. */
    void release(boolean alive) throws IOException {
      record.release(alive);
      ring.release(alive);
    }
  }

  ObjectKind kind();

  byte[] create(Shape shape);

  /** Command that arms an event for fewer than {@code limit} remaining requests; 0 disarms it. */
  byte[] arm(int number, int limit);

  byte[] query(int number);

  /** The limit in the answer to a query. */
  int limit(byte[] answer);
}
