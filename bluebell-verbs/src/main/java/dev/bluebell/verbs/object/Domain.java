package dev.bluebell.verbs.object;

import dev.bluebell.hca.HcaObject;

/** The protection domain that objects belong to. Thread-safe. */
public final class Domain {
  private final DeviceContext device;
  private final HcaObject object;
  private final Lifetime lifetime;
  private final Teardown teardown = new Teardown();

  /** Allocates a domain. */
  public Domain(DeviceContext device) {
    this.device = device;
    object = device.hca().allocateProtectionDomain();
    teardown.add(object::close);
    lifetime = new Lifetime("protection domain %d".formatted(object.number()));
  }

  public DeviceContext device() {
    return device;
  }

  public HcaObject object() {
    return object;
  }

  public int number() {
    return object.number();
  }

  public Lifetime lifetime() {
    return lifetime;
  }

  /** Checks that a part of a new object is open and belongs to this domain's device. */
  public void requireUsable(Object part, DeviceContext owner, Lifetime partLifetime) {
    partLifetime.requireOpen();
    if (owner != device) {
      throw new IllegalArgumentException(
          "%s belongs to %s and %s to %s: use one device for both"
              .formatted(part, owner, this, device));
    }
  }

  /**
   * Frees the domain.
   *
   * @return false when it was freed before
   * @throws IllegalStateException when objects of it are open
   */
  public boolean close() {
    return lifetime.close(teardown);
  }

  @Override
  public String toString() {
    return lifetime.name();
  }
}
