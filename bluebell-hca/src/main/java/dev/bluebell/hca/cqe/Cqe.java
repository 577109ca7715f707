package dev.bluebell.hca.cqe;

import dev.bluebell.hca.structure.Field;

/**
 * The 64-byte completion queue entry. Mirrors {@code mlx5dv.h: mlx5_cqe64}; see {@link ErrorCqe}
 * for the additional fields of failures.
 *
 * <p>Offsets are in bytes; {@code *_WORD} offsets are of big-endian 8-byte words, which is how both
 * sides read and write the entry. In a 128-byte entry the 64 bytes described here are the second
 * half.
 */
public final class Cqe {
  public static final int BYTES = 64;
  public static final int BYTES_128 = 128;

  /** Format 1: up to 32 bytes of inline data in the first half of the entry. */
  public static final Field INLINE_DATA = new Field("inline_data", 0, 256);

  public static final Field WQE_ID = new Field("wqe_id", 16, 16);
  public static final Field RSS_HASH_RESULT = new Field("rss_hash_result", 96, 32);
  public static final Field RSS_HASH_TYPE = new Field("rss_hash_type", 128, 8);
  public static final Field ML_PATH = new Field("ml_path", 136, 8);

  /** Index of the packet's stride in a WQE of a multi-packet receive queue. */
  public static final Field IB_STRIDE_INDEX = new Field("ib_stride_index", 160, 16);

  /** The same bits for messages received by Ethernet queues: checksum of the packet. */
  public static final Field CHECK_SUM = IB_STRIDE_INDEX.named("check_sum");

  public static final Field SLID = new Field("slid", 176, 16);

  /** Not 0: the message's network header is in the buffer or in the entry. */
  public static final Field GRH = new Field("grh", 194, 2);

  /** Service level. */
  public static final Field SL = new Field("sl", 196, 4);

  /** On RoCE, as a part of {@link #SL}: a UDP header follows the network header. */
  public static final Field UDP_HEADER = new Field("udp_header", 196, 1);

  /** Kind of the network header on RoCE: 0 is that of InfiniBand, others {@code L3_*}. */
  public static final Field L3_TYPE = new Field("l3_type", 198, 2);

  /** Number of the queue pair that sent the message; valid for datagrams. */
  public static final Field RQPN = new Field("rqpn", 200, 24);

  public static final Field HDS_IP_EXT = new Field("hds_ip_ext", 224, 8);
  public static final Field L4_HDR_TYPE_ETC = new Field("l4_hdr_type_etc", 232, 8);
  public static final Field VLAN_INFO = new Field("vlan_info", 240, 16);

  /** User index of the queue pair or shared receive queue (CQE version 1). */
  public static final Field UIDX = new Field("uidx", 264, 24);

  /** Immediate, its 4 bytes in wire order as a big-endian int, or pkey. */
  public static final Field IMM = new Field("imm", 288, 32);

  /** The key that the message invalidated. */
  public static final Field INVAL_RKEY = IMM.named("inval_rkey");

  /** Application that generated the entry: 0, or {@link #APP_TAG_MATCHING}. */
  public static final Field APP = new Field("app", 320, 8);

  public static final Field APP_OP = new Field("app_op", 328, 8);
  public static final Field APP_INFO = new Field("app_info", 336, 16);

  /** Bytes received or read. */
  public static final Field BYTE_CNT = new Field("byte_cnt", 352, 32);

  /** Format 3: number of completions that the entry represents. */
  public static final Field MINI_CQES = BYTE_CNT.named("mini_cqes");

  /** In device clock cycles. */
  public static final Field TIMESTAMP = new Field("timestamp", 384, 64);

  /** Opcode of the work request that completed (requester's completions only). */
  public static final Field SEND_OPCODE = new Field("send_opcode", 448, 8);

  /** Number of the queue pair here. */
  public static final Field QPN = new Field("qpn", 456, 24);

  /** See {@link #wqeCounter}. */
  public static final Field WQE_COUNTER = new Field("wqe_counter", 480, 16);

  public static final Field SIGNATURE = new Field("signature", 496, 8);

  /**
   * The same bits in the enhanced compression layout: number of passes of the producer over the
   * ring, modulo 256.
   */
  public static final Field VALIDITY_ITERATION_COUNT = SIGNATURE.named("validity_iteration_count");

  /** Opcode, format, solicited event and owner together. */
  public static final Field OP_OWN = new Field("op_own", 504, 8);

  /** See {@link CqeOpcode}. */
  public static final Field OPCODE = new Field("opcode", 504, 4);

