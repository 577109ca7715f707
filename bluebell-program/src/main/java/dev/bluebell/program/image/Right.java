package dev.bluebell.program.image;

/** Rights that a key gives entries to its region, in addition to local reading. */
public enum Right {
  /** Receives and results of READs and atomics may be scattered to it. */
  LOCAL_WRITE,
  /** READs may access it remotely. */
  REMOTE_READ,
  /** WRITEs may access it remotely; includes {@link #LOCAL_WRITE}. */
  REMOTE_WRITE,
  /** Atomics may access it remotely; includes {@link #LOCAL_WRITE}. */
  REMOTE_ATOMIC;

  /** True for rights to change the region. */
  public boolean changes() {
    return this != REMOTE_READ;
  }
}
