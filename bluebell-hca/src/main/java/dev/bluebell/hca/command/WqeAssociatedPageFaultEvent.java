package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure wqe_associated_page_fault_event. Mirrors {@code mlx5_ifc.h:
 * mlx5_ifc_wqe_associated_page_fault_event_bits} of Linux.
 */
public final class WqeAssociatedPageFaultEvent {
  private static final Structure.Definition D =
      Structure.define("wqe_associated_page_fault_event", 224);

  public static final Field BYTES_COMMITTED = D.field("bytes_committed", 0x000, 32);
  public static final Field WQE_INDEX = D.field("wqe_index", 0x030, 16);
  public static final Field LEN = D.field("len", 0x050, 16);
  public static final Field RDMA = D.field("rdma", 0x0c5, 1);
  public static final Field WRITE_READ = D.field("write_read", 0x0c6, 1);
  public static final Field REQUESTOR = D.field("requestor", 0x0c7, 1);
  public static final Field QPN = D.field("qpn", 0x0c8, 24);

  public static final Structure STRUCTURE = D.structure();

  private WqeAssociatedPageFaultEvent() {}
}
