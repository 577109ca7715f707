package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure nic_vport_context. Mirrors {@code mlx5_ifc.h: mlx5_ifc_nic_vport_context_bits} of
 * Linux.
 */
public final class NicVportContext {
  private static final Structure.Definition D = Structure.define("nic_vport_context", 2048);

  public static final Field MULTI_PRIO_SQ = D.field("multi_prio_sq", 0x000, 1);
  public static final Field VPORT_TO_FDB_METADATA = D.field("vport_to_fdb_metadata", 0x001, 1);
  public static final Field FDB_TO_VPORT_METADATA = D.field("fdb_to_vport_metadata", 0x002, 1);
  public static final Field MIN_WQE_INLINE_MODE = D.field("min_wqe_inline_mode", 0x005, 3);
  public static final Field DISABLE_MC_LOCAL_LB = D.field("disable_mc_local_lb", 0x01d, 1);
  public static final Field DISABLE_UC_LOCAL_LB = D.field("disable_uc_local_lb", 0x01e, 1);
  public static final Field ROCE_EN = D.field("roce_en", 0x01f, 1);
  public static final Field ARM_CHANGE_EVENT = D.field("arm_change_event", 0x020, 1);
  public static final Field EVENT_ON_MTU = D.field("event_on_mtu", 0x03b, 1);
  public static final Field EVENT_ON_PROMISC_CHANGE = D.field("event_on_promisc_change", 0x03c, 1);
  public static final Field EVENT_ON_VLAN_CHANGE = D.field("event_on_vlan_change", 0x03d, 1);
  public static final Field EVENT_ON_MC_ADDRESS_CHANGE =
      D.field("event_on_mc_address_change", 0x03e, 1);
  public static final Field EVENT_ON_UC_ADDRESS_CHANGE =
      D.field("event_on_uc_address_change", 0x03f, 1);
  public static final Field VHCA_ID_TYPE = D.field("vhca_id_type", 0x040, 1);
  public static final Field AFFILIATION_CRITERIA = D.field("affiliation_criteria", 0x04c, 4);
  public static final Field AFFILIATED_VHCA_ID = D.field("affiliated_vhca_id", 0x050, 16);
  public static final Field MTU = D.field("mtu", 0x130, 16);
  public static final Field SYSTEM_IMAGE_GUID = D.field("system_image_guid", 0x140, 64);
  public static final Field PORT_GUID = D.field("port_guid", 0x180, 64);
  public static final Field NODE_GUID = D.field("node_guid", 0x1c0, 64);
  public static final Field QKEY_VIOLATION_COUNTER = D.field("qkey_violation_counter", 0x340, 16);
  public static final Field PROMISC_UC = D.field("promisc_uc", 0x780, 1);
  public static final Field PROMISC_MC = D.field("promisc_mc", 0x781, 1);
  public static final Field PROMISC_ALL = D.field("promisc_all", 0x782, 1);
  public static final Field ALLOWED_LIST_TYPE = D.field("allowed_list_type", 0x785, 3);
  public static final Field ALLOWED_LIST_SIZE = D.field("allowed_list_size", 0x794, 12);
  public static final Area PERMANENT_ADDRESS =
      D.area("permanent_address", 0x7a0, MacAddressLayout.STRUCTURE);

  public static final Structure STRUCTURE = D.structure();

  private NicVportContext() {}
}
