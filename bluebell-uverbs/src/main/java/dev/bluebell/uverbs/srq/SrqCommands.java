package dev.bluebell.uverbs.srq;

import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.structure.View;
import dev.bluebell.uverbs.pages.SharedRanges;
import java.io.IOException;

/** The commands about the device's object of an SRQ, which depend on its type. */
interface SrqCommands {

  /**
   * What all types have.
   *
   * @param pd number of the protection domain
   * @param signed whether requests are said to have signatures
   */
  record Shape(
      SharedRanges.Place ring,
      SharedRanges.Place record,
      int pd,
      int logEntries,
      int logStride,
      boolean signed) {

    /** Writes what a receive queue of the device needs. */
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

    /** Gives the memory back, when no queue lies there any more. */
    void release(boolean alive) throws IOException {
      record.release(alive);
      ring.release(alive);
    }
  }

  ObjectKind kind();

  byte[] create(Shape shape);

  /** Asks for an event when fewer requests than {@code limit} are left; 0 for never. */
  byte[] arm(int number, int limit);

  byte[] query(int number);

  /** The limit in the answer to a query. */
  int limit(byte[] answer);
}
