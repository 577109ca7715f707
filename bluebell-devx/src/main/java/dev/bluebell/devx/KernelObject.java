package dev.bluebell.devx;

import dev.bluebell.hca.uverbs.Attribute;
import dev.bluebell.hca.uverbs.Method;

/** What the kernel made, by its handle. It is destroyed once. Thread-safe. */
final class KernelObject {
  private final UverbsFile file;
  private final int handle;
  private final Ioctl destruction;
  private final String what;
  private boolean destroyed;

  /**
   * @param what the user's word for destroying it
   * @param destroy the method that destroys it
   * @param named the attribute of that method that names it
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
   * Destroys it; when the kernel refuses, it stays, and may be destroyed later.
   *
   * @return false when it was destroyed before
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