  /** One of the constants {@code FORMAT_*}. */
  public static final Field FORMAT = new Field("format", 508, 2);

  public static final Field SOLICITED_EVENT = new Field("solicited", 510, 1);

  /** Lowest bit of the number of passes of the producer over the ring. */
  public static final Field OWNER = new Field("owner", 511, 1);

  /** Format: up to 32 bytes of inline data. */
  public static final int FORMAT_INLINE_32 = 1;

  /** Format: up to 64 bytes of inline data, in the half of a 128-byte entry before this one. */
  public static final int FORMAT_INLINE_64 = 2;

  /** Format: the entry represents several completions, see {@link MiniCqe}. */
  public static final int FORMAT_COMPRESSED = 3;

  /** app: tag matching, {@code mlx5dv.h: MLX5_CQE_APP_TAG_MATCHING}. */
  public static final int APP_TAG_MATCHING = 1;

  /** byte_cnt of a stride: its packet begins a message, UCX {@code ib_mlx5.h}. */
  public static final int STRIDE_FIRST = 1 << 29;

  /** byte_cnt of a stride: its packet ends a message. The length is in the lower 16 bits. */
  public static final int STRIDE_LAST = 1 << 30;

  /** byte_cnt of a stride: no packet, the stride stays empty. */
  public static final int STRIDE_FILLER = 1 << 31;

  /** Bits of byte_cnt that are the length of a stride's packet. */
  public static final int STRIDE_LENGTH = 0xffff;

  /** rss_hash_type (byte 16), ml_path (17), ib_stride_index (20) and slid (22). */
  public static final int PATH_WORD = 16;

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

  /**
   * Byte 62 in an entry of the enhanced compression layout that the device has not written yet, as
   * UCX initializes it.
   */
  public static final int ITERATION_INITIAL = 0xff;

  /** op_own: mask of the owner bit. */
  public static final int OWNER_MASK = 0x01;

  /** op_own: the responder's message asked for a solicited event. */
  public static final int SOLICITED = 0x02;

  /** op_own: mask of the two format bits (0 none, 1 and 2 inline data, 3 compressed). */
  public static final int FORMAT_MASK = 0x0c;

  /** flags_rqpn: a global route header, of InfiniBand or of RoCE v1, came with the message. */
  public static final int L3_GLOBAL_ROUTE = 0;

  /**
   * flags_rqpn: a network header of IPv6 came with the message, {@code device.h:
   * CQE_ROCE_L3_HEADER}
   */
  public static final int L3_IPV6 = 1;

  /** flags_rqpn: a network header of IPv4 came with the message. */
  public static final int L3_IPV4 = 2;

  private static final int HEADER_IN_BUFFER = 1;

  private Cqe() {}

  /**
   * Bytes 56–63. {@code sendOpcode} is the opcode of the work request on the requester's side and 0
   * on the responder's.
   */
  public static long lastWord(int sendOpcode, int qpn, int wqeCounter, int opOwn) {
    return SEND_OPCODE.place(sendOpcode)
        | QPN.place(qpn)
        | WQE_COUNTER.place(wqeCounter)
        | OP_OWN.place(opOwn);
  }

  /**
   * Byte 63 of an entry without inline data and compression.
   *
   * @param opcode see {@link CqeOpcode}
   * @param solicited true when the message asked for a solicited event
   * @param owner lowest bit of the number of passes of the producer over the ring
   */
  public static int opOwn(int opcode, boolean solicited, int owner) {
    return (int) OPCODE.place(opcode) | (solicited ? SOLICITED : 0) | owner & OWNER_MASK;
  }

  /** Opcode of the completion, see {@link CqeOpcode}. */
  public static int opcode(long lastWord) {
    return OPCODE.getInt(lastWord);
  }

  /** Owner bit, 0 or 1. */
  public static int owner(long lastWord) {
    return OWNER.getInt(lastWord);
  }

  /** True when the message asked for a solicited event. */
  public static boolean solicited(long lastWord) {
    return SOLICITED_EVENT.isSet(lastWord);
  }

  /** 0 none, 1 and 2 inline data of up to 32 and 64 bytes, 3 compressed. */
  public static int format(long lastWord) {
    return FORMAT.getInt(lastWord);
  }

  /**
   * 16 bits: index of the entry's first WQEBB on the requester's side; counter of the receive
   * entry, or its slot in a shared receive queue, on the responder's.
   */
  public static int wqeCounter(long lastWord) {
    return WQE_COUNTER.getInt(lastWord);
  }

  /** Number of the queue pair here, 24 bits. */
  public static int qpn(long lastWord) {
    return QPN.getInt(lastWord);
  }

