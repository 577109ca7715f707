package dev.bluebell.hca;

import java.util.List;
import java.util.Optional;

/** Finds devices of one kind. Providers are found through {@link java.util.ServiceLoader}. */
public interface HcaProvider {

  /** Names of the devices that can be opened now, for {@link #open}. */
  List<String> names();

  /** Preference when the caller names no device; the provider with the highest number wins. */
  int priority();

  /**
   * Opens a device.
   *
   * @param name name of the device, possibly with options, as the provider documents
   * @return empty when the name is not one of this provider's
   * @throws HcaException when the device exists but cannot be opened
   * @throws IllegalArgumentException when an option is wrong
   */
  Optional<Hca> open(String name) throws HcaException;
}
