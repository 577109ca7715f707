package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.uverbs.CmAbi.ConnParam;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.uverbs.call.Refusal;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One end of a SIDR request, which resolves a datagram queue pair and is answered once. Mirrors
 * {@code cm.c} and {@code cma.c: cma_send_sidr_rep}.
 */
final class DatagramEnd implements End, DatagramPeer {
  static final int FOUND = 0;
  static final int UNSUPPORTED = 1;
  private static final int REJECTED = 2;

  static final int MOST_REQUEST_DATA = 216;
  static final int MOST_REPLY_DATA = 136;

  /** The kernel's timeout for an answer. */
  static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(4096);

  private static final byte[] NOTHING = new byte[0];

  private final CmId id;

  /** The requester, until it is answered; null at the requesting end. */
  private @Nullable DatagramPeer asking;

  /** The request while it is on the network; null for one to an id of this device. */
  private Questions.@Nullable Asked question;

  private boolean waits;

  private DatagramEnd(CmId id, @Nullable DatagramPeer asking) {
    this.id = id;
    this.asking = asking;
    waits = asking == null;
  }

  /** The requesting end. */
  static DatagramEnd question(CmId id) {
    return new DatagramEnd(id, null);
  }

  /** The responding end. */
  static DatagramEnd asked(CmId id, DatagramPeer asking) {
    return new DatagramEnd(id, asking);
  }

  /** Identity of the client's process. */
  Object client() {
    return id.file().owner();
  }

  /** Sends the request, and retries while the listener has no room for it. */
  void send(Peers peers, Route route, byte[] data, int retries) {
    switch (peers.find(route, data, this)) {
      case TAKEN -> {}
      case REFUSED -> found(UNSUPPORTED, 0, 0, NOTHING);
      case BUSY -> {
        if (retries == 0) {
          unanswered();
        } else {
          id.after(
              RETRY_NANOS,
              () -> {
                if (waits) {
                  send(peers, route, data, retries - 1);
                }
              });
        }
      }
    }
  }

  /** The request is on the network, and is repeated there until it is answered. */
  void sent(Questions.Asked asked) {
    question = asked;
  }

  /** The request got no answer despite all retries. */
  void unanswered() {
    if (waits) {
      waits = false;
      id.unreachable(-Errno.ETIMEDOUT);
    }
  }

  @Override
  public void found(int status, int qpn, int qkey, byte[] data) {
    if (waits) {
      waits = false;
      id.found(status, qpn, qkey, data);
    }
  }

  @Override
  public void accept(Offer reply) {
    ReliableEnd.requireRoom(reply.data().length, MOST_REPLY_DATA);
    answer(FOUND, reply.get(ConnParam.QP_NUM), id.queueKey(), reply.data());
  }

  @Override
  public void acknowledge() {
    answer(FOUND, 0, id.queueKey(), NOTHING);
  }

  @Override
  public void reject(int reason, byte[] data) {
    ReliableEnd.requireRoom(data.length, MOST_REPLY_DATA);
    answer(REJECTED, 0, 0, data);
  }

  private void answer(int status, int qpn, int qkey, byte[] data) {
    if (asking == null) {
      throw new Refusal(Errno.EINVAL, "id %d has no question to answer".formatted(id.number()));
    }
    DatagramPeer peer = asking;
    asking = null;
    peer.found(status, qpn, qkey, data);
  }

  /** Datagrams have no connection. */
  @Override
  public void disconnect() {}

  @Override
  public void establish() {
    throw new Refusal(Errno.EINVAL, "datagrams have no connection to establish");
  }

  @Override
  public void abandon() {
    waits = false;
    if (question != null) {
      question.cancel();
    }
    if (asking != null) {
      answer(REJECTED, 0, 0, NOTHING);
    }
  }
}
