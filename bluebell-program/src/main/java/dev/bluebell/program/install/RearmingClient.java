package dev.bluebell.program.install;

import dev.bluebell.program.Buffer;
import dev.bluebell.program.Input;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.program.plan.Rearming;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairEndpoint;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Calls a program that it rearms before each call: it writes rings, words and doorbell record of
 * the program, and then sends its message. One call at a time: the next may begin when the program
 * has reported the end of the last one. Not thread-safe.
 */
public final class RearmingClient implements AutoCloseable {
  private final Closings closings = new Closings();
  private final Client client;
  private final Plan plan;
  private final Rearming rearming;
  private final MemoryRegion pieces;
  private final int most;
  private int calls;
  private boolean over = true;

  /**
   * Creates the client's queue pair.
   *
   * @param domain domain of the client
   * @param installation installation by {@link Installation#installRearmed}
   * @param plan plan of the installation
   * @param most number of calls that its launcher starts
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public RearmingClient(
      Device device, ProtectionDomain domain, Installation installation, Plan plan, int most) {
    this.plan = plan;
    this.most = most;
    rearming = new Rearming(plan, installation.image());
    try {
      pieces = domain.allocate(bytesOfACall(), Access.LOCAL_WRITE);
      closings.add(pieces::close);
      client = new Client(device, domain, plan.messageBytes());
      closings.add(client::close);
    } catch (RuntimeException | Error e) {
      closings.closeAfter(e);
      throw e;
    }
  }

  /** Endpoint for the program to connect to. */
  public QueuePairEndpoint endpoint() {
    return client.endpoint();
  }

  public void connect(QueuePairEndpoint program) {
    client.connect(program);
  }

  /** Number of bytes that it writes before each call but the first. */
  public int bytesOfACall() {
    return rearming.before(1).stream().mapToInt(piece -> piece.bytes().length).sum();
  }

  /**
   * Rearms the program and calls it.
   *
   * @throws IllegalStateException when the last call is not over, or the launcher has no calls left
   */
  public void send(Map<Input<?>, byte[]> inputs) {
    if (!over) {
      throw new IllegalStateException("a call is under way; wait until it is over");
    }
    if (calls == most) {
      throw new IllegalStateException(
          "the program was installed for %d calls, and all were made; install it for more"
              .formatted(most));
    }
    if (calls > 0) {
      rearm();
    }
    calls++;
    over = false;
    client.send(client.encode(plan, inputs));
  }

  // Requests of a reliable connection have their effect in order, so the message comes last.
  private void rearm() {
    long at = 0;
    for (Rearming.Piece piece : rearming.before(calls)) {
      byte[] bytes = piece.bytes();
      MemorySegment.copy(MemorySegment.ofArray(bytes), 0, pieces.segment(), at, bytes.length);
      client
          .pair()
          .write(piece.to().address(), piece.to().rkey())
          .gather(pieces, at, bytes.length)
          .unsignaled(0);
      at += bytes.length;
    }
  }

  /**
   * Takes the answers that have arrived, in order.
   *
   * @throws IllegalStateException when a request failed; the message has the device's explanation
   */
  public List<byte[]> take() {
    List<byte[]> answers = new ArrayList<>(client.take());
    if (!answers.isEmpty() && answers.getLast().length == 0) {
      answers.removeLast();
      over = true;
    }
    return answers;
  }

  /** Current content of a buffer of the client. */
  public byte[] read(Buffer buffer) {
    return client.read(buffer);
  }

  /** True when the program has reported the end of the last call. */
  public boolean isOver() {
    return over;
  }

  @Override
  public void close() {
    closings.close();
  }
}
