package dev.bluebell.softnic.diagnosis;

import dev.bluebell.hca.command.CounterCommands.QueryQCounterOut;
import dev.bluebell.hca.structure.Field;

/** The counters of queue pairs, by the field that reports them. */
public enum QueueCounter {
  /** RDMA WRITEs that a responder accepted. */
  WRITE_REQUESTS(QueryQCounterOut.RX_WRITE_REQUESTS),
  /** READs that a responder accepted. */
  READ_REQUESTS(QueryQCounterOut.RX_READ_REQUESTS),
  /** Atomics that a responder accepted. */
  ATOMIC_REQUESTS(QueryQCounterOut.RX_ATOMIC_REQUESTS),
  /** Messages that found no receive WQE. */
  OUT_OF_BUFFER(QueryQCounterOut.OUT_OF_BUFFER),
  /** Requests that arrived ahead of the expected one. */
  OUT_OF_SEQUENCE(QueryQCounterOut.OUT_OF_SEQUENCE),
  /** Requests that arrived again. */
  DUPLICATE_REQUEST(QueryQCounterOut.DUPLICATE_REQUEST),
  /** RNR NAKs that a requester got. */
  RNR_NAK(QueryQCounterOut.RNR_NAK_RETRY_ERR),
  /** NAKs for a sequence error that a requester got. */
  SEQUENCE_NAK(QueryQCounterOut.PACKET_SEQ_ERR),
  /** Times that a requester noticed a missing response by a later one. */
  IMPLIED_NAK(QueryQCounterOut.IMPLIED_NAK_SEQ_ERR),
  /** Times that the ACK timeout of a requester ran out. */
  ACK_TIMEOUT(QueryQCounterOut.LOCAL_ACK_TIMEOUT_ERR),
  RESPONDER_LENGTH(QueryQCounterOut.RESP_LOCAL_LENGTH_ERROR),
  REQUESTER_LENGTH(QueryQCounterOut.REQ_LOCAL_LENGTH_ERROR),
  RESPONDER_OPERATION(QueryQCounterOut.RESP_LOCAL_QP_ERROR),
  REQUESTER_OPERATION(QueryQCounterOut.LOCAL_OPERATION_ERROR),
  RESPONDER_PROTECTION(QueryQCounterOut.RESP_LOCAL_PROTECTION),
  REQUESTER_PROTECTION(QueryQCounterOut.REQ_LOCAL_PROTECTION),
  /** Error CQEs of receives, including flushed ones. */
  RESPONDER_CQE(QueryQCounterOut.RESP_CQE_ERROR),
  /** Error CQEs of requests, including flushed ones. */
  REQUESTER_CQE(QueryQCounterOut.REQ_CQE_ERROR),
  BINDING(QueryQCounterOut.REQ_MW_BINDING),
  BAD_RESPONSE(QueryQCounterOut.REQ_BAD_RESPONSE),
  REQUESTER_INVALID_REQUEST(QueryQCounterOut.REQ_REMOTE_INVALID_REQUEST),
  RESPONDER_INVALID_REQUEST(QueryQCounterOut.RESP_REMOTE_INVALID_REQUEST),
  REQUESTER_ACCESS(QueryQCounterOut.REQ_REMOTE_ACCESS_ERRORS),
  RESPONDER_ACCESS(QueryQCounterOut.RESP_REMOTE_ACCESS_ERRORS),
  REMOTE_OPERATION(QueryQCounterOut.REQ_REMOTE_OPERATION_ERRORS),
  RETRIES_EXCEEDED(QueryQCounterOut.REQ_TRANSPORT_RETRIES_EXCEEDED),
  CQ_OVERFLOW(QueryQCounterOut.CQ_OVERFLOW),
  RESPONDER_FLUSH(QueryQCounterOut.RESP_CQE_FLUSH_ERROR),
  REQUESTER_FLUSH(QueryQCounterOut.REQ_CQE_FLUSH_ERROR);

  private final Field field;

  QueueCounter(Field field) {
    this.field = field;
  }

  /** The field of QUERY_Q_COUNTER's output. */
  public Field field() {
    return field;
  }
}
