package dev.bluebell.hca;

/**
 * An object on the device. As with DevX, this handle destroys it, never a raw command.
 *
 * <p>Any thread may call any method.
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
   * Executes a command that changes this object. The command's object number must be {@link
   * #number}.
   */
  byte[] modify(byte[] command) throws HcaException;

  /**
   * Executes a command that reads this object. The command's object number must be {@link #number}.
   */
  byte[] query(byte[] command) throws HcaException;

  /**
   * Destroys the object. Idempotent.
   *
   * @throws HcaException when other objects still use it (RES_BUSY); the object remains
   */
  @Override
  void close() throws HcaException;
}
