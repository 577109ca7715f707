package dev.bluebell.connect.cm;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.ConnParam;
import dev.bluebell.hca.uverbs.CmAbi.EventResp;
import dev.bluebell.hca.uverbs.CmEventType;
import java.util.Arrays;
import java.util.Optional;

/** An event of a connection manager id, {@link EventResp}. */
record CmEvent(View response) {
  /** Maximum number of private bytes of a message; a reply has the most. */
  private static final int MOST_DATA = 196;

  /** The event that every id has when its file ends. */
  static CmEvent removal() {
    return new CmEvent(
        View.of(EventResp.STRUCTURE).set(EventResp.EVENT, CmEventType.DEVICE_REMOVAL.number()));
  }

  /** The uid with which its id was created; for a request, the uid of the listener. */
  long uid() {
    return response.get(EventResp.UID);
  }

  /** Number of the id; for a request, of the new one. */
  int id() {
    return response.getInt(EventResp.ID);
  }

  /** True for a request for a connection. */
  boolean isRequest() {
    return is(CmEventType.CONNECT_REQUEST);
  }

  boolean is(CmEventType type) {
    return response.getInt(EventResp.EVENT) == type.number();
  }

  /** Its kind, in words. */
  String kind() {
    int number = response.getInt(EventResp.EVENT);
    Optional<CmEventType> type = CmEventType.of(number);
    return "RDMA_CM_EVENT_%s, status %d"
        .formatted(type.isPresent() ? type.get() : "number " + number, status());
  }

  /** Zero, minus an error number of Linux, or the reason of a rejection. */
  int status() {
    return response.getInt(EventResp.STATUS);
  }

  /** The connection parameters that the peer offers. */
  View parameters() {
    return response.at(EventResp.CONN);
  }

  /** The peer's private bytes, padded with zeros to the length of that field in its message. */
  byte[] data() {
    View parameters = parameters();
    int length = Math.min(MOST_DATA, parameters.getInt(ConnParam.PRIVATE_DATA_LEN));
    return Arrays.copyOf(parameters.getBytes(ConnParam.PRIVATE_DATA), length);
  }
}
