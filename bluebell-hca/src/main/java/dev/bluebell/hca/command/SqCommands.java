package dev.bluebell.hca.command;

import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Structure;

/** Commands about raw send queues and the transport interfaces (TIS) through which they send. */
public final class SqCommands {
  /** Input of CREATE_SQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_sq_in_bits} of Linux. */
  public static final class CreateSqIn {
    private static final Structure.Definition D = CommandHeaders.input("create_sq_in", 2176);

    public static final Area CTX = D.area("ctx", 0x100, Sqc.STRUCTURE);

    public static final Structure STRUCTURE = D.with("uid@010:16").structure();

    private CreateSqIn() {}
  }

  /** Output of CREATE_SQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_sq_out_bits} of Linux. */
  public static final class CreateSqOut {
    private static final Structure.Definition D = CommandHeaders.output("create_sq_out", 128);

    public static final Structure STRUCTURE = D.with("sqn@048:24").structure();

    private CreateSqOut() {}
  }

  /** Send queue context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_sqc_bits} of Linux. */
  public static final class Sqc {
    private static final Structure.Definition D = Structure.define("sqc", 1920);

    public static final Area WQ = D.area("wq", 0x180, Wq.STRUCTURE);

    public static final Structure STRUCTURE =
        D.with(
                """
                rlky@000 cd_master@001 fre@002 flush_in_error_en@003
                allow_multi_pkt_send_wqe@004 min_wqe_inline_mode@005:3 state@008:4 reg_umr@00c
                allow_swp@00d hairpin@00e non_wire@00f static_sq_wq@010
                hairpin_wq_buffer_type@015:3 ts_format@01a:2 user_index@028:24 cqn@048:24
                hairpin_peer_rq@068:24 hairpin_peer_vhca@090:16 ts_cqe_to_dest_cqn@0c8:24
                packet_pacing_rate_limit_index@0f0:16 tis_lst_sz@100:16
                qos_queue_group_id@110:16 tis_num_0@168:24
                """)
            .structure();

    private Sqc() {}
  }

  /** Input of CREATE_TIS. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_tis_in_bits} of Linux. */
  public static final class CreateTisIn {
    private static final Structure.Definition D = CommandHeaders.input("create_tis_in", 1536);

    public static final Area CTX = D.area("ctx", 0x100, Tisc.STRUCTURE);

    public static final Structure STRUCTURE = D.with("uid@010:16").structure();

    private CreateTisIn() {}
  }

  /** Output of CREATE_TIS. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_tis_out_bits} of Linux. */
  public static final class CreateTisOut {
    private static final Structure.Definition D = CommandHeaders.output("create_tis_out", 128);

    public static final Structure STRUCTURE = D.with("tisn@048:24").structure();

    private CreateTisOut() {}
  }

  /** Input of QUERY_TIS. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_tis_in_bits} of Linux. */
  public static final class QueryTisIn {
    private static final Structure.Definition D = CommandHeaders.input("query_tis_in", 128);

    public static final Structure STRUCTURE = D.with("tisn@048:24").structure();

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

    public static final Structure STRUCTURE =
        D.with(
                """
                strict_lag_tx_port_affinity@000 tls_en@001 lag_tx_port_affinity@004:4
                prio@00c:4 transport_domain@128:24 underlay_qpn@148:24 pd@168:24
                """)
            .structure();

    private Tisc() {}
  }

  private SqCommands() {}
}
