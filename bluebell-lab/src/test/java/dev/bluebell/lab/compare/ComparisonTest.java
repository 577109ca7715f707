package dev.bluebell.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Interpreter;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.install.Client;
import dev.bluebell.program.install.Trial;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.offload.Offloads;
import dev.bluebell.program.plan.Model;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.option.Timing;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A program, several requests of a client and a server's processor give the same answers. Threads
 * of the host and of the client drive one device, so its clock is stopped.
 */
class ComparisonTest {
  private static final int EXAMPLES = Integer.getInteger("bluebell.offloads.examples", 8);
  private static final int IDLE_TURNS = 50;

  private Device device;
  private ProtectionDomain domain;
  private ProtectionDomain clientDomain;

  static List<Offload> all() {
    return Offloads.all();
  }

  @BeforeEach
  void open() {
    device =
        Device.over(
            SoftNic.open(
                SoftNicOptions.DEFAULT.withEngine(EngineMode.POLL).withClock(new ManualClock())));
    domain = device.allocateProtectionDomain();
    clientDomain = device.allocateProtectionDomain();
  }

  @AfterEach
  void close() {
    device.close();
  }

  @ParameterizedTest
  @MethodSource("all")
  void allThreeWaysGiveTheSameAnswersAndLeaveTheSameMemory(Offload offload) {
    for (int seed = 0; seed < EXAMPLES; seed++) {
      Example example = offload.example(seed);
      String what = "%s, seed %d".formatted(offload.name(), seed);
      byProgram(example, what);
      oneSided(example, what);
      twoSided(example, what);
    }
  }

  private void byProgram(Example example, String what) {
    var plan = Compiler.compile(example.program(), Target.CHECKED, Model.CONSERVATIVE);
    try (Trial trial = new Trial(device, domain, plan)) {
      Map<Data, Long> addresses = trial.addresses(example.program());
      agree(example, addresses, trial.call(example.inputs().apply(addresses)), what);
    }
  }

  private void oneSided(Example example, String what) {
    try (HostTables host = new HostTables(domain, example.program());
        RemoteTables remote = new RemoteTables(device, clientDomain, host, domain)) {
      Map<Input<?>, byte[]> inputs = example.inputs().apply(host.addresses());
      agree(example, host.addresses(), example.routine().answer(inputs, remote), what);
      leavesTheSame(example, host, what);
    }
  }

  private void twoSided(Example example, String what) {
    try (HostTables host = new HostTables(domain, example.program());
        Server server = new Server(device, domain, example.program(), example.routine(), host)) {
      Map<Input<?>, byte[]> inputs = example.inputs().apply(host.addresses());
      byte[] message = Server.message(example.program(), inputs);
      try (Client client = new Client(device, clientDomain, message.length)) {
        connect(client, server);
        client.send(message);
        rest(server);
        agree(example, host.addresses(), client.take(), what);
      }
      leavesTheSame(example, host, what);
    }
  }

  private static void connect(Client client, Server server) {
    server.connect(client.endpoint());
    client.connect(server.endpoint());
  }

  private void rest(Server server) {
    for (int idle = 0; idle < IDLE_TURNS; idle++) {
      if (server.poll() || device.progress() != 0) {
        idle = 0;
      }
    }
  }

  private static void agree(
      Example example, Map<Data, Long> addresses, List<byte[]> answers, String what) {
    assertThat(answers)
        .as(what)
        .usingRecursiveComparison()
        .isEqualTo(example.answers().apply(addresses));
  }

