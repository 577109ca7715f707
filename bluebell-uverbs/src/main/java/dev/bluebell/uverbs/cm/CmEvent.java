package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.ConnParam;
import dev.bluebell.hca.uverbs.CmAbi.Ece;
import dev.bluebell.hca.uverbs.CmAbi.EventResp;
import dev.bluebell.hca.uverbs.CmAbi.UdParam;
import dev.bluebell.hca.uverbs.RdmaCm;
import dev.bluebell.server.Account;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An unread event of a client.
 *
 * @param id whose event it is
 * @param request that it reports; null for most
 * @param group whose event it is; null for most
 * @param response {@link EventResp}
 * @param room its quota hold
 * @param position in the order of all events
 */
record CmEvent(
    CmId id,
    @Nullable Request request,
    @Nullable CmGroup group,
    View response,
    Account.Hold room,
    long position) {

  /**
   * A request that a listener took.
   *
   * @param made the id for it
   */
  record Request(CmListener listener, CmId made) {}

  /** Writes an offer of the other end, with private data of the message's fixed length. */
  static void writeOffer(View event, Offer offer, boolean isRequest, int room) {
    View param = event.at(EventResp.CONN);
    param
        .set(ConnParam.QP_NUM, offer.get(ConnParam.QP_NUM))
        .set(ConnParam.SRQ, offer.get(ConnParam.SRQ) == 0 ? 0 : 1)
        .set(ConnParam.RESPONDER_RESOURCES, offer.get(ConnParam.INITIATOR_DEPTH))
        .set(ConnParam.INITIATOR_DEPTH, offer.get(ConnParam.RESPONDER_RESOURCES))
        .set(ConnParam.FLOW_CONTROL, offer.get(ConnParam.FLOW_CONTROL) == 0 ? 0 : 1)
        .set(ConnParam.RNR_RETRY_COUNT, offer.retries(ConnParam.RNR_RETRY_COUNT));
    if (isRequest) {
      param.set(ConnParam.RETRY_COUNT, offer.retries(ConnParam.RETRY_COUNT));
    }
    event
        .at(EventResp.ECE)
        .set(Ece.VENDOR_ID, offer.ece().getInt(Ece.VENDOR_ID))
        .set(Ece.ATTR_MOD, offer.ece().getInt(Ece.ATTR_MOD));
    writePrivate(param, offer.data(), room);
  }

  /** Writes private data, padded to the message's fixed length. */
  static void writePrivate(View param, byte[] data, int room) {
    param
        .setBytes(
            ConnParam.PRIVATE_DATA,
            Arrays.copyOf(Arrays.copyOf(data, room), RdmaCm.MAX_PRIVATE_DATA))
        .set(ConnParam.PRIVATE_DATA_LEN, room);
  }

  /** Writes private data of a datagram message, with the message's fixed length. */
  static void writeDatagramData(View param, byte[] data, int room) {
    param
        .setBytes(UdParam.PRIVATE_DATA, Arrays.copyOf(data, RdmaCm.MAX_PRIVATE_DATA))
        .set(UdParam.PRIVATE_DATA_LEN, room);
  }

  /** Writes the address handle for datagrams to a queue pair. */
  static void writeDatagram(View param, CmPath path, int qpn, int queueKey) {
    param.set(UdParam.QP_NUM, qpn).set(UdParam.QKEY, queueKey);
    path.writeTo(param.at(UdParam.AH_ATTR));
  }
}
