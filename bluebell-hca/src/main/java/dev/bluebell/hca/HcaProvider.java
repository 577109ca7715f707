package dev.bluebell.hca;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Finds devices of one kind. Providers are found through {@link java.util.ServiceLoader} with the
 * class loader of this interface; the context class loader of a thread does not matter.
 */
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

  /** All providers, those with the highest priority first. */
  static List<HcaProvider> all() {
    return ServiceLoader.load(HcaProvider.class, HcaProvider.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparingInt(HcaProvider::priority).reversed())
        .toList();
  }

  /**
   * Opens a device of any provider.
   *
   * @param name as for {@link #open}
   * @return empty when no provider knows the name
   * @throws HcaException when the device exists but cannot be opened
   * @throws IllegalArgumentException when an option is wrong
   */
  static Optional<Hca> find(String name) throws HcaException {
    return all().stream().flatMap(provider -> provider.open(name).stream()).findFirst();
  }

  /**
   * Opens a device of any provider.
   *
   * @param name as for {@link #open}
   * @throws HcaException when the device exists but cannot be opened
   * @throws IllegalArgumentException when no provider knows the name, or an option is wrong
   */
  static Hca require(String name) throws HcaException {
    return find(name)
        .orElseThrow(() -> new IllegalArgumentException(UnknownDevice.sentence(name, all())));
  }
}
