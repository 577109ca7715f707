package dev.bluebell.softnic.queue;

/**
 * A queue pair whose queues SEND_EN and RECV_EN can enable. Called by the thread that runs the
 * engine.
 */
public interface Manageable {

  /** Its protection domain. */
  int pd();

  /**
   * Enables its send queue up to an index, if that is ahead.
   *
   * @param index in WQEBBs; its low 16 bits count
   * @return false when its send queue is not managed
   */
  boolean enableSends(int index);

  /**
   * Enables its receive queue up to a counter, if that is ahead.
   *
   * @param counter of receive WQEs; its low 16 bits count
   * @return false when its receive queue is not managed
   */
  boolean enableReceives(int counter);
}
