package dev.bluebell.cli.perf;

import dev.bluebell.verbs.UdQueuePair;
import java.util.Locale;
import java.util.function.Function;

/** Kinds of connections. */
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
    return opener.apply(settings);
  }

  /** Name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
