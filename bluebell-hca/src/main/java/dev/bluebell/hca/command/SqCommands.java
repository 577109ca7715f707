package dev.bluebell.hca.command;

import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands about raw send queues and the transport interfaces (TIS) through which they send. */
public final class SqCommands {
  /** Input of CREATE_SQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_sq_in_bits} of Linux. */
  public static final class CreateSqIn {
    private static final Structure.Definition D = CommandHeaders.input("create_sq_in", 2176);

    public static final Field UID = D.field("uid", 0x010, 16);
    public static final Area CTX = D.area("ctx", 0x100, Sqc.STRUCTURE);

    public static final Structure STRUCTURE = D.structure();

    private CreateSqIn() {}
  }

  /** Output of CREATE_SQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_sq_out_bits} of Linux. */
  public static final class CreateSqOut {
    private static final Structure.Definition D = CommandHeaders.output("create_sq_out", 128);

    public static final Field SQN = D.field("sqn", 0x048, 24);

    public static final Structure STRUCTURE = D.structure();

    private CreateSqOut() {}
  }

  /** Send queue context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_sqc_bits} of Linux. */
  public static final class Sqc {
    private static final Structure.Definition D = Structure.define("sqc", 1920);

    public static final Field RLKY = D.field("rlky", 0x000, 1);
    public static final Field CD_MASTER = D.field("cd_master", 0x001, 1);
    public static final Field FRE = D.field("fre", 0x002, 1);
    public static final Field FLUSH_IN_ERROR_EN = D.field("flush_in_error_en", 0x003, 1);
    public static final Field ALLOW_MULTI_PKT_SEND_WQE =
        D.field("allow_multi_pkt_send_wqe", 0x004, 1);
    public static final Field MIN_WQE_INLINE_MODE = D.field("min_wqe_inline_mode", 0x005, 3);
    public static final Field STATE = D.field("state", 0x008, 4);
    public static final Field REG_UMR = D.field("reg_umr", 0x00c, 1);
    public static final Field ALLOW_SWP = D.field("allow_swp", 0x00d, 1);
    public static final Field HAIRPIN = D.field("hairpin", 0x00e, 1);
    public static final Field NON_WIRE = D.field("non_wire", 0x00f, 1);
    public static final Field STATIC_SQ_WQ = D.field("static_sq_wq", 0x010, 1);
    public static final Field HAIRPIN_WQ_BUFFER_TYPE = D.field("hairpin_wq_buffer_type", 0x015, 3);
    public static final Field TS_FORMAT = D.field("ts_format", 0x01a, 2);
    public static final Field USER_INDEX = D.field("user_index", 0x028, 24);
    public static final Field CQN = D.field("cqn", 0x048, 24);
    public static final Field HAIRPIN_PEER_RQ = D.field("hairpin_peer_rq", 0x068, 24);
    public static final Field HAIRPIN_PEER_VHCA = D.field("hairpin_peer_vhca", 0x090, 16);
    public static final Field TS_CQE_TO_DEST_CQN = D.field("ts_cqe_to_dest_cqn", 0x0c8, 24);
    public static final Field PACKET_PACING_RATE_LIMIT_INDEX =
        D.field("packet_pacing_rate_limit_index", 0x0f0, 16);
    public static final Field TIS_LST_SZ = D.field("tis_lst_sz", 0x100, 16);
    public static final Field QOS_QUEUE_GROUP_ID = D.field("qos_queue_group_id", 0x110, 16);
    public static final Field TIS_NUM_0 = D.field("tis_num_0", 0x168, 24);
    public static final Area WQ = D.area("wq", 0x180, Wq.STRUCTURE);

    public static final Structure STRUCTURE = D.structure();

    private Sqc() {}
  }

  /** Input of CREATE_TIS. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_tis_in_bits} of Linux. */
  public static final class CreateTisIn {
    private static final Structure.Definition D = CommandHeaders.input("create_tis_in", 1536);

    public static final Field UID = D.field("uid", 0x010, 16);
    public static final Area CTX = D.area("ctx", 0x100, Tisc.STRUCTURE);

    public static final Structure STRUCTURE = D.structure();

    private CreateTisIn() {}
  }

  /** Output of CREATE_TIS. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_tis_out_bits} of Linux. */
  public static final class CreateTisOut {
    private static final Structure.Definition D = CommandHeaders.output("create_tis_out", 128);

    public static final Field TISN = D.field("tisn", 0x048, 24);

    public static final Structure STRUCTURE = D.structure();

    private CreateTisOut() {}
  }

  /** Input of QUERY_TIS. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_tis_in_bits} of Linux. */
  public static final class QueryTisIn {
    private static final Structure.Definition D = CommandHeaders.input("query_tis_in", 128);

    public static final Field TISN = D.field("tisn", 0x048, 24);

    public static final Structure STRUCTURE = D.structure();

    private QueryTisIn() {}
  }

  /** Output of QUERY_TIS. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_tis_out_bits} of Linux. */
  public static final class QueryTisOut {
    private static final Structure.Definition D = CommandHeaders.output("query_tis_out", 1408);

    public static final Area TIS_CONTEXT = D.area("tis_context", 0x080, Tisc.STRUCTURE);

    public static final Structure STRUCTURE = D.structure();

    private QueryTisOut() {}
  }

  /** TIS context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_tisc_bits} of Linux. */
  public static final class Tisc {
    private static final Structure.Definition D = Structure.define("tisc", 1280);

    public static final Field STRICT_LAG_TX_PORT_AFFINITY =
        D.field("strict_lag_tx_port_affinity", 0x000, 1);
    public static final Field TLS_EN = D.field("tls_en", 0x001, 1);
    public static final Field LAG_TX_PORT_AFFINITY = D.field("lag_tx_port_affinity", 0x004, 4);
    public static final Field PRIO = D.field("prio", 0x00c, 4);
    public static final Field TRANSPORT_DOMAIN = D.field("transport_domain", 0x128, 24);
    public static final Field UNDERLAY_QPN = D.field("underlay_qpn", 0x148, 24);
    public static final Field PD = D.field("pd", 0x168, 24);

    public static final Structure STRUCTURE = D.structure();

    private Tisc() {}
  }

  private SqCommands() {}
}
