package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The structure qpc_ext. Mirrors {@code mlx5_ifc.h: mlx5_ifc_qpc_ext_bits} of rdma-core. */
public final class QpcExt {
  private static final Structure.Definition D = Structure.define("qpc_ext", 1536);

  public static final Field DELAY_DROP_EN = D.field("delay_drop_en", 0x000, 1);
  public static final Field VL15 = D.field("vl15", 0x001, 1);
  public static final Field MMO = D.field("mmo", 0x002, 1);
  public static final Field DCI_STREAM_CHANNEL_ID = D.field("dci_stream_channel_id", 0x010, 16);
  public static final Field QOS_QUEUE_GROUP_ID_REQUESTER =
      D.field("qos_queue_group_id_requester", 0x020, 32);
  public static final Field QOS_QUEUE_GROUP_ID_RESPONDER =
      D.field("qos_queue_group_id_responder", 0x040, 32);

  /**
   * opt_param_mask_95_32 of INIT2INIT_QP: takes {@link #MMO}, {@code mlx5_ifc.h:
   * MLX5_QPC_OPT_MASK_32_INIT2INIT_MMO} of rdma-core.
   */
  public static final long OPT_MASK_MMO = 1 << 3;

  public static final Structure STRUCTURE = D.structure();

  private QpcExt() {}
}
