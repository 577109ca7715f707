package dev.bluebell.uverbs;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.ObjectKind;

/** A protection domain. */
record Pd(HcaObject object) implements Handles.OnDevice {
  int number() {
    return object.number();
  }

  @Override
  public int rank() {
    return ObjectKind.PROTECTION_DOMAIN.ordinal();
  }

  @Override
  public void destroy(boolean alive) {
    object.close();
  }
}
