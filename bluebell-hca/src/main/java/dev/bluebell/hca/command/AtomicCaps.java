package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** Atomic capabilities. Mirrors {@code mlx5_ifc.h: mlx5_ifc_atomic_caps_bits} of Linux. */
public final class AtomicCaps {
  private static final Structure.Definition D = Structure.define("atomic_caps", 2048);

  public static final Field ATOMIC_REQ_8B_ENDIANNESS_MODE =
      D.field("atomic_req_8B_endianness_mode", 0x040, 2);
  public static final Field SUPPORTED_ATOMIC_REQ_8B_ENDIANNESS_MODE_1 =
      D.field("supported_atomic_req_8B_endianness_mode_1", 0x046, 1);
  public static final Field ATOMIC_OPERATIONS = D.field("atomic_operations", 0x090, 16);
  public static final Field ATOMIC_SIZE_QP = D.field("atomic_size_qp", 0x0b0, 16);
  public static final Field ATOMIC_SIZE_DC = D.field("atomic_size_dc", 0x0d0, 16);
  public static final Field FETCH_ADD_PCI_ATOMIC = D.field("fetch_add_pci_atomic", 0x280, 16);
  public static final Field SWAP_PCI_ATOMIC = D.field("swap_pci_atomic", 0x290, 16);
  public static final Field COMPARE_SWAP_PCI_ATOMIC = D.field("compare_swap_pci_atomic", 0x2a0, 16);

  /**
   * atomic_operations: standard compare-and-swap, {@code device.h: MLX5_ATOMIC_OPS_CMP_SWAP} of
   * Linux.
   */
  public static final int COMPARE_SWAP = 1;

  /** atomic_operations: standard fetch-and-add, {@code MLX5_ATOMIC_OPS_FETCH_ADD}. */
  public static final int FETCH_ADD = 1 << 1;

  /**
   * atomic_operations: masked compare-and-swap, {@code MLX5_ATOMIC_OPS_EXTENDED_CMP_SWAP}; the
   * sizes are those of {@link #ATOMIC_SIZE_QP}, as a mask of bytes.
   */
  public static final int EXTENDED_COMPARE_SWAP = 1 << 2;

  /** atomic_operations: masked fetch-and-add, {@code MLX5_ATOMIC_OPS_EXTENDED_FETCH_ADD}. */
  public static final int EXTENDED_FETCH_ADD = 1 << 3;

  public static final Structure STRUCTURE = D.structure();

  private AtomicCaps() {}
}
