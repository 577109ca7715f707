package dev.bluebell.verbs;

/**
 * A target of dynamic connections (DCT): any initiator that knows its address and access key may
 * use it, and any number of them at a time. Messages go to the requests of a shared receive queue.
 * Completions carry its number where those of a queue pair carry the queue pair's.
 *
 * <p>Thread-safe.
 */
public interface DcTarget extends AutoCloseable {
  /** Returns the address and the key that initiators need. */
  DcEndpoint endpoint();

  /** Number of the target, 24 bits. */
  int number();

  /** Asks the device how many requests came with another access key. */
  long keyViolations();

  /** Asks for one event {@link AsyncEvent.Type#KEY_VIOLATION} when that count rises. */
  void armKeyViolation();

  /**
   * Ends all connections and destroys the target. What initiators have outstanding here fails at
   * their side. Idempotent.
   */
  @Override
  void close();
}
