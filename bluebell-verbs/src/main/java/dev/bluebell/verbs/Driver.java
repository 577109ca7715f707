package dev.bluebell.verbs;

import dev.bluebell.hca.Hca;

/**
 * Implements this package. {@link Device} finds it as a service, so that the package names nothing
 * of its implementation; programs call {@link Device#over(Hca)}.
 */
public interface Driver {
  /**
   * Drives a device.
   *
   * @param hca which the returned device owns
   */
  Device over(Hca hca);
}
