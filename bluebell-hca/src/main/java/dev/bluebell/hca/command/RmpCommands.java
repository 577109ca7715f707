package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands about receive memory pools, which implement shared receive queues. */
public final class RmpCommands {
  /** Input of CREATE_RMP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_rmp_in_bits} of Linux. */
  public static final class CreateRmpIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("create_rmp_in", 2176).with("uid@010:16");
    public static final Area CTX = STRUCTURE.area("ctx", 0x100, Rmpc.STRUCTURE);

    /** Another name of {@link #CTX}. */
    public static final Area RMP_CONTEXT = STRUCTURE.area("rmp_context", 0x100, Rmpc.STRUCTURE);

    private CreateRmpIn() {}
  }

  /** Output of CREATE_RMP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_rmp_out_bits} of Linux. */
  public static final class CreateRmpOut {
    public static final Structure STRUCTURE = CommandHeaders.output("create_rmp_out", 128);
    public static final Field RMPN = STRUCTURE.field("rmpn", 0x048, 24);

    private CreateRmpOut() {}
  }

  /** Input of QUERY_RMP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_rmp_in_bits} of Linux. */
  public static final class QueryRmpIn {
    public static final Structure STRUCTURE = CommandHeaders.input("query_rmp_in", 128);
    public static final Field RMPN = STRUCTURE.field("rmpn", 0x048, 24);

    private QueryRmpIn() {}
  }

  /** Output of QUERY_RMP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_rmp_out_bits} of Linux. */
  public static final class QueryRmpOut {
    public static final Structure STRUCTURE = CommandHeaders.output("query_rmp_out", 2176);
    public static final Area RMP_CONTEXT = STRUCTURE.area("rmp_context", 0x100, Rmpc.STRUCTURE);

    private QueryRmpOut() {}
  }

  /** Input of MODIFY_RMP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_modify_rmp_in_bits} of Linux. */
  public static final class ModifyRmpIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("modify_rmp_in", 2176).with("uid@010:16");
    public static final Field RMP_STATE = STRUCTURE.field("rmp_state", 0x040, 4);
    public static final Field RMPN = STRUCTURE.field("rmpn", 0x048, 24);
    public static final Area BITMASK = STRUCTURE.area("bitmask", 0x080, RmpBitmask.STRUCTURE);
    public static final Area CTX = STRUCTURE.area("ctx", 0x100, Rmpc.STRUCTURE);

    private ModifyRmpIn() {}
  }

  /** Input of DESTROY_RMP. Mirrors {@code mlx5_ifc.h: mlx5_ifc_destroy_rmp_in_bits} of Linux. */
  public static final class DestroyRmpIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("destroy_rmp_in", 128).with("uid@010:16");
    public static final Field RMPN = STRUCTURE.field("rmpn", 0x048, 24);

    private DestroyRmpIn() {}
  }

  /** Receive memory pool context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_rmpc_bits} of Linux. */
  public static final class Rmpc {
    public static final Structure STRUCTURE =
        Structure.define("rmpc", 1920).with("basic_cyclic_rcv_wqe@020");
    public static final Field STATE = STRUCTURE.field("state", 0x008, 4);
    public static final Area WQ = STRUCTURE.area("wq", 0x180, Wq.STRUCTURE);

    /** state: {@code MLX5_RMPC_STATE_RDY}. */
    public static final int STATE_RDY = 1;

    private Rmpc() {}
  }

  /** The structure rmp_bitmask. Mirrors {@code mlx5_ifc.h: mlx5_ifc_rmp_bitmask_bits} of Linux. */
  public static final class RmpBitmask {
    public static final Structure STRUCTURE = Structure.define("rmp_bitmask", 64);
    public static final Field LWM = STRUCTURE.field("lwm", 0x03f, 1);

    private RmpBitmask() {}
  }

  /** Work queue context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_wq_bits} of Linux. */
  public static final class Wq {
    public static final Structure STRUCTURE =
        Structure.define("wq", 1536)
            .with(
                """
                end_padding_mode@005:2 cd_slave@007 hds_skip_first_sge@020 log2_hds_buf_size@021:3
                uar_page@068:24 hw_counter@0c0:32 sw_counter@0e0:32 log_hairpin_num_packets@123:5
                log_hairpin_data_sz@12b:5 headers_mkey@1c0:32 shampo_enable@1e0
                log_reservation_size@1e5:3 log_max_num_of_packets_per_reservation@1ed:3
                log_headers_entry_size@1f6:2 log_headers_buffer_entry_num@1fc:4
                """);
    public static final Field WQ_TYPE = STRUCTURE.field("wq_type", 0x000, 4);
    public static final Field WQ_SIGNATURE = STRUCTURE.field("wq_signature", 0x004, 1);
    public static final Field PAGE_OFFSET = STRUCTURE.field("page_offset", 0x02b, 5);
    public static final Field LWM = STRUCTURE.field("lwm", 0x030, 16);
    public static final Field PD = STRUCTURE.field("pd", 0x048, 24);
    public static final Field DBR_ADDR = STRUCTURE.field("dbr_addr", 0x080, 64);
    public static final Field LOG_WQ_STRIDE = STRUCTURE.field("log_wq_stride", 0x10c, 4);
    public static final Field LOG_WQ_PG_SZ = STRUCTURE.field("log_wq_pg_sz", 0x113, 5);
    public static final Field LOG_WQ_SZ = STRUCTURE.field("log_wq_sz", 0x11b, 5);
    public static final Field DBR_UMEM_VALID = STRUCTURE.field("dbr_umem_valid", 0x120, 1);
    public static final Field WQ_UMEM_VALID = STRUCTURE.field("wq_umem_valid", 0x121, 1);
    public static final Field LOG_WQE_NUM_OF_STRIDES =
        STRUCTURE.field("log_wqe_num_of_strides", 0x134, 4);
    public static final Field TWO_BYTE_SHIFT_EN = STRUCTURE.field("two_byte_shift_en", 0x138, 1);
    public static final Field LOG_WQE_STRIDE_SIZE =
        STRUCTURE.field("log_wqe_stride_size", 0x13d, 3);
    public static final Field DBR_UMEM_ID = STRUCTURE.field("dbr_umem_id", 0x140, 32);
    public static final Field WQ_UMEM_ID = STRUCTURE.field("wq_umem_id", 0x160, 32);
    public static final Field WQ_UMEM_OFFSET = STRUCTURE.field("wq_umem_offset", 0x180, 64);

    /** wq_type: {@code MLX5_WQ_TYPE_LINKED_LIST}. */
    public static final int WQ_TYPE_LINKED_LIST = 0;

    /** wq_type: a ring, {@code MLX5_WQ_TYPE_CYCLIC}. */
    public static final int WQ_TYPE_CYCLIC = 1;

    /**
     * wq_type: a linked list of WQEs with strides, {@code MLX5_WQ_TYPE_LINKED_LIST_STRIDING_RQ}.
     */
    public static final int WQ_TYPE_LINKED_LIST_STRIDING_RQ = 2;

    /** wq_type: a ring of WQEs with strides, {@code MLX5_WQ_TYPE_CYCLIC_STRIDING_RQ}. */
    public static final int WQ_TYPE_CYCLIC_STRIDING_RQ = 3;

    /** Offset of log_wqe_num_of_strides, a signed field: value 0 means 512 strides. */
    public static final int LOG_WQE_NUM_OF_STRIDES_OF_0 = 9;

    /** Offset of log_wqe_stride_size: value 0 means strides of 64 bytes. */
    public static final int LOG_WQE_STRIDE_SIZE_OF_0 = 6;

    private Wq() {}
  }

  private RmpCommands() {}
}
