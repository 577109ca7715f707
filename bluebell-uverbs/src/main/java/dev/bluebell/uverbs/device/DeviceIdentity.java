package dev.bluebell.uverbs.device;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.command.VportCommands.HcaVportContext;
import dev.bluebell.uverbs.session.VportContext;

/** The identifiers by which libmlx5 recognizes the device. */
public final class DeviceIdentity {
  static final int VENDOR_OUI = 0x02c9;
  public static final int PCI_VENDOR = 0x15b3;
  private static final int FIRMWARE_PART_BITS = 16;

  private DeviceIdentity() {}

  /**
   * The three parts of the firmware version in one number; {@code mlx5_core fw.c: fw_rev_maj} etc.
   */
  static long firmware(Hca hca) {
    long version = 0;
    for (String number : hca.identity().firmware().split("\\.")) {
      version = version << FIRMWARE_PART_BITS | Integer.parseInt(number);
    }
    return version;
  }

  /** The node GUID, 64 bits: on Ethernet the port's address, extended. */
  public static long guid(Hca hca) {
    if (VportContext.isInfiniBand(hca)) {
      return VportContext.query(hca).get(HcaVportContext.NODE_GUID);
    }
    long mac = hca.queryPort(1).mac();
    return mac >>> 24 << 40 | 0xff_fe00_0000L | mac & 0xffffff;
  }
}
