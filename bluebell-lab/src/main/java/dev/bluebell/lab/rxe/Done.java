package dev.bluebell.lab.rxe;

import dev.bluebell.verbs.Completion;

/**
 * A completion at either end, in the words of {@code enum ibv_wc_status}.
 *
 * @param id id of its request
 * @param status 0 success, 1 local length, 2 local operation, 5 flushed, 9 remote invalid request,
 *     10 remote access, 11 remote operation, 12 retries exceeded, 13 RNR retries exceeded
 * @param isReceive true for a receive request
 * @param bytes number of received bytes
 * @param immediate received immediate; 0 when there was none
 * @param text for messages
 */
record Done(long id, int status, boolean isReceive, long bytes, int immediate, String text) {
  static final int LOCAL_LENGTH = 1;
  static final int LOCAL_OPERATION = 2;
  static final int FLUSHED = 5;
  static final int REMOTE_INVALID_REQUEST = 9;
  static final int REMOTE_ACCESS = 10;
  static final int REMOTE_OPERATION = 11;
  static final int RETRIES_EXCEEDED = 12;
  static final int RNR_RETRIES_EXCEEDED = 13;
  private static final int OTHER = 21;

  private static final int RECEIVE_BIT = 128;

  static Done of(Completion completion) {
    boolean isReceive =
        switch (completion.opcode()) {
          case RECEIVE, RECEIVE_RDMA_WITH_IMMEDIATE -> true;
          default -> false;
        };
    int status =
        switch (completion.status()) {
          case SUCCESS -> 0;
          case LOCAL_LENGTH_ERROR -> LOCAL_LENGTH;
          case WORK_REQUEST_FLUSHED -> FLUSHED;
          case REMOTE_INVALID_REQUEST -> REMOTE_INVALID_REQUEST;
          case REMOTE_ACCESS_ERROR -> REMOTE_ACCESS;
          case REMOTE_OPERATION_ERROR -> REMOTE_OPERATION;
          case LOCAL_QP_OPERATION_ERROR -> LOCAL_OPERATION;
          case RETRY_EXCEEDED -> RETRIES_EXCEEDED;
          case RNR_RETRY_EXCEEDED -> RNR_RETRIES_EXCEEDED;
          default -> OTHER;
        };
    return new Done(
        completion.id(),
        status,
        isReceive,
        completion.byteCount(),
        status == 0 && completion.hasImmediate() ? completion.immediate() : 0,
        "ours: %s %s".formatted(completion.status(), completion.explanation()));
  }

  /** Parses a completion of the guest: {@code ID:STATUS:OPCODE:BYTES:IMMEDIATE:FLAGS:SOURCE}. */
  static Done parse(String text) {
    String[] words = text.split(":", -1);
    boolean hasImmediate = (Integer.parseInt(words[5]) & 2) != 0;
    return new Done(
        Long.parseUnsignedLong(words[0]),
        Integer.parseInt(words[1]),
        (Integer.parseInt(words[2]) & RECEIVE_BIT) != 0,
        Long.parseLong(words[3]),
        hasImmediate ? Integer.parseUnsignedInt(words[4]) : 0,
        "Soft-RoCE: " + text);
  }
}
