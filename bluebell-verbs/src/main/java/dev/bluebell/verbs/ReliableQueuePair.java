package dev.bluebell.verbs;

import dev.bluebell.hca.command.QpTimers;
import java.time.Duration;

/** A queue pair of a reliable connection. */
public interface ReliableQueuePair
    extends LendingQueuePair, ReliableOperations, CopyOperations<RequestModifiers> {
  @Override
  void close();

  /**
   * Changes how long the peer waits when no receive is posted here.
   *
   * @param code as {@link ConnectOptions#minRnrTimer}
   * @throws IllegalStateException when the queue pair is not connected
   */
  void modifyMinRnrTimer(int code);

  /**
   * Changes how long the peer waits when no receive is posted here.
   *
   * @param time as {@link ConnectOptions#withMinRnrTimer(Duration)} takes it
   * @throws QueuePairStateException when the queue pair is not connected
   */
  default void modifyMinRnrTimer(Duration time) {
    modifyMinRnrTimer(QpTimers.rnrCode(time.toNanos()));
  }
}
