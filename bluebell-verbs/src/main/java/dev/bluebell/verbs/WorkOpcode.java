package dev.bluebell.verbs;

/** The completed operation. Mirrors {@code verbs.h: ibv_wc_opcode}. */
public enum WorkOpcode {
  /** A SEND of any kind. */
  SEND,
  /** An RDMA WRITE, with or without immediate. */
  RDMA_WRITE,
  /** An RDMA READ. */
  RDMA_READ,
  /** A compare-and-swap. */
  COMPARE_AND_SWAP,
  /** A fetch-and-add. */
  FETCH_AND_ADD,
  /** A masked compare-and-swap. */
  MASKED_COMPARE_AND_SWAP,
  /** A masked fetch-and-add. */
  MASKED_FETCH_AND_ADD,
  /** A copy within local memory. */
  MEMORY_COPY,
  /** A NOP. */
  NOP,
  /** A change of a memory key other than a window's. */
  UMR,
  /** A bind of a memory window, which is a UMR for the device. */
  BIND_WINDOW,
  /** The end of a window's binding, which is a UMR for the device. */
  INVALIDATE_WINDOW,
  /** A WAIT of a cross-channel queue pair. */
  WAIT,
  /** A SEND_EN, which enabled a managed send queue. */
  SEND_EN,
  /** A RECV_EN, which enabled a managed receive queue. */
  RECV_EN,
  /** A receive request, filled by a SEND. */
  RECEIVE,
  /**
   * A receive request, consumed by an RDMA WRITE with immediate; the data is where it was written.
   */
  RECEIVE_RDMA_WITH_IMMEDIATE,
  /** A tag was added to the list of a tag-matching queue. */
  TAG_ADD,
  /** A tag was removed, or was no longer in the list. */
  TAG_REMOVE,
  /**
   * The application reported to a tag-matching queue how many unexpected messages it has handled.
   */
  TAG_SYNCHRONIZE,
  /** A message with a tag, in the tag's memory or, if unexpected, in a receive request. */
  RECEIVE_WITH_TAG,
  /** A receive request of a tag-matching queue, filled by a message that has no tag. */
  RECEIVE_WITHOUT_TAG,
  /** A request of a kind that this driver does not post. */
  UNKNOWN
}
