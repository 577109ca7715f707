package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.ConnParam;
import dev.bluebell.hca.uverbs.CmAbi.Ece;
import dev.bluebell.hca.uverbs.RdmaCm;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.roce.packet.CmMad;
import dev.bluebell.roce.packet.CmMad.Message;
import dev.bluebell.roce.packet.CmMad.Rep;
import dev.bluebell.roce.packet.CmMad.Req;
import java.util.Arrays;

/** The messages that contain offers: REQ and REP. Mirrors {@code cm.c}. */
final class OfferMessages {
  private static final int TRANSPORT_UC = 1;
  private static final int TRANSPORT_EXTENDED = 3;
  private static final int EXTENDED_XRC = 1;

  /** {@code rxe_param.h: RXE_LOCAL_CA_ACK_DELAY}. */
  private static final int ACK_DELAY = 15;

  private static final int NO_LID = 0xffff;
  private static final int BYTE = 0xff;

  private OfferMessages() {}

  // ---- REQ

  /**
   * The message of a request.
   *
   * @param id communication id of the sender
   * @param psn that the receiver starts to send with, 24 bits
   * @param guid of the sender's device
   */
  static Mad request(long transaction, int id, Route route, Offer offer, int psn, long guid) {
    CmPath path = route.path();
    Mad req =
        Mad.of(Message.REQ, transaction)
            .set(Req.LOCAL_ID, id)
            .set(Req.VENDOR_ID, offer.ece().get(Ece.VENDOR_ID))
            .set(Req.SERVICE_ID, Mad.service(route.space(), route.destination().port()))
            .set(Req.CA_GUID, guid)
            .set(Req.QPN, offer.get(ConnParam.QP_NUM))
            .set(Req.INITIATOR_DEPTH, offer.get(ConnParam.INITIATOR_DEPTH))
            .set(Req.REMOTE_RESPONSE_TIMEOUT, RemoteEnd.RESPONSE_TIMEOUT)
            .set(Req.FLOW_CONTROL, offer.get(ConnParam.FLOW_CONTROL))
            .set(Req.STARTING_PSN, psn)
            .set(Req.LOCAL_RESPONSE_TIMEOUT, RemoteEnd.RESPONSE_TIMEOUT)
            .set(Req.P_KEY, CmPath.PARTITION)
            .set(Req.MTU, path.mtu())
            .set(Req.MAX_CM_RETRIES, ReliableEnd.RETRIES)
            .set(Req.LOCAL_LID, NO_LID)
            .set(Req.REMOTE_LID, NO_LID)
            .setGid(Req.LOCAL_GID, path.source())
            .setGid(Req.REMOTE_GID, path.destination())
            .set(Req.TRAFFIC_CLASS, path.trafficClass())
            .set(Req.HOP_LIMIT, path.hopLimit())
            .set(Req.ACK_TIMEOUT, path.acknowledgement())
            .setData(route.source(), route.destination(), offer.data());
    if (route.type() == Verbs.QPT_XRC_INI) {
      req.set(Req.TRANSPORT, TRANSPORT_EXTENDED).set(Req.EXTENDED_TRANSPORT, EXTENDED_XRC);
    } else {
      req.set(Req.TRANSPORT, route.type() == Verbs.QPT_UC ? TRANSPORT_UC : 0)
          .set(Req.RESPONDER_RESOURCES, offer.get(ConnParam.RESPONDER_RESOURCES))
          .set(Req.RETRY_COUNT, offer.retries(ConnParam.RETRY_COUNT))
          .set(Req.RNR_RETRY_COUNT, offer.retries(ConnParam.RNR_RETRY_COUNT))
          .set(Req.SRQ, offer.get(ConnParam.SRQ) == 0 ? 0 : 1);
    }
    CmMad.MODIFIER.put(req.bytes(), 0, offer.ece().get(Ece.ATTR_MOD));
    return req;
  }

  /** The kind of queue pair that a request is for; −1 for an unsupported one. */
  static int type(Mad req) {
    return switch (req.getInt(Req.TRANSPORT)) {
      case 0 -> Verbs.QPT_RC;
      case TRANSPORT_UC -> Verbs.QPT_UC;
      case TRANSPORT_EXTENDED ->
          req.getInt(Req.EXTENDED_TRANSPORT) == EXTENDED_XRC ? Verbs.QPT_XRC_INI : -1;
      default -> -1;
    };
  }

