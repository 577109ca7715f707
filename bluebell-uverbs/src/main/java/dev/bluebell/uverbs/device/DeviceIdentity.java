package dev.bluebell.uverbs.device;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.command.VportCommands.HcaVportContext;
import dev.bluebell.uverbs.session.VportContext;

/** The identity of a ConnectX-7, by which libmlx5 takes the device for one of its own. */
public final class DeviceIdentity {
  static final int VENDOR_OUI = 0x02c9;
  public static final int PCI_VENDOR = 0x15b3;
  public static final int PART = 0x1021;

  /** Firmware 28.0.0, which no hardware ever had. */
  static final long FIRMWARE = 28L << 32;

  /** The same in the form of {@code mlx5_ib main.c: get_dev_fw_str}. */
  public static final String FIRMWARE_TEXT = "28.0.0000";

  /** Name of the board. */
  public static final String BOARD = "BLUEBELL_SOFT";

  private DeviceIdentity() {}

  /** The node GUID, 64 bits: on Ethernet the port's address, extended. */
  public static long guid(Hca hca) {
    if (VportContext.isInfiniBand(hca, 1)) {
      return VportContext.query(hca).get(HcaVportContext.NODE_GUID);
    }
    long mac = hca.queryPort(1).mac();
    return mac >>> 24 << 40 | 0xff_fe00_0000L | mac & 0xffffff;
  }
}
