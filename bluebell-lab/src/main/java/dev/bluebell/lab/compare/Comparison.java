package dev.bluebell.lab.compare;

import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.install.Client;
import dev.bluebell.program.install.Installation;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Calls a service in three ways, each with separate tables in their initial state, and measures the
 * time from the request to the last answer, without preparations. One thread at a time.
 */
public final class Comparison implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Device device;
  private final Stopwatch watch;
  private final ProtectionDomain host;
  private final ProtectionDomain client;

  /** The party that does the work of a call. */
  public enum Way {
    /** A program on the device of the host. */
    PROGRAM,
    /** The client, by READs and atomics. */
    ONE_SIDED,
    /** A thread of the host, which polls for messages. Its own work takes no virtual time. */
    TWO_SIDED
  }

  /**
   * Result of a call.
   *
   * @param answers the answers, in order
   * @param nanos time from the request to the last answer
   */
  public record Call(List<byte[]> answers, long nanos) {}

  /**
   * Creates a host and a client, as domains of one device.
   *
   * @param device device that runs when it is polled
   * @param byDeviceClock true to measure by the device's clock (virtual time), false by the
   *     machine's
   */
  public Comparison(Device device, boolean byDeviceClock) {
    this.device = device;
    watch = new Stopwatch(device, byDeviceClock);
    host = device.allocateProtectionDomain();
    client = device.allocateProtectionDomain();
  }

  /**
   * Calls a service. Waits for as many answers as the plain Java service gives, so a call without
   * answers takes no time.
   *
   * @param plan plan of the example's program
   * @throws IllegalStateException when a request fails, or no answer arrives
   */
  public Call call(Way way, Example example, Plan plan) {
    return switch (way) {
      case PROGRAM -> byProgram(example, plan);
      case ONE_SIDED -> oneSided(example);
      case TWO_SIDED -> twoSided(example);
    };
  }

  private Call byProgram(Example example, Plan plan) {
    try (Installation installation = Installation.install(device, host, plan);
        Client caller = new Client(device, client, plan)) {
      Map<Data, Long> addresses = installation.addresses(example.program());
      byte[] message = caller.encode(plan, example.inputs().apply(addresses));
      caller.connect(installation.endpoint());
      installation.connect(caller.endpoint());
      return exchange(caller, message, example.answers().apply(addresses).size());
    }
  }

  private Call exchange(Client caller, byte[] message, int count) {
    long before = watch.start();
    caller.send(message);
    List<byte[]> answers = caller.await(count, PATIENCE);
    return new Call(answers, watch.nanos(before, caller.answeredAt()));
  }

  private Call oneSided(Example example) {
    try (HostTables tables = new HostTables(host, example.program());
        RemoteTables remote = new RemoteTables(device, client, tables, host)) {
      Map<Input<?>, byte[]> inputs = example.inputs().apply(tables.addresses());
      long before = watch.start();
      List<byte[]> answers = example.routine().answer(inputs, remote);
      return new Call(answers, watch.nanos(before, remote.answeredAt()));
    }
  }

  private Call twoSided(Example example) {
    try (HostTables tables = new HostTables(host, example.program());
        Server server = new Server(device, host, example.program(), example.routine(), tables)) {
      byte[] message =
          Server.message(example.program(), example.inputs().apply(tables.addresses()));
      try (Client caller = new Client(device, client, message.length);
          ServerThread thread = new ServerThread(List.of(server))) {
        server.connect(caller.endpoint());
        caller.connect(server.endpoint());
        thread.start();
        return exchange(caller, message, example.answers().apply(tables.addresses()).size());
      }
    }
  }

  @Override
  public void close() {
    client.close();
    host.close();
  }
}
