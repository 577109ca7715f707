package dev.bluebell.hca;

/**
 * Memory of this process that is registered under a number, for the {@code *_umem_id} fields of
 * commands.
 */
public interface HcaUmem extends AutoCloseable {

  int number();

  /**
   * Ends the registration. Idempotent.
   *
   * @throws HcaException when an object still uses the memory (RES_BUSY)
   */
  @Override
  void close() throws HcaException;
}
