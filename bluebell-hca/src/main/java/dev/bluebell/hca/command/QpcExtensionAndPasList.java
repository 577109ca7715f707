package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure qpc_extension_and_pas_list. Mirrors {@code mlx5_prm.h:
 * mlx5_ifc_qpc_extension_and_pas_list_bits} of DPDK.
 */
public final class QpcExtensionAndPasList {
  private static final Structure.Definition D =
      Structure.define("qpc_extension_and_pas_list", 1536);

  public static final Field QPC_DATA_EXTENSION = D.field("qpc_data_extension", 0x000, 1536);
  public static final Field QPC_DATA_EXTENSION_MMO = D.field("qpc_data_extension.mmo", 0x002, 1);

  public static final Structure STRUCTURE = D.structure();

  private QpcExtensionAndPasList() {}
}
