package dev.bluebell.lab.rxe;

import java.util.Locale;

/** A transport service. */
enum Service {
  RC,
  UC,
  UD;

  /** As the guest calls it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
