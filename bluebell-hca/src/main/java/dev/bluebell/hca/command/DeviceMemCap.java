package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * Device memory capabilities (type 0xf). Mirrors {@code mlx5_ifc.h: mlx5_ifc_device_mem_cap_bits}
 * of Linux and rdma-core.
 */
public final class DeviceMemCap {
  private static final Structure.Definition D = Structure.define("device_mem_cap", 2048);

  public static final Field MEMIC = D.field("memic", 0x000, 1);
  public static final Field LOG_MIN_MEMIC_ALLOC_SIZE =
      D.field("log_min_memic_alloc_size", 0x02b, 5);
  public static final Field LOG_MAX_MEMIC_ADDR_ALIGNMENT =
      D.field("log_max_memic_addr_alignment", 0x038, 8);
  public static final Field MEMIC_BAR_START_ADDR = D.field("memic_bar_start_addr", 0x040, 64);
  public static final Field MEMIC_BAR_SIZE = D.field("memic_bar_size", 0x080, 32);
  public static final Field MAX_MEMIC_SIZE = D.field("max_memic_size", 0x0a0, 32);
  public static final Field STEERING_SW_ICM_START_ADDRESS =
      D.field("steering_sw_icm_start_address", 0x0c0, 64);
  public static final Field LOG_HEADER_MODIFY_SW_ICM_SIZE =
      D.field("log_header_modify_sw_icm_size", 0x108, 8);
  public static final Field LOG_SW_ICM_ALLOC_GRANULARITY =
      D.field("log_sw_icm_alloc_granularity", 0x112, 6);
  public static final Field LOG_STEERING_SW_ICM_SIZE =
      D.field("log_steering_sw_icm_size", 0x118, 8);
  public static final Field LOG_HEADER_MODIFY_PATTERN_SW_ICM_SIZE =
      D.field("log_header_modify_pattern_sw_icm_size", 0x138, 8);
  public static final Field HEADER_MODIFY_SW_ICM_START_ADDRESS =
      D.field("header_modify_sw_icm_start_address", 0x140, 64);
  public static final Field HEADER_MODIFY_PATTERN_SW_ICM_START_ADDRESS =
      D.field("header_modify_pattern_sw_icm_start_address", 0x1c0, 64);
  public static final Field MEMIC_OPERATIONS = D.field("memic_operations", 0x200, 32);

  public static final Structure STRUCTURE = D.structure();

  private DeviceMemCap() {}
}