  private static void leavesTheSame(Example example, HostTables host, String what) {
    Interpreter interpreter = new Interpreter(example.program(), host.addresses());
    List<byte[]> unused = interpreter.call(example.inputs().apply(host.addresses()));
    for (Data data : example.program().data()) {
      assertThat(host.read(data))
          .as("%s of %s", data, what)
          .isEqualTo(interpreter.read(data.bytes(0, data.bytes())));
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void allThreeWaysAnswerWithAThreadOfTheHost(Offload offload) {
    try (Comparison comparison = new Comparison(device, false)) {
      Example example = offload.example(2);
      var plan = Compiler.compile(example.program(), Target.CHECKED, Model.CONSERVATIVE);
      int count = example.answers().apply(Map.of()).size();
      for (Comparison.Way way : Comparison.Way.values()) {
        assertThat(comparison.call(way, example, plan).answers()).as("%s", way).hasSize(count);
      }
    }
  }

  @Test
  void oneClientAtomicTakesItsModelledLatencyInVirtualTime() {
    try (Device timed =
            Device.over(SoftNic.open(SoftNicOptions.DEFAULT.withTiming(Timing.CONNECTX5)));
        Comparison comparison = new Comparison(timed, true)) {
      Example example = Offloads.named("fetch-add").orElseThrow().example(1);
      var plan = Compiler.compile(example.program(), Target.CHECKED, Model.CONSERVATIVE);
      long atomic = comparison.call(Comparison.Way.ONE_SIDED, example, plan).nanos();
      assertThat(atomic).isEqualTo(Math.round(Timing.CONNECTX5.get(Timing.Constant.FETCH_ADD)));
      long program = comparison.call(Comparison.Way.PROGRAM, example, plan).nanos();
      assertThat(program).isGreaterThan(atomic);
      assertThat(comparison.call(Comparison.Way.PROGRAM, example, plan).nanos()).isEqualTo(program);
    }
  }

  @Test
  void aClientCallsAServerAgainAndAgain() {
    Example example = Offloads.named("fetch-add").orElseThrow().example(3);
    try (HostTables host = new HostTables(domain, example.program());
        Server server = new Server(device, domain, example.program(), example.routine(), host)) {
      byte[] message = Server.message(example.program(), example.inputs().apply(host.addresses()));
      try (Client client = new Client(device, clientDomain, message.length)) {
        connect(client, server);
        for (int call = 0; call < 100; call++) {
          client.send(message);
          rest(server);
          assertThat(client.take()).hasSize(1);
        }
      }
    }
  }

  @Test
  void aServerDoesNotAnswerAMessageThatIsNoCall() {
    Example example = Offloads.named("hash-get-48").orElseThrow().example(3);
    try (HostTables host = new HostTables(domain, example.program());
        Server server = new Server(device, domain, example.program(), example.routine(), host)) {
      byte[] message = Server.message(example.program(), example.inputs().apply(host.addresses()));
      try (Client client = new Client(device, clientDomain, message.length)) {
        connect(client, server);
        client.send(new byte[3]);
        rest(server);
        assertThat(client.take()).isEmpty();
        // Pointers of 0 point outside of the tables.
        client.send(new byte[message.length]);
        rest(server);
        assertThat(client.take()).isEmpty();
      }
    }
  }

  @Test
  void anAdditionStaysInItsField() {
    Example example = Offloads.named("fetch-add").orElseThrow().example(3);
    Data count = example.program().data().getFirst();
    try (HostTables host = new HostTables(domain, example.program());
        RemoteTables remote = new RemoteTables(device, clientDomain, host, domain)) {
      long at = host.address(count);
      for (long fieldEnds : new long[] {0, 1L << 63, 1L << 5, 0x8000_0000_8000_0000L, -1}) {
        for (long addend : new long[] {0, 1, 8, 0x7fff_ffff, -1, 1L << 31}) {
          long before = remote.fetchAndAdd(at, 0);
          assertThat(remote.fetchAndAdd(at, addend, fieldEnds)).isEqualTo(before);
          long after = remote.fetchAndAdd(at, 0);
          assertThat(host.compareAndSwap(at, after, before)).isEqualTo(after);
          assertThat(host.fetchAndAdd(at, addend, fieldEnds)).isEqualTo(before);
          assertThat(remote.fetchAndAdd(at, 0))
              .as("%x + %x with ends %x", before, addend, fieldEnds)
              .isEqualTo(after);
        }
      }
    }
  }
}
