package dev.bluebell.hca.cqe;

/**
 * Public knowledge about the vendor's codes in error CQEs: byte 54, which no public document lists.
 * Everything here comes from published logs.
 */
public final class VendorError {
  private VendorError() {}

  /**
   * Explains a vendor's code with a syndrome in a sentence, or says that nothing is known about it.
   *
   * @param syndrome see {@link Syndrome}
   * @param code {@link ErrorCqe#VENDOR_ERR_SYND}, 0 … 255
   */
  public static String explain(int syndrome, int code) {
    if (code == 0) {
      return "vendor code 0x00 carries no information";
    }
    String known = known(syndrome, code);
    if (!known.isEmpty()) {
      return "vendor code 0x%02x: %s".formatted(code, known);
    }
    return "vendor code 0x%02x: nothing is publicly known about it with this syndrome"
        .formatted(code);
  }

  /** True when something is publicly known about a code with a syndrome. */
  public static boolean isKnown(int syndrome, int code) {
    return !known(syndrome, code).isEmpty();
  }

  private static String known(int syndrome, int code) {
    return switch (syndrome << 8 | code) {
      case Syndrome.LOCAL_LENGTH_ERR << 8 | 0x68 ->
          "seen for a raw Ethernet send of a ConnectX-4 Lx without the inline header that this card"
              + " needs (a thread on Linux's netdev list, January 2021)";
      case Syndrome.LOCAL_QP_OP_ERR << 8 | 0x68 ->
          "seen for the first send of a queue pair; the copyrpc project's notes call it"
              + " BAD_CTRL_WQE_INDEX, although the index was right. Also seen for other requests,"
              + " without a known cause (ucx#3618, ucx#1151)";
      case Syndrome.LOCAL_QP_OP_ERR << 8 | 0xd6 ->
          "seen for a receive, with the name RDE_MAL_WQE: its WQE is malformed (ucx pull 11444)";
      case Syndrome.LOCAL_PROT_ERR << 8 | 0x32 ->
          "seen for the memory of a receive, with hardware syndrome 0/146 (ucx pulls 7801, 9167)";
      case Syndrome.LOCAL_PROT_ERR << 8 | 0x51 ->
          "seen for the memory of a send request; with GPU memory, when the GPU could not be"
              + " reached as a peer (ucx#7774, nccl#214, nccl#928)";
      case Syndrome.LOCAL_PROT_ERR << 8 | 0x52 ->
          "seen for the memory of a send request, of reliable connections (ucx#6414, spdk#961) and"
              + " of raw Ethernet (csit#3988)";
      case Syndrome.LOCAL_PROT_ERR << 8 | 0x53 ->
          "seen for the memory of a send request, of reliable connections (nccl#1905) and of raw"
              + " Ethernet (warp17#81)";
      case Syndrome.LOCAL_PROT_ERR << 8 | 0x56 ->
          "seen for the memory of a receive behind an IOMMU that refused the access (a report on"
              + " nvme over RDMA on the Linux mailing lists)";
      case Syndrome.WR_FLUSH_ERR << 8 | 0xf9 ->
          "seen for flushed requests of both queues: look at what failed first (dLSM#7,"
              + " nvme-cli#3268)";
      case Syndrome.MW_BIND_ERR << 8 | 0x78 ->
          "seen for UMRs of Linux itself: for a translation with more entries than its key has"
              + " room for, and for the key of an on-demand region that was closed meanwhile (two"
              + " fixes of mlx5_ib)";
      case Syndrome.REMOTE_INVAL_REQ_ERR << 8 | 0x8a ->
          "seen when the responder answered with the NAK for an invalid request (charm#2532)";
      case Syndrome.REMOTE_ACCESS_ERR << 8 | 0x88 ->
          "seen when the responder answered with the NAK for a refused access (libfabric#4283)";
      case Syndrome.REMOTE_OP_ERR << 8 | 0x89 ->
          "seen when the responder answered with the NAK for an operational error (ucx#5472)";
      case Syndrome.TRANSPORT_RETRY_EXC_ERR << 8 | 0x81 ->
          "seen when no acknowledgement came and the retries were used up (ucx#5199, ucx pull"
              + " 6871)";
      case Syndrome.TRANSPORT_RETRY_EXC_ERR << 8 | 0x83 ->
          "seen in a dump of a queue whose poller waited forever (nccl#2383)";
      case Syndrome.RNR_RETRY_EXC_ERR << 8 | 0x87 ->
          "seen when the responder had no receive posted and the retries were used up (a published"
              + " walk-through of perftest's counters)";
      default -> "";
    };
  }
}
