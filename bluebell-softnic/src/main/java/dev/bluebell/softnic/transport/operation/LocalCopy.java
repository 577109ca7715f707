package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.MmoSegment;
import dev.bluebell.softnic.engine.Effort;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.Staging;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.SegmentList;
import dev.bluebell.softnic.transport.connection.QpIdentity;

/** Copies between two local memory keys: MMO with opmod DMA. Owned by one requester. */
public final class LocalCopy implements LocalOperation {
  /** Size of the memory for the operation's report, the content of which is not public. */
  private static final int OPAQUE_BYTES = 64;

  /** Most bytes copied in one step, so that one copy can't starve other queues. */
  private static final int PIECE = 64 << 10;

  private static final int HEAVY_PIECE = 4 << 10;

  private final Effort effort;
  private final KeyTable keys;
  private final Staging staging;
  private final int pd;
  private final int qpn;
  private final Fault fault;
  private final LocalMove move;

  private boolean allowed;

  // True when the memory of the last piece was fragmented into very many segments.
  private boolean heavy;

  /**
   * @param move finds the memory of the current request
   * @param fault set by the methods that return false
   */
  LocalCopy(Chip chip, QpIdentity self, LocalMove move, Fault fault) {
    this.move = move;
    effort = chip.scheduler().effort();
    keys = chip.keys();
    staging = chip.staging();
    pd = self.pd();
    qpn = self.number();
    this.fault = fault;
  }

  /** Sets mmo of the extended context. */
  public void allow(boolean mmo) {
    allowed = mmo;
  }

  @Override
  public long bytes(SendWqe wqe) {
    return wqe.bytes();
  }

  @Override
  public long execute(SendWqe wqe, int entry, long done, long budget) {
    if (done == 0 && !check(wqe)) {
      return Progress.REFUSED;
    }
    int most = heavy ? HEAVY_PIECE : PIECE;
    int bytes = (int) Math.min(wqe.bytes() - done, Math.min(budget, most));
    long before = effort.spent();
    boolean copied = copy(wqe, done, bytes);
    heavy = Effort.isHeavy(effort.spent() - before, heavy);
    return copied ? bytes : Progress.REFUSED;
  }

  /** Checks everything a copy needs before it begins; false when it is refused. */
  private boolean check(SendWqe wqe) {
    if (!allowed) {
      fault.set(
          Syndrome.LOCAL_QP_OP_ERR,
          "opcode MMO needs mmo of the extended context, which INIT2INIT_QP sets; QP 0x%x does not have it"
              .formatted(qpn));
      return false;
    }
    int key = (int) wqe.operation(MmoSegment.LKEY);
    long opaque = wqe.operation(MmoSegment.ADDRESS);
    if (!keys.allows(key, opaque, OPAQUE_BYTES, pd, qpn, MemoryKey.LOCAL_WRITE)) {
      fault.set(
          Syndrome.LOCAL_PROT_ERR,
          VendorSyndrome.LOCAL_PROTECTION,
          "the opaque memory of the operation: "
              + keys.refusal("lkey", key, opaque, OPAQUE_BYTES, pd, qpn, MemoryKey.LOCAL_WRITE));
      return false;
    }
    return move.isAllowed(wqe);
  }

  /** Copies bytes {@code [skip, skip + bytes)}; false when a key refuses. */
  private boolean copy(SendWqe wqe, long skip, int bytes) {
    if (!move.find(wqe, skip, bytes)) {
      return false;
    }
    SegmentList source = move.source;
    if (source.isToBeFetched() && !source.fetch(staging.of(bytes), bytes)) {
      return move.refuseUnreachable(source);
    }
    return source.copyTo(move.target, bytes) || move.refuseUnreachable(move.target);
  }
}
