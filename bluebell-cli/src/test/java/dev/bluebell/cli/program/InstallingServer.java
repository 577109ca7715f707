package dev.bluebell.cli.program;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bluebell.program.Program;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.install.Installation;
import dev.bluebell.program.offload.Offloads;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairEndpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

/**
 * A server process that installs a program for some clients, hands it over to the device process,
 * and then stays idle.
 */
public final class InstallingServer {
  private InstallingServer() {}

  /** Arguments: the device, the program, the seed of its tables, the number of clients. */
  public static void main(String[] arguments) throws IOException {
    Program program =
        Offloads.named(arguments[1]).orElseThrow().example(Long.parseLong(arguments[2])).program();
    Plan plan = Compiler.compile(program, Target.CHECKED, Model.CONSERVATIVE, Calls.MANY);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    Device device = Device.open(arguments[0]);
    ProtectionDomain domain = device.allocateProtectionDomain();
    List<Installation> installations = new ArrayList<>();
    for (int call = 0; call < Integer.parseInt(arguments[3]); call++) {
      Installation installation = Installation.install(device, domain, plan);
      installations.add(installation);
      System.out.println(installation.endpoint());
      installation.addresses(program).values().forEach(System.out::println);
    }
    for (Installation installation : installations) {
      installation.connect(QueuePairEndpoint.parse(in.readLine()));
    }
    long unused = device.handOver(program.name());
    System.out.println("handed over");
    // Waits until it is killed.
    String unusedLine = in.readLine();
  }
}
