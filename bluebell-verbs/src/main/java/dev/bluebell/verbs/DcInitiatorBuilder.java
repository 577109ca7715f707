package dev.bluebell.verbs;

/** Describes an initiator of dynamic connections to be created. Not thread-safe. */
public interface DcInitiatorBuilder extends QueuePairBuilder<DcInitiatorBuilder> {
  /**
   * Sets path MTU, acknowledge timeout, retries and outstanding READs; the rest of the options is
   * the address's or the target's. The path MTU must be that of every target, {@link
   * DcEndpoint#mtu}: messages and READs of several packets fail otherwise. Default: {@link
   * ConnectOptions#DEFAULT}, with the largest of the port.
   */
  DcInitiatorBuilder options(ConnectOptions values);

  /**
   * Says whether the queue pair makes copies from memory to memory of this device, see {@link
   * DcInitiator#copyMemory(long, int, long, int, int)}. Default off.
   */
  DcInitiatorBuilder memoryCopies(boolean on);

  /**
   * Creates the queue pair, ready to send.
   *
   * @throws IllegalArgumentException when a size is more than the device takes
   * @throws IllegalStateException when the domain or the completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  DcInitiator create();
}
