package dev.bluebell.verbs;

import dev.bluebell.hca.Hca;

/**
 * The implementation of this package. {@link Device} finds it as a service, so the package does not
 * depend on it. Applications call {@link Device#over(Hca)} instead.
 */
public interface Driver {
  /**
   * Drives a device.
   *
   * @param hca the device to drive; the result owns it
   */
  Device over(Hca hca);
}