  /** The offer in a REQ. */
  static Offer offered(Mad req) {
    View param =
        View.of(ConnParam.STRUCTURE)
            .set(ConnParam.QP_NUM, req.getInt(Req.QPN))
            .set(ConnParam.SRQ, req.getInt(Req.SRQ))
            .set(ConnParam.RESPONDER_RESOURCES, req.getInt(Req.RESPONDER_RESOURCES))
            .set(ConnParam.INITIATOR_DEPTH, req.getInt(Req.INITIATOR_DEPTH))
            .set(ConnParam.FLOW_CONTROL, req.getInt(Req.FLOW_CONTROL))
            .set(ConnParam.RETRY_COUNT, req.getInt(Req.RETRY_COUNT))
            .set(ConnParam.RNR_RETRY_COUNT, req.getInt(Req.RNR_RETRY_COUNT));
    return offer(param, req.dataBehindAddresses(), req.getInt(Req.VENDOR_ID), req);
  }

  // ---- REP

  /**
   * Writes an offer into a REP.
   *
   * @param type of the queue pair that requested the connection
   * @param psn that the receiver starts to send with, 24 bits
   * @param guid of the sender's device
   */
  static void write(Mad rep, Offer reply, int type, int psn, long guid) {
    int vendor = reply.ece().getInt(Ece.VENDOR_ID);
    int qpn = reply.get(ConnParam.QP_NUM);
    rep.set(Rep.VENDOR_ID_HIGH, vendor >>> 16 & BYTE)
        .set(Rep.VENDOR_ID_MIDDLE, vendor >>> 8 & BYTE)
        .set(Rep.VENDOR_ID_LOW, vendor & BYTE)
        .set(Rep.STARTING_PSN, psn)
        .set(Rep.RESPONDER_RESOURCES, reply.get(ConnParam.RESPONDER_RESOURCES))
        .set(Rep.TARGET_ACK_DELAY, ACK_DELAY)
        .set(Rep.RNR_RETRY_COUNT, reply.retries(ConnParam.RNR_RETRY_COUNT))
        .set(Rep.CA_GUID, guid)
        .setData(reply.data());
    if (type == Verbs.QPT_XRC_INI) {
      rep.set(Rep.LOCAL_EECN, qpn).set(Rep.SRQ, 1);
    } else {
      rep.set(Rep.QPN, qpn)
          .set(Rep.INITIATOR_DEPTH, reply.get(ConnParam.INITIATOR_DEPTH))
          .set(Rep.FLOW_CONTROL, reply.get(ConnParam.FLOW_CONTROL))
          .set(Rep.SRQ, reply.get(ConnParam.SRQ) == 0 ? 0 : 1);
    }
    CmMad.MODIFIER.put(rep.bytes(), 0, reply.ece().get(Ece.ATTR_MOD));
  }

  /**
   * The offer in a REP.
   *
   * @param type of the queue pair that requested the connection
   */
  static Offer replied(Mad rep, int type) {
    int qpn = rep.getInt(type == Verbs.QPT_XRC_INI ? Rep.LOCAL_EECN : Rep.QPN);
    View param =
        View.of(ConnParam.STRUCTURE)
            .set(ConnParam.QP_NUM, qpn)
            .set(ConnParam.SRQ, rep.getInt(Rep.SRQ))
            .set(ConnParam.RESPONDER_RESOURCES, rep.getInt(Rep.RESPONDER_RESOURCES))
            .set(ConnParam.INITIATOR_DEPTH, rep.getInt(Rep.INITIATOR_DEPTH))
            .set(ConnParam.FLOW_CONTROL, rep.getInt(Rep.FLOW_CONTROL))
            .set(ConnParam.RNR_RETRY_COUNT, rep.getInt(Rep.RNR_RETRY_COUNT));
    int vendor =
        rep.getInt(Rep.VENDOR_ID_HIGH) << 16
            | rep.getInt(Rep.VENDOR_ID_MIDDLE) << 8
            | rep.getInt(Rep.VENDOR_ID_LOW);
    return offer(param, rep.data(), vendor, rep);
  }

  // ---- both

  private static Offer offer(View param, byte[] data, int vendor, Mad message) {
    param
        .set(ConnParam.PRIVATE_DATA_LEN, data.length)
        .setBytes(ConnParam.PRIVATE_DATA, Arrays.copyOf(data, RdmaCm.MAX_PRIVATE_DATA));
    View ece =
        View.of(Ece.STRUCTURE)
            .set(Ece.VENDOR_ID, vendor)
            .set(Ece.ATTR_MOD, CmMad.MODIFIER.getInt(message.bytes(), 0));
    return new Offer(param, ece);
  }
}
