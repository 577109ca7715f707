package dev.bluebell.cli.perf;

/** The operations that can be measured. */
enum PerfOperation {
  WRITE("write", "RDMA_Write", 65536, OperationType.WRITES, 2),
  READ("read", "RDMA_Read", 65536, OperationType.RELIABLE, 2),
  SEND("send", "Send", 65536, OperationType.MESSAGES, 2),
  TAG_SEND("tag-send", "Tagged_Send", 65536, OperationType.MESSAGES, 2),
  WRITE_IMM("write-imm", "RDMA_Write_With_Imm", 65536, OperationType.WRITES, 2),
  CAS("cas", "Atomic_CMP_AND_SWP", Long.BYTES, OperationType.RELIABLE, 2),
  FAA("faa", "Atomic_FETCH_AND_ADD", Long.BYTES, OperationType.RELIABLE, 2),
  MASKED_CAS("masked-cas", "Atomic_MASKED_CMP_AND_SWP", Long.BYTES, OperationType.RELIABLE, 3),
  MASKED_FAA("masked-faa", "Atomic_MASKED_FETCH_AND_ADD", Long.BYTES, OperationType.RELIABLE, 2),
  COPY("copy", "MMO_Copy", 65536, OperationType.RELIABLE, 3),
  BIND("bind", "MW_Bind", 4096, OperationType.WRITES, 8),
  ECHO("echo", "Echo", 32, OperationType.WRITES, 2);

  private static final int LATENCY_BYTES = 2;

  private final String word;
  private final String title;
  private final int bytes;
  private final OperationType type;
  private final int gather;

  PerfOperation(String word, String title, int bytes, OperationType type, int gather) {
    this.word = word;
    this.title = title;
    this.bytes = bytes;
    this.type = type;
    this.gather = gather;
  }

  /** Name in perftest's heading. */
  String title() {
    return title;
  }

  boolean isAtomic() {
    return switch (this) {
      case CAS, FAA, MASKED_CAS, MASKED_FAA -> true;
      default -> false;
    };
  }

  /**
   * Number of gather entries whose requests are at least as long as the operation's; 2 for the
   * shortest requests.
   */
  int gather() {
    return gather;
  }

  /** The group that a connection must support. */
  OperationType type() {
    return type;
  }

  /** True if a message takes a receive request or a tag of the peer. */
  boolean takesReceives() {
    return this == SEND || this == TAG_SEND || this == WRITE_IMM;
  }

  /** True if two processes can measure it together. */
  boolean isOfTwo() {
    return switch (this) {
      case WRITE, WRITE_IMM, SEND, READ, ECHO -> true;
      default -> false;
    };
  }

  /** True if a memory copy could do the same work. */
  private boolean movesData() {
    return !isAtomic() && this != BIND;
  }

  /** True if data travels from the requester to the peer, and may therefore be inline. */
  boolean sendsData() {
    return this == WRITE || this == SEND || this == WRITE_IMM;
  }

  /** Default message size in bytes: perftest's, and that of the seeds for the echo. */
  int defaultSize(boolean latency) {
    return latency && movesData() && this != ECHO ? LATENCY_BYTES : bytes;
  }

  /** Name on the command line. */
  @Override
  public String toString() {
    return word;
  }
}
