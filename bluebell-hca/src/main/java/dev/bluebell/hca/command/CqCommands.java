package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Commands about completion queues. */
public final class CqCommands {
  /** Input of CREATE_CQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_cq_in_bits} of Linux. */
  public static final class CreateCqIn {
    public static final Structure STRUCTURE = CommandHeaders.input("create_cq_in", 2176);
    public static final Field UID = STRUCTURE.field("uid", 0x010, 16);
    public static final Area CQ_CONTEXT = STRUCTURE.area("cq_context", 0x080, Cqc.STRUCTURE);

    /** Another name of {@link #CQ_CONTEXT}. */
    public static final Area CQC = STRUCTURE.area("cqc", 0x080, Cqc.STRUCTURE);

    public static final Field CQ_UMEM_OFFSET = STRUCTURE.field("cq_umem_offset", 0x280, 64);
    public static final Field CQ_UMEM_ID = STRUCTURE.field("cq_umem_id", 0x2c0, 32);
    public static final Field CQ_UMEM_VALID = STRUCTURE.field("cq_umem_valid", 0x2e0, 1);

    private CreateCqIn() {}
  }

  /** Output of CREATE_CQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_cq_out_bits} of Linux. */
  public static final class CreateCqOut {
    public static final Structure STRUCTURE = CommandHeaders.output("create_cq_out", 128);
    public static final Field CQN = STRUCTURE.field("cqn", 0x048, 24);

    private CreateCqOut() {}
  }

  /** Input of QUERY_CQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_cq_in_bits} of Linux. */
  public static final class QueryCqIn {
    public static final Structure STRUCTURE = CommandHeaders.input("query_cq_in", 128);
    public static final Field CQN = STRUCTURE.field("cqn", 0x048, 24);

    private QueryCqIn() {}
  }

  /** Output of QUERY_CQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_cq_out_bits} of Linux. */
  public static final class QueryCqOut {
    public static final Structure STRUCTURE = CommandHeaders.output("query_cq_out", 2176);
    public static final Area CQ_CONTEXT = STRUCTURE.area("cq_context", 0x080, Cqc.STRUCTURE);

    private QueryCqOut() {}
  }

  /** Input of MODIFY_CQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_modify_cq_in_bits} of Linux. */
  public static final class ModifyCqIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("modify_cq_in", 2176).with("uid@010:16");
    public static final Field CQN = STRUCTURE.field("cqn", 0x048, 24);
    public static final Area MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT_MODIFY_FIELD_SELECT =
        STRUCTURE.area(
            "modify_field_select_resize_field_select.modify_field_select",
            0x060,
            ModifyFieldSelect.STRUCTURE);
    public static final Area MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT_RESIZE_FIELD_SELECT =
        STRUCTURE.area(
            "modify_field_select_resize_field_select.resize_field_select",
            0x060,
            ResizeFieldSelect.STRUCTURE);
    public static final Field MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT =
        STRUCTURE.field("modify_field_select_resize_field_select", 0x060, 32);
    public static final Area CQ_CONTEXT = STRUCTURE.area("cq_context", 0x080, Cqc.STRUCTURE);
    public static final Field CQ_UMEM_VALID = STRUCTURE.field("cq_umem_valid", 0x2e0, 1);

    /** op_mod that resizes the queue with a new ring, {@code cq.h: MLX5_CQ_OPMOD_RESIZE}. */
    public static final int OP_MOD_RESIZE = 1;

