package dev.bluebell.verbs;

/**
 * A target of dynamic connections (DCT): any number of initiators that know its address and access
 * key may use it at a time. Messages go to the requests of a shared receive queue. Completions
 * carry the target's number in place of a queue pair's.
 *
 * <p>Thread-safe.
 */
public interface DcTarget extends AutoCloseable {
  /** Returns the address and the key that initiators need. */
  DcEndpoint endpoint();

  /** Number of the target, 24 bits. */
  int number();

  /** Asks the device how many requests carried a wrong access key. */
  long keyViolations();

  /** Requests one event {@link AsyncEvent.Type#KEY_VIOLATION} when that count rises. */
  void armKeyViolation();

  /**
   * Closes all connections and destroys the target. Outstanding requests of initiators fail at
   * their end. Idempotent.
   */
  @Override
  void close();
}
