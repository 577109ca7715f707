package dev.bluebell.verbs;

/**
 * Messages to a peer and writes to its memory, generic in the stage that follows them.
 *
 * @param <D> the stage after operations that send data
 */
@CheckReturnValue
public interface WritingOperations<D> extends SendingOperations<D> {

  /**
   * Starts an RDMA WRITE: the data goes to the peer's memory.
   *
   * @param remoteAddress address to write to, as the peer registered it
   * @param rkey key of the peer's region, with {@link Access#REMOTE_WRITE}
   */
  D write(long remoteAddress, int rkey);

  /**
   * Starts an RDMA WRITE that also consumes a receive request of the peer, so that the peer gets a
   * completion.
   *
   * @param remoteAddress address to write to, as the peer registered it
   * @param rkey key of the peer's region, with {@link Access#REMOTE_WRITE}
   * @param immediate passed to the peer as {@link Completion#immediate}
   */
  D writeImmediate(long remoteAddress, int rkey, int immediate);

  /**
   * Starts an RDMA WRITE to the start of a peer's memory, as {@link #write(long, int)}. Data that
   * exceeds the memory is refused with an {@link IndexOutOfBoundsException} when it is added to the
   * request, which is dropped.
   */
  default D write(RemoteMemory remote) {
    return remote.limit(write(remote.address(), remote.rkey()));
  }

  /**
   * Starts an RDMA WRITE with immediate to the start of a peer's memory, as {@link
   * #writeImmediate(long, int, int)}. The memory limits the data as for {@link
   * #write(RemoteMemory)}.
   */
  default D writeImmediate(RemoteMemory remote, int immediate) {
    return remote.limit(writeImmediate(remote.address(), remote.rkey(), immediate));
  }
}
