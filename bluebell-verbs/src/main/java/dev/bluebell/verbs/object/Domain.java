package dev.bluebell.verbs.object;

import dev.bluebell.hca.HcaObject;
import java.util.List;

/** The protection domain that objects belong to. */
public class Domain extends DeviceObject {
  private final HcaObject object;

  /** Allocates a domain. */
  public Domain(DeviceContext device) {
    super(device, new Teardown(), List.of());
    object = device.hca().allocateProtectionDomain();
    teardown.add(object::close);
  }

  public final HcaObject object() {
    return object;
  }

  public final int number() {
    return object.number();
  }

  /** Checks that a part of a new object is open and belongs to this domain's device. */
  public final void requireUsable(DeviceObject part) {
    requireUsable(part, part.device(), part.lifetime());
  }

  /** Checks a part that is not an object, as {@link #requireUsable(DeviceObject)}. */
  public final void requireUsable(Object part, DeviceContext owner, Lifetime partLifetime) {
    partLifetime.requireOpen();
    if (owner != device) {
      throw new IllegalArgumentException(
          "%s belongs to %s, and %s to another one, %s: use one device for both"
              .formatted(part, owner, this, device));
    }
  }

  /**
   * Checks that an object of this domain is open and has a user of the same domain.
   *
   * @param what the user, as messages name it
   */
  public final void requireUser(DeviceObject object, Domain users, String what) {
    object.lifetime().requireOpen();
    if (!users.equals(this)) {
      throw new IllegalArgumentException(
          "%s belongs to %s and the %s to %s: use one domain for both"
              .formatted(object, this, what, users));
    }
  }

  @Override
  public final String toString() {
    return "protection domain %d".formatted(number());
  }
}
