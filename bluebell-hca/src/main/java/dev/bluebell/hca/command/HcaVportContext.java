package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure hca_vport_context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_hca_vport_context_bits} of
 * Linux.
 */
public final class HcaVportContext {
  private static final Structure.Definition D = Structure.define("hca_vport_context", 4096);

  public static final Field FIELD_SELECT = D.field("field_select", 0x000, 32);
  public static final Field SM_VIRT_AWARE = D.field("sm_virt_aware", 0x100, 1);
  public static final Field HAS_SMI = D.field("has_smi", 0x101, 1);
  public static final Field HAS_RAW = D.field("has_raw", 0x102, 1);
  public static final Field GRH_REQUIRED = D.field("grh_required", 0x103, 1);
  public static final Field PORT_PHYSICAL_STATE = D.field("port_physical_state", 0x110, 4);
  public static final Field VPORT_STATE_POLICY = D.field("vport_state_policy", 0x114, 4);
  public static final Field PORT_STATE = D.field("port_state", 0x118, 4);
  public static final Field VPORT_STATE = D.field("vport_state", 0x11c, 4);
  public static final Field SYSTEM_IMAGE_GUID = D.field("system_image_guid", 0x140, 64);
  public static final Field PORT_GUID = D.field("port_guid", 0x180, 64);
  public static final Field NODE_GUID = D.field("node_guid", 0x1c0, 64);
  public static final Field CAP_MASK1 = D.field("cap_mask1", 0x200, 32);
  public static final Field CAP_MASK1_FIELD_SELECT = D.field("cap_mask1_field_select", 0x220, 32);
  public static final Field CAP_MASK2 = D.field("cap_mask2", 0x240, 32);
  public static final Field CAP_MASK2_FIELD_SELECT = D.field("cap_mask2_field_select", 0x260, 32);
  public static final Field OOO_SL_MASK = D.field("ooo_sl_mask", 0x290, 16);
  public static final Field LID = D.field("lid", 0x300, 16);
  public static final Field INIT_TYPE_REPLY = D.field("init_type_reply", 0x314, 4);
  public static final Field LMC = D.field("lmc", 0x318, 3);
  public static final Field SUBNET_TIMEOUT = D.field("subnet_timeout", 0x31b, 5);
  public static final Field SM_LID = D.field("sm_lid", 0x320, 16);
  public static final Field SM_SL = D.field("sm_sl", 0x330, 4);
  public static final Field QKEY_VIOLATION_COUNTER = D.field("qkey_violation_counter", 0x340, 16);
  public static final Field PKEY_VIOLATION_COUNTER = D.field("pkey_violation_counter", 0x350, 16);

  public static final Structure STRUCTURE = D.structure();

  private HcaVportContext() {}
}
