package dev.bluebell.program.install;

import dev.bluebell.program.Buffer;
import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Program;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.plan.Counter;
import dev.bluebell.program.plan.ImageBuilder;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.Placement;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A program on a device, and a client with a domain of its own on the same device. For devices that
 * run when they are polled ({@code soft:engine=poll}): a call ends when the device is idle. Not
 * thread-safe.
 */
public final class Trial implements AutoCloseable {
  // A device that draws pauses may do nothing in some turns before it continues.
  private static final int IDLE_TURNS = 500;
  private static final int MAX_TURNS = 1_000_000;

  private final Device device;
  private final Plan plan;
  private final Closings closings = new Closings();
  private final Installation installation;
  private final Client client;

  /**
   * Installs a program and connects the client.
   *
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public Trial(Device device, ProtectionDomain domain, Plan plan) {
    this(device, domain, plan, placement -> ImageBuilder.build(plan, placement), Integer.MAX_VALUE);
  }

  /**
   * As {@link #Trial(Device, ProtectionDomain, Plan)}, with other bytes.
   *
   * @param room number of answers that the client can hold
   */
  Trial(
      Device device,
      ProtectionDomain domain,
      Plan plan,
      Function<Placement, ProgramImage> bytes,
      int room) {
    this.device = device;
    this.plan = plan;
    try {
      installation = Installation.install(device, domain, plan, bytes);
      closings.add(installation::close);
      ProtectionDomain own = device.allocateProtectionDomain();
      closings.add(own::close);
      // Tests send messages that the program does not expect.
      int messageBytes = Math.max(Client.MAX_ANSWER_BYTES, plan.messageBytes());
      client = new Client(device, own, plan, 0, messageBytes, room);
      closings.add(client::close);
      client.connect(installation.endpoint());
      installation.connect(client.endpoint());
    } catch (RuntimeException | Error e) {
      closings.closeAfter(e);
      throw e;
    }
  }

  /** Addresses of the program's data. */
  public Map<Data, Long> addresses(Program program) {
    return installation.addresses(program);
  }

  /**
   * Sends the client's message, and runs the device until it is idle.
   *
   * @return the answers, in order
   * @throws IllegalStateException when a request of the program or of the client fails, or the
   *     device does not become idle; the message has the device's explanation
   */
  public List<byte[]> call(Map<Input<?>, byte[]> inputs) {
    return call(client.encode(plan, inputs));
  }

  /** As {@link #call(Map)}, with any message. */
  List<byte[]> call(byte[] message) {
    if (!client.take().isEmpty()) {
      throw new IllegalStateException("the program answered before it was called");
    }
    client.send(message);
    rest(device);
    return answers();
  }

  /** Sends the client's message. */
  public void send(Map<Input<?>, byte[]> inputs) {
    send(plan, inputs);
  }

  /** As {@link #send(Map)}, with inputs of another plan that has the same code. */
  public void send(Plan same, Map<Input<?>, byte[]> inputs) {
    send(client.encode(same, inputs));
  }

  /** As {@link #send(Map)}, with an encoded message. */
  public void send(byte[] message) {
    client.send(message);
  }

  /**
   * Takes the answers that have arrived, in order.
   *
   * @throws IllegalStateException when a request of the program or of the client failed; the
   *     message has the device's explanation
   */
  public List<byte[]> answers() {
    for (Counter counter : plan.counters()) {
      int unused = Completions.drain(installation.completions(counter));
    }
    if (plan.lanes().stream().anyMatch(Lane::isLoop)) {
      installation
          .failure()
          .ifPresent(
              why -> {
                throw new IllegalStateException(why);
              });
    }
    return client.take();
  }

  /**
   * Runs a device until it is idle.
   *
   * @throws IllegalStateException when it does not become idle
   */
  public static void rest(Device device) {
    int idle = 0;
    for (int turn = 0; idle < IDLE_TURNS; turn++) {
      if (turn == MAX_TURNS) {
        throw new IllegalStateException("the device does not come to rest: it runs endlessly");
      }
      idle = device.progress() == 0 ? idle + 1 : 0;
    }
  }

  /** Current content of data of the program. */
  public byte[] read(Data data) {
    return installation
        .region(plan.area(data.name()))
        .segment()
        .asSlice(0, data.bytes())
        .toArray(ValueLayout.JAVA_BYTE);
  }

  /** Current content of a buffer of the client. */
  public byte[] read(Buffer buffer) {
    return client.read(buffer);
  }

  Client client() {
    return client;
  }

  /** The installed program. */
  public Installation installation() {
    return installation;
  }

  @Override
  public void close() {
    closings.close();
  }
}
