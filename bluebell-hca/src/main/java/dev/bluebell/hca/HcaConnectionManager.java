package dev.bluebell.hca;

import java.lang.foreign.MemorySegment;

/**
 * An open file of the RDMA connection manager (RDMA CM): the kernel's {@code
 * /dev/infiniband/rdma_cm}, or the same interface of a device process. Commands and events have the
 * bytes of {@code rdma/rdma_user_cm.h}. Any thread may call any method.
 */
public interface HcaConnectionManager extends AutoCloseable {

  /**
   * Writes a command: the header {@code rdma_ucm_cmd_hdr}, then the input of the command.
   *
   * @param command native memory. Where its input has the address of a response, that is native
   *     memory with the room that the header names. Both stay allocated until this method returns
   * @return 0, or the error number of Linux; EAGAIN (11) when the command fetches an event and
   *     there is none
   */
  int write(MemorySegment command);

  /**
   * Waits until an event can be fetched. One thread waits at a time.
   *
   * @return false when no event will follow, because the file is closed or its device process has
   *     ended
   */
  boolean awaitEvent();

  /** Closes the file: its ids end, and their peers are notified. Idempotent. */
  @Override
  void close();
}
