package dev.bluebell.hca;

/** Memory registered for work requests. */
public interface HcaMemory extends AutoCloseable {

  /** Key for local use, in data segments. */
  int lkey();

  /** Key to hand to peers. */
  int rkey();

  /**
   * Ends the registration, after waiting until the device no longer accesses the memory.
   * Idempotent.
   */
  @Override
  void close() throws HcaException;
}
