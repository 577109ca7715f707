package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure rdma_page_fault_event. Mirrors {@code mlx5_ifc.h:
 * mlx5_ifc_rdma_page_fault_event_bits} of Linux.
 */
public final class RdmaPageFaultEvent {
  private static final Structure.Definition D = Structure.define("rdma_page_fault_event", 224);

  public static final Field BYTES_COMMITTED = D.field("bytes_committed", 0x000, 32);
  public static final Field R_KEY = D.field("r_key", 0x020, 32);
  public static final Field PACKET_LEN = D.field("packet_len", 0x050, 16);
  public static final Field RDMA_OP_LEN = D.field("rdma_op_len", 0x060, 32);
  public static final Field RDMA_VA = D.field("rdma_va", 0x080, 64);
  public static final Field RDMA = D.field("rdma", 0x0c5, 1);
  public static final Field WRITE = D.field("write", 0x0c6, 1);
  public static final Field REQUESTOR = D.field("requestor", 0x0c7, 1);
  public static final Field QP_NUMBER = D.field("qp_number", 0x0c8, 24);

  public static final Structure STRUCTURE = D.structure();

  private RdmaPageFaultEvent() {}
}
