package dev.bluebell.softnic.command;

/**
 * The limits of the device, which the capabilities report and the commands enforce. Constants named
 * LOG are logarithms to base 2.
 */
public final class Limits {
  public static final int LOG_MAX_PD = 16;
  public static final int LOG_MAX_UAR = 16;
  public static final int LOG_MAX_UMEM = 20;
  public static final int LOG_MAX_MKEY = 20;

  /** The most translation entries of one indirect key, and of all of them together. */
  public static final int LOG_MAX_KLM_LIST_SIZE = 16;

  public static final int LOG_MAX_ENTRIES = 22;
  public static final int LOG_MAX_CQ = 16;
  public static final int LOG_MAX_QP = 17;
  public static final int LOG_MAX_RMP = 15;
  public static final int LOG_MAX_DCT = 16;

  /** Numbers of DC targets begin after those of queue pairs, so that they never coincide. */
  public static final int FIRST_DCT = 1 << LOG_MAX_QP;

  /** Initiators that one DC target serves at a time. */
  public static final int LOG_MAX_DCT_CONNECTIONS = 10;

  public static final int LOG_MAX_DCI_STREAMS = 6;
  public static final int LOG_MAX_XRC_SRQ = 15;
  public static final int LOG_MAX_XRCD = 16;
  public static final int LOG_MAX_CQ_SIZE = 22;

  public static final int LOG_MAX_QP_SIZE = 15;
  public static final int LOG_MAX_SRQ_SIZE = 15;

  public static final int LOG_MAX_XRQ = 10;

  /** Entries of a list of tags; one is never filled. */
  public static final int LOG_MAX_TAGS = 10;

  public static final int LOG_MAX_MESSAGE = 30;

  /** The fewest strides of a receive WQE of a striding pool. */
  public static final int LOG_MIN_STRIDES = 3;

  /** READs and atomics outstanding at one queue pair, in each direction. */
  public static final int LOG_MAX_READS = 4;

  public static final int MAX_SEND_WQE_BYTES = 1024;
  public static final int MAX_RECEIVE_WQE_BYTES = 512;

  /** Start and size of device memory in the BAR. */
  public static final int MEMIC_BAR_START = 0x80_0000;

  public static final int MEMIC_BAR_BYTES = 256 << 10;

  /** The unit in which the BAR is mapped. */
  public static final int MEMIC_PAGE_BYTES = 4096;

  /** The most device memory of one allocation. */
  public static final int MAX_MEMIC_BYTES = 128 << 10;

  public static final int LOG_MIN_MEMIC_BYTES = 6;

  /**
   * The alignment of device memory that a command may request is 64 · 2^n bytes, n from 0 to this.
   */
  public static final int LOG_MAX_MEMIC_ALIGNMENT = 6;

  public static final int COMPLETION_VECTORS = 4;

  /** The device clock counts nanoseconds. */
  public static final int FREQUENCY_KHZ = 1_000_000;

  private Limits() {}
}
