package dev.bluebell.hca.command;

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

  public static final Structure STRUCTURE = D.structure();

  private AtomicCaps() {}
}
