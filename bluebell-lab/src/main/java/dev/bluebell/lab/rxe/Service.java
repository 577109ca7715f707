package dev.bluebell.lab.rxe;

import java.util.Locale;

/** A transport service. */
enum Service {
  RC,
  UC,
  UD;

  /** Its name in commands to the guest. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
