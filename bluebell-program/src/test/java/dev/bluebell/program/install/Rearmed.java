package dev.bluebell.program.install;

import dev.bluebell.program.Buffer;
import dev.bluebell.program.Data;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.Program;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.plan.Counter;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** An installed program that its client makes ready for each call, that client, and its meaning. */
final class Rearmed implements AutoCloseable {
  final RearmingClient client;
  final Map<Data, Long> addresses;
  final Interpreter interpreter;

  private final Program program;
  private final Plan plan;
  private final ProtectionDomain own;
  private final Installation installation;

  /**
   * Installs a program.
   *
   * @param calls that its launcher starts
   * @param change of the bytes that are installed, and that the client writes
   */
  Rearmed(
      Device device,
      ProtectionDomain domain,
      Program program,
      Plan plan,
      int calls,
      UnaryOperator<ProgramImage> change) {
    this.program = program;
    this.plan = plan;
    own = device.allocateProtectionDomain();
    installation = Installation.installRearmed(device, domain, plan, calls, change);
    client = new RearmingClient(device, own, installation, plan, calls);
    client.connect(installation.endpoint());
    installation.connect(client.endpoint());
    addresses = installation.addresses(program);
    interpreter = new Interpreter(program, addresses);
  }

  /**
   * The answers that have come.
   *
   * @throws IllegalStateException when a request failed
   */
  List<byte[]> answers() {
    for (Counter counter : plan.counters()) {
      int unused = Completions.drain(installation.completions(counter));
    }
    return new ArrayList<>(client.take());
  }

  /** What is not in memory as the interpreter has it; empty when all is. */
  String complaint() {
    for (Data data : program.data()) {
      byte[] bytes =
          installation
              .region(plan.area(data.name()))
              .segment()
              .asSlice(0, data.bytes())
              .toArray(ValueLayout.JAVA_BYTE);
      if (!Arrays.equals(bytes, interpreter.read(data.bytes(0, data.bytes())))) {
        return "%s is not as it should be".formatted(data);
      }
    }
    for (Buffer buffer : program.buffers()) {
      if (!Arrays.equals(client.read(buffer), interpreter.read(buffer))) {
        return "%s of the client is not as it should be".formatted(buffer);
      }
    }
    return "";
  }

  @Override
  public void close() {
    client.close();
    installation.close();
    own.close();
  }
}
