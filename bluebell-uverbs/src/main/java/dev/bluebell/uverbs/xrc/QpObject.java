package dev.bluebell.uverbs.xrc;

import dev.bluebell.hca.HcaObject;

/**
 * A queue pair of the device, with what the kernel keeps of its attributes: the device has them in
 * another form. Several clients may have one open. Whoever changes it holds its lock.
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

  /** READs and atomics that it answers at a time. */
  public synchronized int reads() {
    return reads;
  }

  /** True when its data may be placed out of order. */
  public synchronized boolean isOutOfOrder() {
    return outOfOrder;
  }

  /** Allows its data to be placed out of order, as long as it exists. */
  public synchronized void placeOutOfOrder() {
    outOfOrder = true;
  }

  public synchronized void keep(int newRights, int newReads) {
    rights = newRights;
    reads = newReads;
  }
}
