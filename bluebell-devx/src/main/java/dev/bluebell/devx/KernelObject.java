package dev.bluebell.devx;

import dev.bluebell.hca.uverbs.Attribute;
import dev.bluebell.hca.uverbs.Method;

/** An object of the kernel, by its handle. It is destroyed once. Thread-safe. */
final class KernelObject {
  private final UverbsFile file;
  private final int handle;
  private final Ioctl destruction;
  private final String what;
  private boolean destroyed;

  /**
   * @param what the user's word for destroying it
   * @param destroy the method that destroys it
   * @param named the attribute of that method with the handle
   */
  KernelObject(UverbsFile file, int handle, String what, Method destroy, Attribute named) {
    this.file = file;
    this.handle = handle;
    this.what = what;
    destruction = Ioctl.of(destroy).handle(named, handle);
  }

  UverbsFile file() {
    return file;
  }

  int handle() {
    return handle;
  }

  /**
   * Destroys it; if the kernel refuses, it stays and can be destroyed later.
   *
   * @return false when it was already destroyed
   */
  synchronized boolean destroy() {
    if (destroyed) {
      return false;
    }
    file.destroy(what, handle, destruction);
    destroyed = true;
    return true;
  }
}
