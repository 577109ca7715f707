package dev.bluebell.verbs;

import dev.bluebell.hca.Gid;

/**
 * An unreliable-datagram queue pair: each request names its destination, and any queue pair that
 * knows this one's address and queue key may send to it. It needs no connection and is ready when
 * created.
 *
 * <p>A datagram is at most as long as the MTU of the port. A request completes when it is sent, and
 * its outcome is not reported. Datagrams that find no receive request, or carry a wrong queue key,
 * are dropped. A receive request needs room for {@link #HEADER_BYTES} bytes in front of the
 * message; {@link Completion#source} describes these bytes and the sender. A request that is too
 * short fails, and so does the queue pair.
 *
 * <p>A request that fails at this end stops only the send queue: all requests after it are flushed
 * until {@link #restartSendQueue}. Receiving continues.
 *
 * <p>Posting and threads are as with {@link RcQueuePair}.
 */
public interface UdQueuePair extends ReceivingQueuePair {
  /** Bytes in front of each message in the memory of its receive request. */
  int HEADER_BYTES = NetworkHeader.BYTES;

  /** Starts a request to a destination. */
  @CheckReturnValue
  MessageOperations to(AddressHandle destination);

  /** Returns the address that others send to. It stays the same when the queue pair is reset. */
  UdEndpoint endpoint();

  /** Prepares a destination, as {@link #addressHandle(UdEndpoint, PathOptions)}. */
  default AddressHandle addressHandle(UdEndpoint destination) {
    return addressHandle(destination, PathOptions.DEFAULT);
  }

  /**
   * Prepares a destination for {@link #to}. Datagrams come from this queue pair's GID and LID. When
   * bit 31 of the destination's queue key is set, they carry the sending queue pair's key instead,
   * as the InfiniBand specification requires for controlled queue keys.
   *
   * @throws IllegalArgumentException when the destination has another link layer
   * @throws dev.bluebell.hca.HcaException when the device cannot resolve the route
   */
  AddressHandle addressHandle(UdEndpoint destination, PathOptions options);

  /**
   * Prepares the sender of a datagram as a destination: answers take the reverse path, with the
   * same service level, from the address to which the datagram was sent. Mirrors {@code verbs.c:
   * ibv_create_ah_from_wc} of rdma-core.
   *
   * @param source source of the datagram, from its completion
   * @param header header of the datagram, at the location and of the kind that the completion
   *     reports
   * @param queueKey queue key of the sender, which its datagrams do not contain
   * @throws IllegalStateException when the datagram has a header but the view has none
   * @throws dev.bluebell.hca.HcaException when the device cannot resolve the route
   */
  AddressHandle addressHandle(DatagramSource source, NetworkHeader header, int queueKey);

  /**
   * Lets the queue pair receive datagrams to a multicast group, until {@link #detach} or {@link
   * #close}. Attaching again has no effect. On InfiniBand, the port must also have joined the group
   * at the subnet manager.
   *
   * @param group its GID, ff00::/8, or on Ethernet that of an IPv4 group, 224.0.0.0/4
   * @throws dev.bluebell.hca.HcaException when the device refuses: the GID is not that of a group,
   *     or there are too many groups
   */
  void attach(Gid group);

  /**
   * Stops receiving datagrams to a group.
   *
   * @throws dev.bluebell.hca.HcaException when the queue pair is not attached to the group
   */
  void detach(Gid group);

  /**
   * Changes the queue key, and with it the endpoint.
   *
   * @throws dev.bluebell.hca.HcaException when the queue pair is not in the RTS state
   */
  void modifyQueueKey(int key);

  /**
   * Restarts the send queue after a request failed. Poll the completions of all posted requests
   * first: they are flushed.
   *
   * @throws dev.bluebell.hca.HcaException when the send queue did not fail
   */
  void restartSendQueue();
}