    private ModifyCqIn() {}
  }

  /** Input of DESTROY_CQ. Mirrors {@code mlx5_ifc.h: mlx5_ifc_destroy_cq_in_bits} of Linux. */
  public static final class DestroyCqIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("destroy_cq_in", 128).with("uid@010:16");
    public static final Field CQN = STRUCTURE.field("cqn", 0x048, 24);

    private DestroyCqIn() {}
  }

  /** Completion queue context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_cqc_bits} of Linux. */
  public static final class Cqc {
    public static final Structure STRUCTURE =
        Structure.define("cqc", 512)
            .with(
                """
                as_notify@004 initiator_src_dct@005 apu_cq@007 always_armed_cq@018
                ext_element_type@019:3 cq_timestamp_format@05e:2 last_solicit_index@128:24
                local_partition_id@180:12 process_id@18c:20
                """);
    public static final Field STATUS = STRUCTURE.field("status", 0x000, 4);
    public static final Field DBR_UMEM_VALID = STRUCTURE.field("dbr_umem_valid", 0x006, 1);
    public static final Field CQE_SZ = STRUCTURE.field("cqe_sz", 0x008, 3);
    public static final Field CC = STRUCTURE.field("cc", 0x00b, 1);
    public static final Field SCQE_BREAK_MODERATION_EN =
        STRUCTURE.field("scqe_break_moderation_en", 0x00d, 1);
    public static final Field OI = STRUCTURE.field("oi", 0x00e, 1);
    public static final Field CQ_PERIOD_MODE = STRUCTURE.field("cq_period_mode", 0x00f, 2);
    public static final Field CQE_COMP_EN = STRUCTURE.field("cqe_comp_en", 0x011, 1);
    public static final Field MINI_CQE_RES_FORMAT =
        STRUCTURE.field("mini_cqe_res_format", 0x012, 2);
    public static final Field ST = STRUCTURE.field("st", 0x014, 4);
    public static final Field CQE_COMPRESSION_LAYOUT =
        STRUCTURE.field("cqe_compression_layout", 0x01e, 2);
    public static final Field DBR_UMEM_ID = STRUCTURE.field("dbr_umem_id", 0x020, 32);
    public static final Field PAGE_OFFSET = STRUCTURE.field("page_offset", 0x054, 6);
    public static final Field MINI_CQE_RES_FORMAT_EXT =
        STRUCTURE.field("mini_cqe_res_format_ext", 0x05c, 2);
    public static final Field LOG_CQ_SIZE = STRUCTURE.field("log_cq_size", 0x063, 5);
    public static final Field UAR_PAGE = STRUCTURE.field("uar_page", 0x068, 24);
    public static final Field CQ_PERIOD = STRUCTURE.field("cq_period", 0x084, 12);
    public static final Field CQ_MAX_COUNT = STRUCTURE.field("cq_max_count", 0x090, 16);
    public static final Field C_EQN_OR_APU_ELEMENT =
        STRUCTURE.field("c_eqn_or_apu_element", 0x0a0, 32);
    public static final Field C_EQN = STRUCTURE.field("c_eqn", 0x0b8, 8);
    public static final Field LOG_PAGE_SIZE = STRUCTURE.field("log_page_size", 0x0c3, 5);
    public static final Field LAST_NOTIFIED_INDEX =
        STRUCTURE.field("last_notified_index", 0x108, 24);
    public static final Field CONSUMER_COUNTER = STRUCTURE.field("consumer_counter", 0x148, 24);
    public static final Field PRODUCER_COUNTER = STRUCTURE.field("producer_counter", 0x168, 24);
    public static final Field DBR_ADDR = STRUCTURE.field("dbr_addr", 0x1c0, 64);

    /** cqe_sz: {@code MLX5_CQC_CQE_SZ_64_BYTES}. */
    public static final int CQE_SZ_64_BYTES = 0;

    /** cqe_sz: {@code MLX5_CQC_CQE_SZ_128_BYTES}. */
    public static final int CQE_SZ_128_BYTES = 1;

    /** cq_period_mode: from the last event, {@code MLX5_CQ_PERIOD_MODE_START_FROM_EQE}. */
    public static final int CQ_PERIOD_MODE_START_FROM_EQE = 0;

    /** cq_period_mode: from the last completion, {@code MLX5_CQ_PERIOD_MODE_START_FROM_CQE}. */
    public static final int CQ_PERIOD_MODE_START_FROM_CQE = 1;

    /** mini_cqe_res_format: {@code MLX5_CQE_FORMAT_HASH}. */
    public static final int MINI_CQE_HASH = 0;

    /** mini_cqe_res_format: {@code MLX5_CQE_FORMAT_CSUM}. */
    public static final int MINI_CQE_CSUM = 1;

    /** mini_cqe_res_format: {@code MLX5_CQE_FORMAT_CSUM_STRIDX}. */
    public static final int MINI_CQE_CSUM_STRIDX = 3;

    /** cqe_compression_layout: {@code MLX5_CQE_COMPRESS_LAYOUT_BASIC}. */
    public static final int LAYOUT_BASIC = 0;

    /** cqe_compression_layout: {@code MLX5_CQE_COMPRESS_LAYOUT_ENHANCED}. */
    public static final int LAYOUT_ENHANCED = 1;

    private Cqc() {}
  }

  /**
   * The structure modify_field_select. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_modify_field_select_bits} of Linux.
   */
  public static final class ModifyFieldSelect {
    public static final Structure STRUCTURE = Structure.define("modify_field_select", 32);
    public static final Field MODIFY_FIELD_SELECT =
        STRUCTURE.field("modify_field_select", 0x000, 32);

    /** cq_period, {@code cq.h: MLX5_CQ_MODIFY_PERIOD}. */
    public static final int PERIOD = 1;

    /** cq_max_count, {@code cq.h: MLX5_CQ_MODIFY_COUNT}. */
    public static final int COUNT = 1 << 1;

    /** cq_period_mode, {@code cq.h: MLX5_CQ_MODIFY_PERIOD_MODE}. */
    public static final int PERIOD_MODE = 1 << 4;

    private ModifyFieldSelect() {}
  }

  /**
   * The structure resize_field_select. Mirrors {@code mlx5_ifc.h:
   * mlx5_ifc_resize_field_select_bits} of Linux.
   */
  public static final class ResizeFieldSelect {
    public static final Structure STRUCTURE =
        Structure.define("resize_field_select", 32).with("resize_field_select@000:32");

    /** The fields of a new ring: size, page offset and page size. */
    public static final int RING = 0x7;

    private ResizeFieldSelect() {}
  }

  private CqCommands() {}
}
