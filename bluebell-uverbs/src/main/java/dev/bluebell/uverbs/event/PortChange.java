package dev.bluebell.uverbs.event;

/**
 * Sub-types of the PORT_CHANGE event. Mirrors {@code mlx5 device.h: MLX5_PORT_CHANGE_SUBTYPE_*}.
 */
final class PortChange {
  static final int DOWN = 1;
  static final int ACTIVE = 4;
  static final int INITIALIZED = 5;
  static final int LID = 6;
  static final int PARTITION_KEYS = 7;
  static final int CLIENT_REREGISTRATION = 9;

  private PortChange() {}
}
