package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure query_adapter_param_block. Mirrors {@code mlx5_ifc.h:
 * mlx5_ifc_query_adapter_param_block_bits} of Linux.
 */
public final class QueryAdapterParamBlock {
  private static final Structure.Definition D = Structure.define("query_adapter_param_block", 2048);

  public static final Field IEEE_VENDOR_ID = D.field("ieee_vendor_id", 0x0c8, 24);
  public static final Field VSD_VENDOR_ID = D.field("vsd_vendor_id", 0x0f0, 16);
  public static final Field VSD = D.field("vsd", 0x100, 1664);
  public static final Field VSD_CONTD_PSID = D.field("vsd_contd_psid", 0x780, 128);

  public static final Structure STRUCTURE = D.structure();

  private QueryAdapterParamBlock() {}
}
