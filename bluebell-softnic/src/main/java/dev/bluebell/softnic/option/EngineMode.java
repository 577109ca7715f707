package dev.bluebell.softnic.option;

/** The thread that runs the device. */
public enum EngineMode {
  /** A thread of the device's own. */
  THREAD,
  /** The polling thread, when it finds no completion. */
  POLL,
  /** A test, step by step. */
  STEPPED
}
