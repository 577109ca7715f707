package dev.bluebell.cli.perf;

import dev.bluebell.verbs.Device;

/** Serves the plans of a client in another process, and returns the client's results. */
final class PeerServer implements PerfBench {
  private final PeerChannel client;

  // Whether the last plan has its result, so that the client has nothing more to ask.
  private boolean finished;

  /**
   * @param client channel to the client, closed with this
   * @throws PeerLost when the client has other options
   */
  PeerServer(PeerChannel client, PeerAgreement options) {
    this.client = client;
    String asked = client.receive(PeerMessage.Kind.OPTIONS).text();
    String difference = options.difference(asked);
    if (difference != null) {
      client.send(PeerMessage.of(PeerMessage.Kind.REFUSED, difference));
      throw new PeerLost(difference);
    }
    client.send(PeerMessage.of(PeerMessage.Kind.AGREED));
  }

  @Override
  public PerfResult run(PerfPlan plan) {
    finished = false;
    PerfResult result = client.measure(device -> serve(plan, device));
    finished = true;
    return result;
  }

  private PerfResult serve(PerfPlan plan, Device device) {
    Traffic traffic = PeerBench.server(device, plan, client);
    long sequence = 0;
    while (true) {
      PeerMessage message = client.receive();
      switch (message.kind()) {
        case ROUND -> {
          round(traffic, message.number(), sequence);
          sequence += message.number();
        }
        case LOOK -> client.send(PeerMessage.of(PeerMessage.Kind.LOOKED, traffic.verify() ? 1 : 0));
        case RESULT -> {
          return PeerResult.read(plan, message);
        }
        default -> throw PeerMessage.nonsense();
      }
    }
  }

  private void round(Traffic traffic, int messages, long first) {
    if (messages < 1 || messages > traffic.window()) {
      throw PeerMessage.nonsense();
    }
    traffic.prepare(messages, first);
    client.send(PeerMessage.of(PeerMessage.Kind.READY));
    traffic.run();
  }

  @Override
  public void close() {
    if (finished) {
      client.awaitEnd();
    }
    client.close();
  }
}
