package dev.bluebell.hca.cqe;

/**
 * The 64-byte completion queue entry. Mirrors {@code mlx5dv.h: mlx5_cqe64} and, for failures,
 * {@code mlx5_err_cqe}.
 *
 * <p>Offsets are in bytes; {@code *_WORD} offsets are of big-endian 8-byte words, which is how both
 * sides read and write the entry. In a 128-byte entry the 64 bytes described here are the second
 * half.
 */
public final class Cqe {
  public static final int BYTES = 64;
  public static final int BYTES_128 = 128;

  /** flags_rqpn (byte 24) and hds/l4/vlan (byte 28). */
  public static final int FLAGS_RQPN_WORD = 24;

  /** srqn_uidx (byte 32) and imm_inval_pkey (byte 36). */
  public static final int UIDX_IMMEDIATE_WORD = 32;

  /** app, app_op, app_info (bytes 40–43) and byte_cnt (byte 44). */
  public static final int BYTE_COUNT_WORD = 40;

  /**
   * Timestamp in device clock cycles. In an error CQE bytes 52–55 of this word are the syndromes.
   */
  public static final int TIMESTAMP_WORD = 48;

  /**
   * sop_drop_qpn, wqe_counter, signature, op_own: written last, in one release store; read first,
   * in one acquire load.
   */
  public static final int LAST_WORD = 56;

  /**
   * Value of op_own in an entry that the device has not written yet: opcode INVALID, as rdma-core
   * initializes it.
   */
  public static final int OP_OWN_INITIAL = 0xf0;

  /** op_own: mask of the owner bit. */
  public static final int OWNER_MASK = 0x01;

  /** op_own: the responder's message asked for a solicited event. */
  public static final int SOLICITED = 0x02;

  /** op_own: mask of the two format bits (0 none, 1 and 2 inline data, 3 compressed). */
  public static final int FORMAT_MASK = 0x0c;

  /**
   * flags_rqpn: a network header of IPv6 came with the message, {@code device.h:
   * CQE_ROCE_L3_HEADER}
   */
  public static final int L3_IPV6 = 1;

  /** flags_rqpn: a network header of IPv4 came with the message. */
  public static final int L3_IPV4 = 2;

  private static final int HEADER_IN_BUFFER = 1 << 28;
  private static final int HEADER = 3 << 28;

  private Cqe() {}

  /**
   * Bytes 56–63. {@code sendOpcode} is the opcode of the work request on the requester's side and 0
   * on the responder's.
   */
  public static long lastWord(int sendOpcode, int qpn, int wqeCounter, int opOwn) {
    int high = sendOpcode << 24 | qpn & 0xffffff;
    int low = wqeCounter << 16 | opOwn & 0xff;
    return (long) high << 32 | low & 0xffffffffL;
  }

  /**
   * Byte 63 of an entry without inline data and compression.
   *
   * @param opcode see {@link CqeOpcode}
   * @param solicited whether the message asked for a solicited event
   * @param owner lowest bit of the number of times that the producer has gone round the ring
   */
  public static int opOwn(int opcode, boolean solicited, int owner) {
    return opcode << 4 | (solicited ? SOLICITED : 0) | owner & OWNER_MASK;
  }

  /** Opcode of the completion, see {@link CqeOpcode}. */
  public static int opcode(long lastWord) {
    return (int) lastWord >>> 4 & 0xf;
  }

  /** Owner bit, 0 or 1. */
  public static int owner(long lastWord) {
    return (int) lastWord & OWNER_MASK;
  }

  /** True when the message asked for a solicited event. */
  public static boolean solicited(long lastWord) {
    return (lastWord & SOLICITED) != 0;
  }

  /** 0 none, 1 and 2 inline data of up to 32 and 64 bytes, 3 compressed. */
  public static int format(long lastWord) {
    return (int) (lastWord & FORMAT_MASK) >>> 2;
  }

  /**
   * 16 bits: index of the entry's first WQEBB on the requester's side; counter of the receive
   * entry, or its slot in a shared receive queue, on the responder's.
   */
  public static int wqeCounter(long lastWord) {
    return (int) lastWord >>> 16 & 0xffff;
  }

  /** Number of the queue pair here, 24 bits. */
  public static int qpn(long lastWord) {
    return (int) (lastWord >>> 32) & 0xffffff;
  }

  /** Opcode of the work request that completed (requester's completions only). */
  public static int sendOpcode(long lastWord) {
    return (int) (lastWord >>> 56);
  }

  /** Bytes 32–39: user index (CQE version 1) and immediate, invalidated key or pkey. */
  public static long uidxImmediateWord(int userIndex, int immediate) {
    return (long) userIndex << 32 | immediate & 0xffffffffL;
  }

  /** User index of the queue pair or shared receive queue, 24 bits. */
  public static int userIndex(long uidxImmediateWord) {
    return (int) (uidxImmediateWord >>> 32) & 0xffffff;
  }

  /** Immediate in wire order as a big-endian int, invalidated key or pkey, by opcode. */
  public static int immediate(long uidxImmediateWord) {
    return (int) uidxImmediateWord;
  }

  /** Bytes received or read, unsigned; in a compressed entry the number of completions. */
  public static int byteCount(long byteCountWord) {
    return (int) byteCountWord;
  }

  /** Bytes 48–55 of an error CQE: only the two syndromes are set. */
  public static long errorWord(int vendorSyndrome, int syndrome) {
    return (long) (vendorSyndrome & 0xff) << 8 | syndrome & 0xff;
  }

  /** Why the request failed, see {@link Syndrome}. */
  public static int syndrome(long errorWord) {
    return (int) errorWord & 0xff;
  }

  /** The vendor's finer reason, 8 bits. */
  public static int vendorSyndrome(long errorWord) {
    return (int) (errorWord >>> 8) & 0xff;
  }

  /** Number of the queue pair that sent the message, 24 bits; valid for datagrams. */
  public static int remoteQpn(long flagsWord) {
    return (int) (flagsWord >>> 32) & 0xffffff;
  }

  /**
   * Bytes 24–27 of a datagram whose network header lies in the first 40 bytes of its buffer.
   *
   * @param l3Type {@link #L3_IPV6} or {@link #L3_IPV4}
   * @param remoteQpn number of the queue pair that sent it, 24 bits
   */
  public static int datagramFlags(int l3Type, int remoteQpn) {
    return HEADER_IN_BUFFER | l3Type << 24 | remoteQpn & 0xffffff;
  }

  /** True when the message's network header is in the buffer or in the entry. */
  public static boolean hasHeader(long flagsWord) {
    return ((int) (flagsWord >>> 32) & HEADER) != 0;
  }

  /** Kind of the network header: 0 is that of InfiniBand, others {@code L3_*}. */
  public static int l3Type(long flagsWord) {
    return (int) (flagsWord >>> 56) & 3;
  }
}
