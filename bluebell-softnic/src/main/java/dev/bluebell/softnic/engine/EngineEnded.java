package dev.bluebell.softnic.engine;

/** Ends a turn that waited for a page of a client until the device was closed. */
final class EngineEnded extends Error {
  private static final long serialVersionUID = 1;

  EngineEnded() {
    super(null, null, false, false);
  }
}
