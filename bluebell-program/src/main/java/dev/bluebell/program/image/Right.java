package dev.bluebell.program.image;

/** What a key lets entries do with its region, beside reading it from the local side. */
public enum Right {
  /** Receives, and answers of READs and atomics, may be scattered to it. */
  LOCAL_WRITE,
  /** READs may name it as their remote end. */
  REMOTE_READ,
  /** WRITEs may; a key that gives this right gives {@link #LOCAL_WRITE}, too. */
  REMOTE_WRITE,
  /** Atomics may; a key that gives this right gives {@link #LOCAL_WRITE}, too. */
  REMOTE_ATOMIC;

  /** True for rights to change the region. */
  public boolean changes() {
    return this != REMOTE_READ;
  }
}
