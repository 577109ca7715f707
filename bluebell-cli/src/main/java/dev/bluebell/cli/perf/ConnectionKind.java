package dev.bluebell.cli.perf;

import dev.bluebell.verbs.UdQueuePair;
import java.util.Locale;

/** Kinds of connections. */
enum ConnectionKind {
  RC(OperationType.RELIABLE, 972),
  UC(OperationType.WRITES, 972),
  UD(OperationType.MESSAGES, 924),
  DC(OperationType.RELIABLE, 924),
  XRC(OperationType.RELIABLE, 956);

  private final OperationType operations;
  private final int maxInline;

  ConnectionKind(OperationType operations, int maxInline) {
    this.operations = operations;
    this.maxInline = maxInline;
  }

  /** Whether the kind has an operation. */
  boolean has(PerfOperation operation) {
    if (operation == PerfOperation.BIND) {
      return this == RC || this == UC;
    }
    return operation.type().compareTo(operations) <= 0;
  }

  /** False when what a fabric loses stays lost. */
  boolean isReliable() {
    return operations == OperationType.RELIABLE;
  }

  /** True when a message must fit into a packet. */
  boolean isOfPackets() {
    return this == UD;
  }

  /** Bytes in front of a message in the memory of its receive request. */
  int headerBytes() {
    return this == UD ? UdQueuePair.HEADER_BYTES : 0;
  }

  /** Most bytes of data that fit into a request, whatever its operation. */
  int maxInline() {
    return maxInline;
  }

  /** Creates two ends, each the peer of the other. */
  Connection connect(EndSettings leftSettings, EndSettings rightSettings) {
    OpenEnd left = open(leftSettings);
    OpenEnd right = open(rightSettings);
    return new Connection(left.connect(right.address()), right.connect(left.address()));
  }

  /** Creates an end, which may have its peer in another process. */
  OpenEnd open(EndSettings settings) {
    return switch (this) {
      case RC -> RcRequester.open(settings);
      case UC -> UcRequester.open(settings);
      case UD -> UdRequester.open(settings);
      case DC -> DcRequester.open(settings);
      case XRC -> XrcRequester.open(settings);
    };
  }

  /** Name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
