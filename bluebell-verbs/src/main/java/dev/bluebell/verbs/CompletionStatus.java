package dev.bluebell.verbs;

import dev.bluebell.hca.cqe.Syndrome;

/** How a request ended. Mirrors {@code verbs.h: ibv_wc_status}; each failure has a PRM syndrome. */
public enum CompletionStatus {
  SUCCESS(0, "success"),
  LOCAL_LENGTH_ERROR(
      Syndrome.LOCAL_LENGTH_ERR,
      "the message is longer than the memory of the request, or the request itself is too long"),
  LOCAL_QP_OPERATION_ERROR(
      Syndrome.LOCAL_QP_OP_ERR, "the request is malformed or not allowed on this queue pair"),
  LOCAL_PROTECTION_ERROR(
      Syndrome.LOCAL_PROT_ERR,
      "a local key does not allow the access: check lkey, range, rights and protection domain"),
  WORK_REQUEST_FLUSHED(
      Syndrome.WR_FLUSH_ERR,
      "the queue pair was in the error state before the request was executed"),
  MEMORY_WINDOW_BIND_ERROR(Syndrome.MW_BIND_ERR, "a memory key could not be changed as requested"),
  BAD_RESPONSE(Syndrome.BAD_RESP_ERR, "the peer sent a response that does not fit the request"),
  LOCAL_ACCESS_ERROR(
      Syndrome.LOCAL_ACCESS_ERR, "a peer's request could not be served from local memory"),
  REMOTE_INVALID_REQUEST(
      Syndrome.REMOTE_INVAL_REQ_ERR,
      "the peer refused the request as invalid: check length, alignment and what its queue pair"
          + " allows"),
  REMOTE_ACCESS_ERROR(
      Syndrome.REMOTE_ACCESS_ERR,
      "the peer refused the access: check rkey, range and rights of its memory region"),
  REMOTE_OPERATION_ERROR(
      Syndrome.REMOTE_OP_ERR, "the peer could not complete the request for a reason of its own"),
  RETRY_EXCEEDED(
      Syndrome.TRANSPORT_RETRY_EXC_ERR,
      "the peer did not answer: check that its queue pair exists, is connected to this one and not"
          + " in the error state"),
  RNR_RETRY_EXCEEDED(
      Syndrome.RNR_RETRY_EXC_ERR,
      "the peer had no receive request posted: post receives earlier or raise rnrRetry"),
  REMOTE_ABORTED(Syndrome.REMOTE_ABORTED_ERR, "the peer aborted the operation"),
  TAG_NOT_FOUND(
      -1, "the tag is not in the list: a message has taken it, and its completion reports that"),
  MESSAGE_CANCELED(-1, "a message took the tag, but its connection failed before the rest arrived"),
  /** A syndrome without a name; {@link Completion#syndrome()} returns its number. */
  GENERAL_ERROR(-1, "the device reports a syndrome that has no name");

  private static final CompletionStatus[] BY_SYNDROME = new CompletionStatus[256];

  static {
    for (int syndrome = 0; syndrome < BY_SYNDROME.length; syndrome++) {
      BY_SYNDROME[syndrome] = GENERAL_ERROR;
    }
    for (CompletionStatus status : values()) {
      if (status.syndrome > 0) {
        BY_SYNDROME[status.syndrome] = status;
      }
    }
  }

  private final int syndrome;
  private final String description;

  CompletionStatus(int syndrome, String description) {
    this.syndrome = syndrome;
    this.description = description;
  }

  /**
   * The status of an error completion with this syndrome.
   *
   * @param syndrome byte 55 of the completion, 0 … 255
   */
  public static CompletionStatus ofSyndrome(int syndrome) {
    return BY_SYNDROME[syndrome & 0xff];
  }

  /** What the status means in general and what to check; part of a sentence. */
  public String description() {
    return description;
  }
}
