package dev.bluebell.hca;

/**
 * Memory of this process that the device knows by a number: the {@code *_umem_id} fields of
 * commands.
 */
public interface HcaUmem extends AutoCloseable {

  int number();

  /**
   * Ends the registration. Idempotent.
   *
   * @throws HcaException when an object still lives in the memory (RES_BUSY)
   */
  @Override
  void close() throws HcaException;
}
