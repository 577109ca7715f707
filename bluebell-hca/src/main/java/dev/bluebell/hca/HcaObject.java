package dev.bluebell.hca;

/**
 * An object that lives on the device. Destroying goes through this handle, never by a raw command,
 * as with DevX.
 *
 * <p>All methods may be called by any thread.
 */
public interface HcaObject extends AutoCloseable {

  /**
   * Number of the object: PDN, CQN, QPN, RMPN, EQN, the index of a memory key, or the address of
   * device memory.
   */
  int number();

  /** Output of the command that created the object; empty for objects that no command created. */
  byte[] output();

  /**
   * Executes a command that changes this object. Its object number is checked against {@link
   * #number}.
   */
  byte[] modify(byte[] command) throws HcaException;

  /**
   * Executes a command that reads this object. Its object number is checked against {@link
   * #number}.
   */
  byte[] query(byte[] command) throws HcaException;

  /**
   * Destroys the object. Idempotent.
   *
   * @throws HcaException when others still use it (RES_BUSY); the object then stays
   */
  @Override
  void close() throws HcaException;
}
