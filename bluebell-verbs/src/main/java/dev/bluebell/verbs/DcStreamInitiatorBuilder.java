package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.ServiceType;

/** Describes an initiator of dynamic connections with streams to be created. Not thread-safe. */
public final class DcStreamInitiatorBuilder extends QueuePairBuilder<DcStreamInitiatorBuilder> {
  private static final int MAX_STREAMS = 1 << 15;

  private final int streams;
  private int failures;
  private boolean memoryCopies;
  private ConnectOptions options = ConnectOptions.DEFAULT;

  DcStreamInitiatorBuilder(ProtectionDomain domain, CompletionQueue completions, int streams) {
    super(domain, completions);
    Ranges.require("streams", streams, 2, MAX_STREAMS);
    this.streams = 1 << Sizes.log2Ceiling(streams);
    failures = this.streams;
  }

  @Override
  DcStreamInitiatorBuilder self() {
    return this;
  }

  /**
   * Sets how many streams must have failed for the whole initiator to fail; rounded up to a power
   * of two. Default: all of them.
   *
   * @param count 1 … the number of streams
   */
  public DcStreamInitiatorBuilder failures(int count) {
    failures = 1 << Sizes.log2Ceiling(Ranges.require("failures", count, 1, streams));
    return this;
  }

  /** Sets what {@link DcInitiatorBuilder#options} sets. */
  public DcStreamInitiatorBuilder options(ConnectOptions values) {
    options = values;
    return this;
  }

  /**
   * Says whether the queue pair makes copies from memory to memory of this device, see {@link
   * DcStream#copyMemory(long, int, long, int, int)}. Default off.
   */
  public DcStreamInitiatorBuilder memoryCopies(boolean on) {
    memoryCopies = on;
    return this;
  }

  /**
   * Creates the queue pair, ready to send.
   *
   * @throws IllegalArgumentException when a size is more than the device takes
   * @throws IllegalStateException when the domain or the completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses: it has no streams, or not so
   *     many
   */
  public DcStreamInitiator create() {
    DcSettings settings = new DcSettings(address(), options);
    CopyReport report = CopyReport.of(domain, memoryCopies);
    return report.with(
        () ->
            QueuePairParts.assemble(
                sendingPlan(ServiceType.DCI).withStreams(new DcStreamCounts(streams, failures)),
                parts -> new DcStreamInitiator(parts, settings, streams, report)));
  }
}
