package dev.bluebell.cli.perf;

/** What can be measured. */
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
   * Gather entries whose requests are as long as those of the operation, or longer; 2 make the
   * shortest requests.
   */
  int gather() {
    return gather;
  }

  /** What a connection must have for it. */
  OperationType type() {
    return type;
  }

  /** True when a message takes a receive request of the peer, or a tag. */
  boolean takesReceives() {
    return this == SEND || this == TAG_SEND || this == WRITE_IMM;
  }

  /** True when one process can measure it with another. */
  boolean isOfTwo() {
    return switch (this) {
      case WRITE, WRITE_IMM, SEND, READ, ECHO -> true;
      default -> false;
    };
  }

  /** True when a message is something that a memory copy does too. */
  private boolean movesData() {
    return !isAtomic() && this != BIND;
  }

  /** True when the requester's data travels to the peer, so that it may travel inline. */
  boolean sendsData() {
    return this == WRITE || this == SEND || this == WRITE_IMM;
  }

  /** Message size in bytes when the user names none: perftest's, and the seeds' for the echo. */
  int defaultSize(boolean latency) {
    return latency && movesData() && this != ECHO ? LATENCY_BYTES : bytes;
  }

  /** Name on the command line. */
  @Override
  public String toString() {
    return word;
  }
}
