package dev.bluebell.softnic.queue;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.softnic.translation.SegmentList;

/**
 * The amount of data that the CQEs of a queue pair hold (scatter to CQE), by cs_req or cs_res of
 * its context. {@link Completion#data} takes it as the address of {@link #BYTES} bytes, padded with
 * 0.
 */
public final class InlineData {
  /** Room that the data of one CQE needs. */
  public static final int BYTES = 64;

  private static final int BYTES_32 = 32;

  private int limit;
  private int format;

  /** Sets cs_res, for received data. */
  public void ofResponder(int csRes) {
    set(csRes == Qpc.CS_RES_32, csRes == Qpc.CS_RES_64);
  }

  /** Sets cs_req, for fetched data. */
  public void ofRequester(int csReq) {
    set(csReq == Qpc.CS_REQ_32, csReq == Qpc.CS_REQ_64);
  }

  private void set(boolean small, boolean large) {
    limit = small ? BYTES_32 : large ? BYTES : 0;
    format = small ? Cqe.FORMAT_INLINE_32 : large ? Cqe.FORMAT_INLINE_64 : 0;
  }

  /** Bytes that one CQE holds; 0 when all data goes to memory. */
  public int limit() {
    return limit;
  }

  /** One of the formats of {@link Cqe}. */
  public int format() {
    return format;
  }

  /** Copies data, which is fetched, to the buffer for a CQE. */
  public static void put(SegmentList data, int bytes, long to) {
    data.copyTo(to, bytes);
    Memory.fill(to + bytes, BYTES - bytes, (byte) 0);
  }
}
