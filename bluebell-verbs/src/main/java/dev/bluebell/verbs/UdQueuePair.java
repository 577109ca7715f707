package dev.bluebell.verbs;

import dev.bluebell.hca.Gid;

/**
 * An unreliable-datagram queue pair: each request names where it goes, and any queue pair that
 * knows its address and queue key may send to it. It needs no connection and is ready from the
 * start.
 *
 * <p>A datagram has at most as many bytes as the MTU of the port. A request completes when it is
 * sent: what becomes of it is not told. Datagrams that find no receive request, or have another
 * queue key, are dropped. A receive request needs room for {@link #HEADER_BYTES} bytes in front of
 * the message; {@link Completion#source} says what is there and who sent it. One that is too short
 * fails, and the queue pair with it.
 *
 * <p>A request that fails here stops the send queue only: all that follow are flushed until {@link
 * #restartSendQueue}, and receiving goes on.
 *
 * <p>Posting and threads are as with {@link RcQueuePair}.
 */
public interface UdQueuePair extends ReceivingQueuePair {
  /** Bytes in front of each message in the memory of its receive request. */
  int HEADER_BYTES = NetworkHeader.BYTES;

  /** Names the destination of the next request, which then starts. */
  @CheckReturnValue
  MessageOperations to(AddressHandle destination);

  /** Returns the address that others send to. It stays the same when the queue pair is reset. */
  UdEndpoint endpoint();

  /** Makes a destination ready, as {@link #addressHandle(UdEndpoint, PathOptions)}. */
  AddressHandle addressHandle(UdEndpoint destination);

  /**
   * Makes a destination ready for {@link #to}. Datagrams come from this queue pair's GID and LID.
   * When bit 31 of the destination's queue key is set, they carry the key of the queue pair that
   * sends them instead, as the InfiniBand specification has it for keys that only the system hands
   * out.
   *
   * @throws IllegalArgumentException when the destination is of another link layer
   * @throws dev.bluebell.hca.HcaException when the device can't resolve the way
   */
  AddressHandle addressHandle(UdEndpoint destination, PathOptions options);

  /**
   * Makes the sender of a datagram ready as a destination: answers go the way back, with the same
   * service level, and from the address that the datagram went to. Mirrors {@code verbs.c:
   * ibv_create_ah_from_wc} of rdma-core.
   *
   * @param source of the datagram, from its completion
   * @param header of the datagram, at the place and of the kind that the completion says
   * @param queueKey of the sender, which no datagram carries
   * @throws IllegalStateException when the datagram has a header and the view shows none
   * @throws dev.bluebell.hca.HcaException when the device can't resolve the way
   */
  AddressHandle addressHandle(DatagramSource source, NetworkHeader header, int queueKey);

  /**
   * Lets the queue pair receive what is sent to a group, until {@link #detach} or its end.
   * Attaching again changes nothing. On InfiniBand, the subnet manager must know, too, that the
   * port is a member of the group.
   *
   * @param group its GID, ff00::/8, or on Ethernet that of an IPv4 group, 224.0.0.0/4
   * @throws dev.bluebell.hca.HcaException when the device refuses: the GID is not that of a group,
   *     or there are too many
   */
  void attach(Gid group);

  /**
   * Ends what {@link #attach} began.
   *
   * @throws dev.bluebell.hca.HcaException when the queue pair is not attached to the group
   */
  void detach(Gid group);

  /**
   * Changes the queue key, and with it the endpoint.
   *
   * @throws dev.bluebell.hca.HcaException when the queue pair is in another state than RTS
   */
  void modifyQueueKey(int key);

  /**
   * Lets the send queue work again after a request failed. Poll the completions of all requests
   * that were posted before: they are flushed.
   *
   * @throws dev.bluebell.hca.HcaException when the send queue did not fail
   */
  void restartSendQueue();
}
