package dev.bluebell.softnic.queue;

/** Vendor syndromes seen on hardware, by public logs; 0 where none is known. */
public final class VendorSyndrome {
  public static final int UNKNOWN = 0x00;

  /** With LOCAL_PROT_ERR. */
  public static final int LOCAL_PROTECTION = 0x51;

  /** With MW_BIND_ERR: a UMR was refused. In logs of Linux, of its own UMR queue. */
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
}
