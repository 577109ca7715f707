package dev.bluebell.uverbs.xrc;

import dev.bluebell.hca.HcaObject;

/**
 * A queue pair of the device, with the attributes that the kernel keeps, because the device has
 * them in another form. Several clients may have it open. Hold its lock to change it.
 */
public final class QpObject {
  private final HcaObject object;
  private int rights;
  private int reads;
  private boolean outOfOrder;

  // Guarded by the domain of an XRC target.
  int users;

  public QpObject(HcaObject object) {
    this.object = object;
  }

  public HcaObject object() {
    return object;
  }

  public int number() {
    return object.number();
  }

  /** Access flags. */
  public synchronized int rights() {
    return rights;
  }

  /** Largest number of concurrent READs and atomics that it answers. */
  public synchronized int reads() {
    return reads;
  }

  /** True when its data may be placed out of order. */
  public synchronized boolean isOutOfOrder() {
    return outOfOrder;
  }

  /** Allows out-of-order placement of its data until it is destroyed. */
  public synchronized void placeOutOfOrder() {
    outOfOrder = true;
  }

  public synchronized void keep(int newRights, int newReads) {
    rights = newRights;
    reads = newReads;
  }
}
