package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Structure;

/** Input of CREATE_DEK. Mirrors {@code mlx5_prm.h: mlx5_ifc_create_dek_in_bits} of DPDK. */
public final class CreateDekIn {
  private static final Structure.Definition D = Structure.define("create_dek_in", 2176);

  public static final Area HDR = D.area("hdr", 0x000, GeneralObjInCmdHdr.STRUCTURE);
  public static final Area DEK = D.area("dek", 0x080, Dek.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private CreateDekIn() {}
}
