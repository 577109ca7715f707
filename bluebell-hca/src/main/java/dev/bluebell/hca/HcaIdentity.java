package dev.bluebell.hca;

/**
 * What a device calls itself, beside its capabilities: what the kernel shows of a card in sysfs.
 *
 * @param part PCI device number, 16 bits, such as 0x1021 for a ConnectX-7; libmlx5 goes by it
 * @param firmware version of the firmware in three numbers, such as {@code 28.43.2566}
 * @param board name of the board (PSID), such as {@code MT_0000000834}
 */
public record HcaIdentity(int part, String firmware, String board) {
  /**
   * The software ConnectX: the part of a ConnectX-7, by which libmlx5 takes it for one of its own,
   * and a firmware and a board that no hardware ever had.
   */
  public static final HcaIdentity SOFTWARE = new HcaIdentity(0x1021, "28.0.0000", "BLUEBELL_SOFT");
}
