package dev.bluebell.verbs;

/** Builder of an initiator of dynamic connections. Not thread-safe. */
public interface DcInitiatorBuilder extends QueuePairBuilder<DcInitiatorBuilder> {
  /**
   * Sets path MTU, acknowledge timeout, retries and outstanding READs; the address or the target
   * determines the other options. The path MTU must equal {@link DcEndpoint#mtu} of every target,
   * or messages and READs of several packets fail. Default: {@link ConnectOptions#DEFAULT}, with
   * the largest path MTU of the port.
   */
  DcInitiatorBuilder options(ConnectOptions values);

  /**
   * Sets whether the queue pair may copy within local memory, see {@link
   * DcInitiator#copyMemory(long, int, long, int, int)}. Default off.
   */
  DcInitiatorBuilder memoryCopies(boolean on);

  /**
   * Creates the queue pair, ready to send.
   *
   * @throws IllegalArgumentException when a size exceeds the device's limit
   * @throws IllegalStateException when the domain or the completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  DcInitiator create();
}
