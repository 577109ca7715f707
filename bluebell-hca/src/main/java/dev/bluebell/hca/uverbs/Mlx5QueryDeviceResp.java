package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The driver's output of QUERY_DEVICE: compression of completions, streams, and offloads, of which
 * the device has none. The size is that of Linux 6.8 and later. Mirrors {@code rdma/mlx5-abi.h:
 * mlx5_ib_query_device_resp}.
 */
public final class Mlx5QueryDeviceResp {
  private static final Structure.Definition D = Structure.littleEndian("mlx5_ib_query_device_resp", 112);

  public static final Field COMP_MASK = D.u32("comp_mask", 0);
  public static final Field RESPONSE_LENGTH = D.u32("response_length", 4);

  /** Completions of a compressed session at most; 0 on a device that has none. */
  public static final Field MAX_NUM = D.u32("cqe_comp_caps.max_num", 32);

  /** Of {@code Mlx5.IB_CQE_RES_FORMAT_*}. */
  public static final Field SUPPORTED_FORMAT = D.u32("cqe_comp_caps.supported_format", 36);

  public static final Field FLAGS = D.u32("flags", 60);
  public static final Field TUNNEL_OFFLOADS_CAPS = D.u32("tunnel_offloads_caps", 96);
  public static final Field MAX_LOG_NUM_CONCURENT =
      D.u8("dci_streams_caps.max_log_num_concurent", 100);
  public static final Field MAX_LOG_NUM_ERRORED = D.u8("dci_streams_caps.max_log_num_errored", 101);

  public static final Structure STRUCTURE = D.structure();

  private Mlx5QueryDeviceResp() {}
}
