package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.WorkOpcode;

/** The kinds of requests. */
enum RequestKind {
  SEND(WorkOpcode.SEND),
  SEND_IMMEDIATE(WorkOpcode.SEND),
  WRITE(WorkOpcode.RDMA_WRITE),
  WRITE_IMMEDIATE(WorkOpcode.RDMA_WRITE),
  READ(WorkOpcode.RDMA_READ),
  COMPARE_AND_SWAP(WorkOpcode.COMPARE_AND_SWAP),
  FETCH_AND_ADD(WorkOpcode.FETCH_AND_ADD),
  MASKED_COMPARE_AND_SWAP(WorkOpcode.MASKED_COMPARE_AND_SWAP),
  MASKED_FETCH_AND_ADD(WorkOpcode.MASKED_FETCH_AND_ADD),
  NOP(WorkOpcode.NOP);

  private final WorkOpcode opcode;

  RequestKind(WorkOpcode opcode) {
    this.opcode = opcode;
  }

  /** The opcode in its completion. */
  WorkOpcode opcode() {
    return opcode;
  }

  /** True when the completion has the number of fetched bytes. */
  boolean fetches() {
    return switch (this) {
      case READ, COMPARE_AND_SWAP, FETCH_AND_ADD, MASKED_COMPARE_AND_SWAP, MASKED_FETCH_AND_ADD ->
          true;
      default -> false;
    };
  }
}
