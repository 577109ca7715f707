package dev.bluebell.hca;

/**
 * The identity of a device, in addition to its capabilities, as the kernel shows it in sysfs.
 *
 * @param part PCI device number, 16 bits, such as 0x1021 for a ConnectX-7; libmlx5 selects devices
 *     by it
 * @param firmware version of the firmware in three numbers, such as {@code 28.43.2566}
 * @param board name of the board (PSID), such as {@code MT_0000000834}
 */
public record HcaIdentity(int part, String firmware, String board) {
  /**
   * The software ConnectX: the part number of a ConnectX-7, so that libmlx5 accepts it, with a
   * firmware version and a board name that no hardware has.
   */
  public static final HcaIdentity SOFTWARE = new HcaIdentity(0x1021, "28.0.0000", "BLUEBELL_SOFT");
}
