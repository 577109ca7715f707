package dev.bluebell.softnic.queue;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.roce.packet.Aeth;

/** Vendor syndromes seen on hardware, according to public logs; 0 where none is known. */
public final class VendorSyndrome {
  public static final int UNKNOWN = 0x00;

  /** With LOCAL_PROT_ERR, of send requests. */
  public static final int LOCAL_PROTECTION = 0x51;

  /** With TRANSPORT_RETRY_EXC_ERR. */
  public static final int RETRIES_EXCEEDED = 0x81;

  /** With RNR_RETRY_EXC_ERR. */
  public static final int RNR_RETRIES_EXCEEDED = 0x87;

  /** With REMOTE_OP_ERR. */
  public static final int REMOTE_OPERATION = 0x89;

  private static final int LOCAL_PROTECTION_OF_RECEIVE = 0x32;

  private static final int MALFORMED_RECEIVE = 0xd6;

  /** With MW_BIND_ERR: a UMR was refused. From Linux logs of its own UMR queue. */
  public static final int UMR = 0x78;

  /** With LOCAL_QP_OP_ERR: the WQE index in the control segment is wrong. */
  public static final int WQE_INDEX = 0x68;

  /** With REMOTE_ACCESS_ERR. */
  public static final int REMOTE_ACCESS = 0x88;

  /** With REMOTE_INVAL_REQ_ERR. */
  public static final int REMOTE_INVALID_REQUEST = 0x8a;

  /** With WR_FLUSH_ERR. */
  public static final int FLUSHED = 0xf9;

  private VendorSyndrome() {}

  /**
   * The vendor syndrome of a failed receive.
   *
   * @param syndrome see {@link Syndrome}
   * @param nak of {@link Aeth}: whether the receiver or the request is at fault
   */
  public static int ofReceive(int syndrome, int nak) {
    return switch (syndrome) {
      case Syndrome.WR_FLUSH_ERR -> FLUSHED;
      case Syndrome.LOCAL_PROT_ERR -> LOCAL_PROTECTION_OF_RECEIVE;
      case Syndrome.LOCAL_QP_OP_ERR ->
          nak == Aeth.REMOTE_OPERATION_NAK ? MALFORMED_RECEIVE : UNKNOWN;
      default -> UNKNOWN;
    };
  }
}
