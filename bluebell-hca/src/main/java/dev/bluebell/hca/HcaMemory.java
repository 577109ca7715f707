package dev.bluebell.hca;

/** Memory registered for work requests. */
public interface HcaMemory extends AutoCloseable {

  /** Key for local use, in data segments. */
  int lkey();

  /** Key to hand to peers. */
  int rkey();

  /** Ends the registration; waits until the device no longer touches the memory. Idempotent. */
  @Override
  void close() throws HcaException;
}
