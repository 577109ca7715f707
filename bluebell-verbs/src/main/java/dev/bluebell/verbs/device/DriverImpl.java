package dev.bluebell.verbs.device;

import dev.bluebell.hca.Hca;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.Driver;

/** Implements {@link Driver}: the service that {@link Device} finds. */
public final class DriverImpl implements Driver {
  /** For the {@link java.util.ServiceLoader}. */
  public DriverImpl() {}

  @Override
  public Device over(Hca hca) {
    return new DeviceImpl(hca);
  }
}
