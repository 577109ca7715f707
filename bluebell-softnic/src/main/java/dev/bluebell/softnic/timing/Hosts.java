package dev.bluebell.softnic.timing;

import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.option.Timing;
import dev.bluebell.softnic.packet.Packet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * The hosts of a device with virtual time. Each protection domain is one host: packets within a
 * domain use loopback, packets between two domains cross a network. Owned by the thread that runs
 * the engine.
 */
public final class Hosts {
  /** The protection domain of everything that is not a queue pair: a host of its own. */
  public static final int ELSEWHERE = -1;

  private final Costs costs;
  private final IntUnaryOperator domains;
  private final Map<Integer, Host> hosts = new HashMap<>();

  /**
   * @param domains gives the protection domain of a queue pair, or {@link #ELSEWHERE}
   */
  public Hosts(Timing timing, IntUnaryOperator domains) {
    costs = new Costs(timing);
    this.domains = domains;
  }

  /** The host of a protection domain, of which there is a bounded number. */
  public Host of(int pd) {
    return hosts.computeIfAbsent(pd, unknown -> new Host(costs));
  }

  /**
   * Sends a packet at a time.
   *
   * @return when it takes effect, unless an earlier packet of its connection arrives later
   */
  public long deliver(Packet packet, long now) {
    Host from = of(domains.applyAsInt(packet.sourceQpn));
    Host to = of(domains.applyAsInt(packet.destinationQpn));
    boolean back = BthOpcode.isResponse(packet.opcode);
    long arrives = from.carry(to, packet.payloadBytes, back, now);
    if (back) {
      return arrives;
    }
    int operation = BthOpcode.operation(packet.opcode);
    boolean atomic = operation == BthOpcode.COMPARE_SWAP || operation == BthOpcode.FETCH_ADD;
    return (atomic ? to.takeAtomic(arrives) : arrives) + costs.execution(operation);
  }
}
