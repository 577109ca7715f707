package dev.bluebell.program.install;

import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A chain of programs on several replicas, each of which sends to the next. The client sends to the
 * first and receives answers from the last. For one call. Not thread-safe.
 */
public final class Chain implements AutoCloseable {
  private final Closings closings = new Closings();
  private final List<Installation> links = new ArrayList<>();
  private final Client writer;
  private final Client reader;

  /**
   * A host.
   *
   * @param device its device, which can reach those of the other hosts
   * @param domain a domain of the device
   */
  public record Host(Device device, ProtectionDomain domain) {}

  /**
   * Installs the programs and connects them.
   *
   * @param client host of the caller
   * @param replicas as many hosts as there are plans
   * @param plans one per replica; each sends the message that the next one expects
   * @throws IllegalArgumentException when a plan is for many calls
   * @throws dev.bluebell.hca.HcaException when a device refuses
   */
  public Chain(Host client, List<Host> replicas, List<Plan> plans) {
    try {
      for (int i = 0; i < plans.size(); i++) {
        Host at = replicas.get(i);
        Installation link = Installation.installLink(at.device(), at.domain(), plans.get(i));
        closings.add(link::close);
        links.add(link);
      }
      writer = client(client, plans.getFirst().messageBytes());
      reader = client(client, 0);
      writer.connect(links.getFirst().endpoint());
      reader.connect(links.getLast().answers());
      for (int i = 0; i < links.size(); i++) {
        QueuePairEndpoint before = i == 0 ? writer.endpoint() : links.get(i - 1).answers();
        boolean last = i == links.size() - 1;
        QueuePairEndpoint behind = last ? reader.endpoint() : links.get(i + 1).endpoint();
        links.get(i).connect(before, behind);
      }
    } catch (RuntimeException | Error e) {
      closings.closeAfter(e);
      throw e;
    }
  }

  private Client client(Host at, int messageBytes) {
    Client made = new Client(at.device(), at.domain(), messageBytes);
    closings.add(made::close);
    return made;
  }

  /** The program of each replica, in the order of the chain. */
  public List<Installation> links() {
    return List.copyOf(links);
  }

  /** Sends the client's message to the first replica. */
  public void send(byte[] message) {
    writer.send(message);
  }

  /**
   * As {@link Client#take}, for the last replica's answers.
   *
   * @throws IllegalStateException also when the first replica did not take the message
   */
  public List<byte[]> take() {
    checkSent();
    return reader.take();
  }

  /**
   * As {@link Client#await}, for the last replica's answers. On timeout, the exception has the
   * reason if the first replica did not take the message.
   */
  public List<byte[]> await(int count, Duration patience) {
    try {
      return reader.await(count, patience);
    } catch (IllegalStateException e) {
      checkSent();
      throw e;
    }
  }

  private void checkSent() {
    int unused = writer.untaken();
  }

  /** As {@link Client#answeredAt}. */
  public long answeredAt() {
    return reader.answeredAt();
  }

  @Override
  public void close() {
    closings.close();
  }
}
