package dev.bluebell.cli.perf;

import dev.bluebell.verbs.UdQueuePair;
import java.util.Locale;
import java.util.function.Function;

/** The transports that a measurement can use. */
enum ConnectionKind {
  RC(OperationType.RELIABLE, 972, Ends::rc),
  UC(OperationType.WRITES, 972, Ends::uc),
  UD(OperationType.MESSAGES, 924, Ends::ud),
  DC(OperationType.RELIABLE, 924, Ends::dc),
  XRC(OperationType.RELIABLE, 956, Ends::xrc);

  private final OperationType operations;
  private final int maxInline;
  private final Function<EndSettings, OpenEnd> opener;

  ConnectionKind(OperationType operations, int maxInline, Function<EndSettings, OpenEnd> opener) {
    this.operations = operations;
    this.maxInline = maxInline;
    this.opener = opener;
  }

  /** Whether the kind supports an operation. */
  boolean has(PerfOperation operation) {
    if (operation == PerfOperation.BIND) {
      return this == RC || this == UC;
    }
    return operation.type().compareTo(operations) <= 0;
  }

  /** False if messages that the fabric loses are not sent again. */
  boolean isReliable() {
    return operations == OperationType.RELIABLE;
  }

  /** True if a message must fit into one packet. */
  boolean isOfPackets() {
    return this == UD;
  }

  /** Bytes in front of a message in the memory of its receive request. */
  int headerBytes() {
    return this == UD ? UdQueuePair.HEADER_BYTES : 0;
  }

  /** Most bytes of inline data that fit into any request of this kind. */
  int maxInline() {
    return maxInline;
  }

  /** Creates two ends, each the peer of the other. */
  Connection connect(EndSettings leftSettings, EndSettings rightSettings) {
    OpenEnd left = open(leftSettings);
    OpenEnd right = open(rightSettings);
    return new Connection(left.connect(right.address()), right.connect(left.address()));
  }

  /** Creates an end whose peer may be in another process. */
  OpenEnd open(EndSettings settings) {
    return opener.apply(settings);
  }

  /** Name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
