package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Device;

/** Runs plans with a server in another process. */
final class PeerClient implements PerfBench {
  private final PeerChannel server;
  private final PerfWatch watch;

  /**
   * @param server channel to the server, closed with this
   * @throws PeerLost when the server has other options
   */
  PeerClient(PeerChannel server, PeerAgreement options, PerfWatch watch) {
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
    return server.measure(device -> run(plan, device));
  }

  private PerfResult run(PerfPlan plan, Device device) {
    Timings timings = plan.timings();
    Traffic traffic = PeerBench.client(device, plan, server, timings);
    PerfResult result = new Measurement(plan, traffic, timings, watch).run();
    server.send(PeerResult.message(result));
    return result;
  }

  @Override
  public void close() {
    server.close();
  }
}
