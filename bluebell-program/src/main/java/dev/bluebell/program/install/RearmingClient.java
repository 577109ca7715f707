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
 * Calls a program that it makes ready for each call itself: it writes rings, words and doorbell
 * record of the program, and sends its message behind that. One call at a time: the next may begin
 * when the program has said that the last one is over. One thread at a time.
 */
public final class RearmingClient implements AutoCloseable {
  private final Client client;
  private final Plan plan;
  private final Rearming rearming;
  private final MemoryRegion pieces;
  private final int most;
  private int calls;
  private boolean over = true;

  /**
   * Makes the client's queue pair.
   *
   * @param domain the client's
   * @param installation of {@link Installation#installRearmed}
   * @param plan of it
   * @param most how many calls its launcher starts
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public RearmingClient(
      Device device, ProtectionDomain domain, Installation installation, Plan plan, int most) {
    this.plan = plan;
    this.most = most;
    rearming = new Rearming(plan, installation.image());
    client = new Client(device, domain, plan.messageBytes());
    pieces = domain.allocate(bytesOfACall(), Access.LOCAL_WRITE);
  }

  /** What the program connects to. */
  public QueuePairEndpoint endpoint() {
    return client.endpoint();
  }

  /** Connects to the program. */
  public void connect(QueuePairEndpoint program) {
    client.connect(program);
  }

  /** Bytes that it writes before each call but the first. */
  public int bytesOfACall() {
    return rearming.before(1).stream().mapToInt(piece -> piece.bytes().length).sum();
  }

  /** WRITEs that it takes for that. */
  public int writesOfACall() {
    return rearming.before(1).size();
  }

  /**
   * Makes the program ready, and calls it.
   *
   * @throws IllegalStateException when the last call is not over, or the launcher has no further
   *     one
   */
  public void send(Map<Input<?>, byte[]> inputs) {
    if (!over) {
      throw new IllegalStateException("a call is under way; wait until it is over");
    }
    if (calls == most) {
      throw new IllegalStateException(
          "the program starts %d calls, and all were made; install it for more".formatted(most));
    }
    if (calls > 0) {
      rearm();
    }
    calls++;
    over = false;
    client.send(client.encode(plan, inputs));
  }

  // Requests of a reliable connection have their effect in order, so the message comes behind.
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
   * The answers that have come, in order.
   *
   * @throws IllegalStateException when a request failed; the message has what the device says of it
   */
  public List<byte[]> take() {
    List<byte[]> answers = new ArrayList<>(client.take());
    if (!answers.isEmpty() && answers.getLast().length == 0) {
      answers.removeLast();
      over = true;
    }
    return answers;
  }

  /** What a buffer of the client's holds now. */
  public byte[] read(Buffer buffer) {
    return client.read(buffer);
  }

  /** True when the program has said that the last call is over. */
  public boolean isOver() {
    return over;
  }

  @Override
  public void close() {
    pieces.close();
    client.close();
  }
}
