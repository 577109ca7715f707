package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;

/** Commands about memory keys and their signatures. */
public final class MkeyCommands {
  /** Input of CREATE_MKEY. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_mkey_in_bits} of Linux. */
  public static final class CreateMkeyIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("create_mkey_in", 2176)
            .with(
                """
                uid@010:16 input_mkey_index@048:24 pg_access@060 cmd_on_behalf@062
                function_id@070:16
                """);
    public static final Field MKEY_UMEM_VALID = STRUCTURE.field("mkey_umem_valid", 0x061, 1);
    public static final Area MEMORY_KEY_MKEY_ENTRY =
        STRUCTURE.area("memory_key_mkey_entry", 0x080, Mkc.STRUCTURE);
    public static final Field TRANSLATIONS_OCTWORD_ACTUAL_SIZE =
        STRUCTURE.field("translations_octword_actual_size", 0x300, 32);
    public static final Field MKEY_UMEM_ID = STRUCTURE.field("mkey_umem_id", 0x320, 32);
    public static final Field MKEY_UMEM_OFFSET = STRUCTURE.field("mkey_umem_offset", 0x340, 64);

    private CreateMkeyIn() {}
  }

  /** Output of CREATE_MKEY. Mirrors {@code mlx5_ifc.h: mlx5_ifc_create_mkey_out_bits} of Linux. */
  public static final class CreateMkeyOut {
    public static final Structure STRUCTURE = CommandHeaders.output("create_mkey_out", 128);
    public static final Field MKEY_INDEX = STRUCTURE.field("mkey_index", 0x048, 24);

    private CreateMkeyOut() {}
  }

  /** Input of QUERY_MKEY. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_mkey_in_bits} of Linux. */
  public static final class QueryMkeyIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("query_mkey_in", 128).with("pg_access@060");
    public static final Field MKEY_INDEX = STRUCTURE.field("mkey_index", 0x048, 24);

    private QueryMkeyIn() {}
  }

  /** Output of QUERY_MKEY. Mirrors {@code mlx5_ifc.h: mlx5_ifc_query_mkey_out_bits} of Linux. */
  public static final class QueryMkeyOut {
    public static final Structure STRUCTURE =
        CommandHeaders.output("query_mkey_out", 2432)
            .with("bsf0_klm0_pas_mtt0_1@880:128 bsf1_klm1_pas_mtt2_3@900:128");
    public static final Area MEMORY_KEY_MKEY_ENTRY =
        STRUCTURE.area("memory_key_mkey_entry", 0x080, Mkc.STRUCTURE);

    private QueryMkeyOut() {}
  }

  /** Input of DESTROY_MKEY. Mirrors {@code mlx5_ifc.h: mlx5_ifc_destroy_mkey_in_bits} of Linux. */
  public static final class DestroyMkeyIn {
    public static final Structure STRUCTURE =
        CommandHeaders.input("destroy_mkey_in", 128).with("uid@010:16");
    public static final Field MKEY_INDEX = STRUCTURE.field("mkey_index", 0x048, 24);

    private DestroyMkeyIn() {}
  }

  /** Memory key context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_mkc_bits} of Linux. */
  public static final class Mkc {
    public static final Structure STRUCTURE =
        Structure.define("mkc", 512)
            .with(
                """
                alter_pd_to_vhca_id@006 crossed_side_mkey@007 ma_translation_mode@01a:2 bsf_en@061
                sync_umr@062 expected_sigerr_count@065 bsf_octword_size@100:32
                crossing_target_gvmi_id@180:16 order_read_after_write@1d6:2 crypto_en@1e3:2
                """);
    public static final Field FREE = STRUCTURE.field("free", 0x001, 1);
    public static final Field ACCESS_MODE_4_2 = STRUCTURE.field("access_mode_4_2", 0x003, 3);
    public static final Field RELAXED_ORDERING_WRITE =
        STRUCTURE.field("relaxed_ordering_write", 0x00d, 1);
    public static final Field SMALL_FENCE_ON_RDMA_READ_RESPONSE =
        STRUCTURE.field("small_fence_on_rdma_read_response", 0x00f, 1);
    public static final Field UMR_EN = STRUCTURE.field("umr_en", 0x010, 1);
    public static final Field A = STRUCTURE.field("a", 0x011, 1);
    public static final Field RW = STRUCTURE.field("rw", 0x012, 1);
    public static final Field RR = STRUCTURE.field("rr", 0x013, 1);
    public static final Field LW = STRUCTURE.field("lw", 0x014, 1);
    public static final Field LR = STRUCTURE.field("lr", 0x015, 1);
    public static final Field ACCESS_MODE_1_0 = STRUCTURE.field("access_mode_1_0", 0x016, 2);
    public static final Field QPN = STRUCTURE.field("qpn", 0x020, 24);
    public static final Field MKEY_7_0 = STRUCTURE.field("mkey_7_0", 0x038, 8);
    public static final Field LENGTH64 = STRUCTURE.field("length64", 0x060, 1);
    public static final Field EN_RINVAL = STRUCTURE.field("en_rinval", 0x067, 1);
    public static final Field PD = STRUCTURE.field("pd", 0x068, 24);
    public static final Field START_ADDR = STRUCTURE.field("start_addr", 0x080, 64);
    public static final Field LEN = STRUCTURE.field("len", 0x0c0, 64);
    public static final Field TRANSLATIONS_OCTWORD_SIZE =
        STRUCTURE.field("translations_octword_size", 0x1a0, 32);
    public static final Field RELAXED_ORDERING_READ =
        STRUCTURE.field("relaxed_ordering_read", 0x1d9, 1);
    public static final Field LOG_PAGE_SIZE = STRUCTURE.field("log_page_size", 0x1db, 5);

    /** access_mode, its upper three bits in access_mode_4_2: a list of pages. */
    public static final int ACCESS_MODE_MTT = 1;

    /** access_mode: pieces of any length of other keys. */
    public static final int ACCESS_MODE_KLM = 2;

    /** access_mode: pieces of 2^log_page_size bytes of other keys. */
    public static final int ACCESS_MODE_KSM = 3;

    /** access_mode: memory of the device. */
    public static final int ACCESS_MODE_MEMIC = 5;

    /** qpn: all queue pairs of the protection domain may use the key. */
    public static final int ANY_QPN = 0xffffff;

    private Mkc() {}

    /** The access mode of a context, whose bits are in two fields. */
    public static int accessMode(View mkc) {
      return mkc.getInt(ACCESS_MODE_4_2) << 2 | mkc.getInt(ACCESS_MODE_1_0);
    }
  }

  private MkeyCommands() {}
}
