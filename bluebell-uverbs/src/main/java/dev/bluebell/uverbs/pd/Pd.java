package dev.bluebell.uverbs.pd;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.uverbs.session.Handles;

/** A protection domain. */
public record Pd(HcaObject object) implements Handles.OnDevice {
  public int number() {
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
