package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.ServiceType;

/** Describes an initiator of dynamic connections to be created. Not thread-safe. */
public final class DcInitiatorBuilder extends QueuePairBuilder<DcInitiatorBuilder> {
  private boolean memoryCopies;
  private ConnectOptions options = ConnectOptions.DEFAULT;

  DcInitiatorBuilder(ProtectionDomain domain, CompletionQueue completions) {
    super(domain, completions);
  }

  @Override
  DcInitiatorBuilder self() {
    return this;
  }

  /**
   * Sets path MTU, acknowledge timeout, retries and outstanding READs; the rest of the options is
   * the address's or the target's. The path MTU must be that of every target, {@link
   * DcEndpoint#mtu}: messages and READs of several packets fail otherwise. Default: {@link
   * ConnectOptions#DEFAULT}, with the largest of the port.
   */
  public DcInitiatorBuilder options(ConnectOptions values) {
    options = values;
    return this;
  }

  /**
   * Says whether the queue pair makes copies from memory to memory of this device, see {@link
   * DcInitiator#copyMemory(long, int, long, int, int)}. Default off.
   */
  public DcInitiatorBuilder memoryCopies(boolean on) {
    memoryCopies = on;
    return this;
  }

  /**
   * Creates the queue pair, ready to send.
   *
   * @throws IllegalArgumentException when a size is more than the device takes
   * @throws IllegalStateException when the domain or the completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public DcInitiator create() {
    DcSettings settings = new DcSettings(address(), options);
    CopyReport report = CopyReport.of(domain, memoryCopies);
    return report.with(
        () ->
            QueuePairParts.assemble(
                sendingPlan(ServiceType.DCI), parts -> new DcInitiator(parts, settings, report)));
  }
}
