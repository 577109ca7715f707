package dev.bluebell.cli.perf;

import dev.bluebell.cli.command.DeviceOption;
import dev.bluebell.verbs.Device;

/** Runs plans with a server in another process. */
final class PeerClient implements PerfBench {
  private final DeviceOption device;
  private final PeerChannel server;
  private final PerfWatch watch;

  /**
   * @param server closed with this
   * @throws PeerLost when the server has other options
   */
  PeerClient(DeviceOption device, PeerChannel server, PeerAgreement options, PerfWatch watch) {
    this.device = device;
    this.server = server;
    this.watch = watch;
    server.send(PeerMessage.of(PeerMessage.Kind.OPTIONS, options.text()));
    PeerMessage answer = server.receive();
    if (answer.kind() == PeerMessage.Kind.REFUSED) {
      throw new PeerLost(answer.text());
    }
    if (answer.kind() != PeerMessage.Kind.AGREED) {
      throw PeerMessage.nonsense();
    }
  }

  @Override
  public PerfResult run(PerfPlan plan) {
    try (Device opened = device.open()) {
      Timings timings = plan.timings();
      Traffic traffic = PeerBench.client(opened, plan, server, timings);
      PerfResult result = new Measurement(plan, traffic, timings, watch).run();
      server.send(PeerResult.message(result));
      return result;
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