  /** Opcode of the work request that completed (requester's completions only). */
  public static int sendOpcode(long lastWord) {
    return SEND_OPCODE.getInt(lastWord);
  }

  /** Bytes 16–23: the index of a stride. */
  public static long strideWord(int index) {
    return (index & 0xffffL) << 16;
  }

  /** Bytes 32–39: user index (CQE version 1) and immediate, invalidated key or pkey. */
  public static long uidxImmediateWord(int userIndex, int immediate) {
    return UIDX.place(userIndex) | IMM.place(immediate);
  }

  /** User index of the queue pair or shared receive queue, 24 bits. */
  public static int userIndex(long uidxImmediateWord) {
    return UIDX.getInt(uidxImmediateWord);
  }

  /** Immediate in wire order as a big-endian int, invalidated key or pkey, by opcode. */
  public static int immediate(long uidxImmediateWord) {
    return IMM.getInt(uidxImmediateWord);
  }

  /** Bytes received or read, unsigned; in a compressed entry the number of completions. */
  public static int byteCount(long byteCountWord) {
    return BYTE_CNT.getInt(byteCountWord);
  }

  /** Bytes 48–55 of an error CQE: only the two syndromes are set. */
  public static long errorWord(int vendorSyndrome, int syndrome) {
    return ErrorCqe.VENDOR_ERR_SYND.place(vendorSyndrome) | ErrorCqe.SYNDROME.place(syndrome);
  }

  /** The reason why the request failed, see {@link Syndrome}. */
  public static int syndrome(long errorWord) {
    return ErrorCqe.SYNDROME.getInt(errorWord);
  }

  /** The vendor's finer reason, 8 bits. */
  public static int vendorSyndrome(long errorWord) {
    return ErrorCqe.VENDOR_ERR_SYND.getInt(errorWord);
  }

  /** Number of the queue pair that sent the message, 24 bits; valid for datagrams. */
  public static int remoteQpn(long flagsWord) {
    return RQPN.getInt(flagsWord);
  }

  /**
   * Bytes 24–27 of a datagram that has its network header in the first 40 bytes of its buffer.
   *
   * @param l3Type {@link #L3_IPV6}, {@link #L3_IPV4} or {@link #L3_GLOBAL_ROUTE}
   * @param remoteQpn number of the queue pair that sent it, 24 bits
   */
  public static int datagramFlags(int l3Type, int remoteQpn) {
    long word =
        GRH.place(HEADER_IN_BUFFER)
            | UDP_HEADER.place(l3Type == L3_GLOBAL_ROUTE ? 0 : 1)
            | L3_TYPE.place(l3Type)
            | RQPN.place(remoteQpn);
    return (int) (word >>> 32);
  }

  /**
   * Bytes 24–27 of a message that came over InfiniBand.
   *
   * @param global true when it has a global route header, which is in the first 40 bytes of a
   *     datagram's buffer
   * @param serviceLevel 0 … 15
   * @param remoteQpn number of the queue pair that sent it, 24 bits
   */
  public static int infiniBandFlags(boolean global, int serviceLevel, int remoteQpn) {
    long word =
        GRH.place(global ? HEADER_IN_BUFFER : 0) | SL.place(serviceLevel) | RQPN.place(remoteQpn);
    return (int) (word >>> 32);
  }

  /**
   * Bytes 16–23 of a message that came over InfiniBand.
   *
   * @param pathBits lower bits of the local identifier that it went to, 7 bits
   * @param sourceLid local identifier of the port that sent it, 16 bits
   */
  public static long pathWord(int pathBits, int sourceLid) {
    return ML_PATH.place(pathBits & 0x7f) | SLID.place(sourceLid);
  }

  /** Service level of a message that came over InfiniBand, 0 … 15. */
  public static int serviceLevel(long flagsWord) {
    return SL.getInt(flagsWord);
  }

  /** True when the message's network header is in the buffer or in the entry. */
  public static boolean hasHeader(long flagsWord) {
    return GRH.isSet(flagsWord);
  }

  /** Kind of the network header: 0 is that of InfiniBand, others {@code L3_*}. */
  public static int l3Type(long flagsWord) {
    return L3_TYPE.getInt(flagsWord);
  }

  /** InfiniBand: local identifier of the port that sent the message, 16 bits. */
  public static int sourceLid(long pathWord) {
    return SLID.getInt(pathWord);
  }

  /** InfiniBand: lower bits of the local identifier that the message went to, 7 bits. */
  public static int pathBits(long pathWord) {
    return ML_PATH.getInt(pathWord) & 0x7f;
  }
}
