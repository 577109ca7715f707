package dev.bluebell.verbs.object;

import java.util.List;
import java.util.function.Supplier;

/**
 * An object that an application creates on a device. It is closed once, before the objects that it
 * uses; until then, the device knows it as open. Thread-safe.
 */
public abstract class DeviceObject implements AutoCloseable {
  protected final DeviceContext device;
  protected final Lifetime lifetime = new Lifetime(this);

  /** The steps that destroy it. */
  protected final Teardown teardown;

  private final List<Lifetime> used;

  /**
   * @param teardown the steps registered so far; subclasses add others
   * @param used the objects that must outlive it
   */
  protected DeviceObject(DeviceContext device, Teardown teardown, List<Lifetime> used) {
    this.device = device;
    this.teardown = teardown;
    this.used = used;
  }

  /**
   * Creates an object and {@linkplain #add adds} it. A device that closes waits for this, and then
   * refuses the object.
   */
  public static <T extends DeviceObject> T create(DeviceContext device, Supplier<T> creation) {
    return device.create(() -> add(creation.get()));
  }

  /** Registers a new object with the objects that it uses and with its device; or closes it. */
  private static <T extends DeviceObject> T add(T object) {
    DeviceObject made = object;
    // A thread that finds it among the open objects closes it with all its uses or without any.
    try {
      synchronized (made) {
        made.device.add(object);
        made.used.forEach(part -> part.addUser(object));
      }
    } catch (RuntimeException | Error e) {
      try {
        object.close();
      } catch (RuntimeException unclosed) {
        // The device was closed, and the object with it.
        e.addSuppressed(unclosed);
      }
      throw e;
    }
    return object;
  }

  public final DeviceContext device() {
    return device;
  }

  public final Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public synchronized void close() {
    if (lifetime.close(teardown)) {
      used.forEach(part -> part.removeUser(this));
      device.remove(this);
    }
  }

  /** Its name in messages. */
  @Override
  public abstract String toString();
}
