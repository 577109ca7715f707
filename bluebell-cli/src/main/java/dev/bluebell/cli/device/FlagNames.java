package dev.bluebell.cli.device;

import java.util.ArrayList;
import java.util.List;

/**
 * Names of bits, as {@code devinfo.c} prints them.
 *
 * @param names from bit 0; empty for bits without a name in {@code devinfo.c}
 */
record FlagNames(String... names) {
  /**
   * Names of {@code verbs.h: ibv_device_cap_flags}. BLOCK_MULTICAST_LOOPBACK and CROSS_CHANNEL are
   * from the kernel's {@code ib_verbs.h}; {@code devinfo.c} prints them as unknown flags.
   */
  static final FlagNames DEVICE =
      new FlagNames(
          "RESIZE_MAX_WR",
          "BAD_PKEY_CNTR",
          "BAD_QKEY_CNTR",
          "RAW_MULTI",
          "AUTO_PATH_MIG",
          "CHANGE_PHY_PORT",
          "UD_AV_PORT_ENFORCE",
          "CURR_QP_STATE_MOD",
          "SHUTDOWN_PORT",
          "INIT_TYPE",
          "PORT_ACTIVE_EVENT",
          "SYS_IMAGE_GUID",
          "RC_RNR_NAK_GEN",
          "SRQ_RESIZE",
          "N_NOTIFY_CQ",
          "",
          "",
          "MEM_WINDOW",
          "UD_IP_CSUM",
          "",
          "XRC",
          "MEM_MGT_EXTENSIONS",
          "BLOCK_MULTICAST_LOOPBACK",
          "MEM_WINDOW_TYPE_2A",
          "MEM_WINDOW_TYPE_2B",
          "RC_IP_CSUM",
          "RAW_IP_CSUM",
          "CROSS_CHANNEL",
          "",
          "MANAGED_FLOW_STEERING");

  /** Names of {@code verbs.h: ibv_odp_general_caps}. */
  static final FlagNames ON_DEMAND = new FlagNames("ODP_SUPPORT", "ODP_SUPPORT_IMPLICIT");

  /** Names of {@code verbs.h: ibv_odp_transport_cap_bits}. */
  static final FlagNames ON_DEMAND_OF_TRANSPORT =
      new FlagNames(
          "SUPPORT_SEND",
          "SUPPORT_RECV",
          "SUPPORT_WRITE",
          "SUPPORT_READ",
          "SUPPORT_ATOMIC",
          "SUPPORT_SRQ");

  /** Names of {@code verbs.h: ibv_tm_cap_flags}. */
  static final FlagNames TAG_MATCHING = new FlagNames("IBV_TM_CAP_RC");

  /** Names of the set bits; bits without a name come last, as one number. */
  List<String> of(long bits) {
    List<String> found = new ArrayList<>();
    long left = bits;
    for (int bit = 0; bit < names.length; bit++) {
      if (!names[bit].isEmpty() && (bits >>> bit & 1) != 0) {
        found.add(names[bit]);
        left &= ~(1L << bit);
      }
    }
    if (left != 0) {
      found.add("Unknown flags: 0x%X".formatted(left));
    }
    return found;
  }
}
