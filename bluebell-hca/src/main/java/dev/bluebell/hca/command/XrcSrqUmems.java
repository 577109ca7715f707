package dev.bluebell.hca.command;

import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.structure.Field;

/**
 * The fields of CREATE_XRC_SRQ that name the umems of its queue. The public headers have only the
 * valid bits ({@code mlx5_ifc.h: xrc_srq_umem_valid, dbr_umem_valid}); the positions of the other
 * fields are inferred from similar commands.
 */
public final class XrcSrqUmems {
  /** Bytes from the start of the umem to the ring; in the command, as in CREATE_CQ. */
  public static final Field WQ_UMEM_OFFSET = CreateCqIn.CQ_UMEM_OFFSET;

  /** Umem of the ring; in the command, as in CREATE_CQ. */
  public static final Field WQ_UMEM_ID = CreateCqIn.CQ_UMEM_ID;

  /**
   * Umem of the doorbell record; in the context, in the word after that of its valid bit, as in
   * cqc.
   */
  public static final Field DBR_UMEM_ID = new Field("dbr_umem_id", 0x060, 32);

  /** Bytes from the start of that umem; in the context. Linux writes it like that of srqc. */
  public static final Field DBR_ADDR = new Field("dbr_addr", 0x140, 64);

  private XrcSrqUmems() {}
}
