package dev.bluebell.verbs;

import dev.bluebell.hca.command.QpTimers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A queue pair of a reliable connection. */
public interface ReliableQueuePair
    extends LendingQueuePair, ReliableOperations, CopyOperations<RequestModifiers> {
  @Override
  void close();

  /**
   * Changes how long the peer waits when no receive is posted here.
   *
   * @param code as {@link ConnectOptions#minRnrTimer}
   * @throws QueuePairStateException when the queue pair is not connected
   * @throws dev.bluebell.hca.HcaException when the device refuses, also because a request has moved
   *     the queue pair to the error state
   */
  void modifyMinRnrTimer(int code);

  /**
   * Changes how long the peer waits when no receive is posted here.
   *
   * @param time as {@link ConnectOptions#withMinRnrTimer(Duration)} takes it
   * @throws QueuePairStateException when the queue pair is not connected
   * @throws dev.bluebell.hca.HcaException as {@link #modifyMinRnrTimer(int)}
   */
  default void modifyMinRnrTimer(Duration time) {
    modifyMinRnrTimer(QpTimers.rnrCode(TimeUnit.NANOSECONDS.convert(time)));
  }
}
