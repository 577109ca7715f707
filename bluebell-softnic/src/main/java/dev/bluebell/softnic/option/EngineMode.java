package dev.bluebell.softnic.option;

/** Who runs the device. */
public enum EngineMode {
  /** A thread of the device's own. */
  THREAD,
  /** Whoever polls a completion queue that is empty. */
  POLL,
  /** A test, step by step. */
  STEPPED
}
