package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.program.Buffer;
import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.HashGet;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Use of a client's queues by a client of a NIC program. */
class ClientTest {
  private static final int CALLS = 50;

  @Test
  void aClientThatFindsEachAnswerAtOnceMakesAnyNumberOfCalls() {
    SoftNic nic =
        SoftNic.open(
            SoftNicOptions.DEFAULT.withEngine(EngineMode.STEPPED).withClock(new ManualClock()));
    try (Device device = Device.over(nic);
        ProtectionDomain domain = device.allocateProtectionDomain();
        Client client = new Client(device, domain, 8);
        CompletionQueue completions = device.createCompletionQueue(4 * CALLS);
        MemoryRegion memory = domain.allocate(64, Access.LOCAL_WRITE);
        RcQueuePair program =
            domain.rcQueuePair(completions).sendQueue(CALLS).receiveQueue(CALLS).create()) {
      client.connect(program.endpoint());
      program.connect(client.endpoint());
      for (int call = 0; call < CALLS; call++) {
        program.receive().scatter(memory, 0, 8).post(call);
        program.ringReceiveDoorbell();
        client.send(new byte[] {1, 2, 3, 4, 5, 6, 7, (byte) call});
        settle(nic);
        program.send().gather(memory, 0, 8).signaled(call);
        program.ringDoorbell();
        settle(nic);
        assertThat(client.await(1, Duration.ZERO).getFirst()).endsWith((byte) call);
      }
    }
  }

  @Test
  void aClientMakesAnyNumberOfCallsThatHaveNoAnswer() {
    SoftNic nic =
        SoftNic.open(
            SoftNicOptions.DEFAULT.withEngine(EngineMode.STEPPED).withClock(new ManualClock()));
    HashGet empty = new HashGet(6, 64, 4, 1, HashGet.Probing.SEQUENTIAL);
    Plan plan = Compiler.compile(empty.program(), Target.CHECKED, Model.CONSERVATIVE, Calls.MANY);
    try (Device device = Device.over(nic);
        ProtectionDomain domain = device.allocateProtectionDomain();
        Installation gets = Installation.install(device, domain, plan);
        Client client = new Client(device, domain, plan)) {
      client.connect(gets.endpoint());
      gets.connect(client.endpoint());
      byte[] message =
          client.encode(
              plan, empty.call(new byte[] {1, 2, 3, 4, 5, 6}, gets.addresses(empty.program())));
      for (int call = 0; call < 2 * CALLS; call++) {
        client.send(message);
        assertThatIllegalStateException()
            .isThrownBy(() -> client.await(0, Duration.ZERO))
            .withMessage("the message was not acknowledged within 0 s");
        settle(nic);
        assertThat(client.await(0, Duration.ZERO)).isEmpty();
      }
    }
  }

  /** A client, and a queue pair that answers it in place of a program. */
  private static final class Wired implements AutoCloseable {
    final SoftNic nic =
        SoftNic.open(
            SoftNicOptions.DEFAULT.withEngine(EngineMode.STEPPED).withClock(new ManualClock()));
    private final Device device = Device.over(nic);
    private final ProtectionDomain domain = device.allocateProtectionDomain();
    final Client client = new Client(device, domain, 8);
    private final CompletionQueue completions = device.createCompletionQueue(16);
    final RcQueuePair program = domain.rcQueuePair(completions).sendQueue(16).create();

    Wired() {
      client.connect(program.endpoint());
      program.connect(client.endpoint());
    }

    @Override
    public void close() {
      program.close();
      completions.close();
      client.close();
      domain.close();
      device.close();
    }
  }

  @Test
  void answersThatArriveBeforeATimeoutAreReturnedByLaterCalls() {
    try (Wired wired = new Wired()) {
      Client client = wired.client;
      RcQueuePair program = wired.program;
      answer(wired.nic, program, 1, 2);
      assertThatIllegalStateException()
          .isThrownBy(() -> client.await(3, Duration.ofMillis(10)))
          .withMessageStartingWith("2 of 3 answers arrived within 0.01 s;")
          .withMessageContaining("ask Installation.failure()");
      assertThat(client.await(1, Duration.ZERO)).containsExactly(new byte[] {1});
      answer(wired.nic, program, 3);
      assertThat(client.await(2, Duration.ZERO)).containsExactly(new byte[] {2}, new byte[] {3});
      answer(wired.nic, program, 4);
      assertThatIllegalStateException().isThrownBy(() -> client.await(2, Duration.ZERO));
      answer(wired.nic, program, 5);
      assertThat(client.take()).containsExactly(new byte[] {4}, new byte[] {5});
    }
  }

  private static void answer(SoftNic nic, RcQueuePair program, int... answers) {
    for (int answer : answers) {
      program.send().inline(new byte[] {(byte) answer}, 0, 1).signaled(answer);
    }
    program.ringDoorbell();
    settle(nic);
  }

  @Test
  void aReportOfAWriteToABufferThatTheClientDoesNotHaveIsAnError() {
    try (Wired wired = new Wired()) {
      Client client = wired.client;
      RcQueuePair program = wired.program;
      for (int buffer : new int[] {Client.MAX_ANSWERS, Integer.MAX_VALUE, -1}) {
        program.writeImmediate(0, 0, buffer).signaled(1);
        program.ringDoorbell();
        settle(wired.nic);
        assertThatIllegalStateException()
            .isThrownBy(client::take)
            .withMessageContaining(
                "the service reported a write of 0 bytes to buffer %s; this client has 16 buffers",
                Integer.toUnsignedString(buffer));
      }
    }
  }

  @Test
  void aSecondCallOfAProgramForOneCallIsRefused() {
    ProgramBuilder builder = new ProgramBuilder("echo");
    Input<Kind.Number> number = builder.number("number", 8);
    builder.respond(number);
    Plan plan = Compiler.compile(builder.build(), Target.CHECKED, Model.CONSERVATIVE);
    try (Host host = new Host(plan, SoftNicOptions.DEFAULT)) {
      assertThat(host.call(Map.of(number, new byte[8]))).hasSize(1);
      assertThatIllegalStateException()
          .isThrownBy(() -> host.call(Map.of(number, new byte[8])))
          .withMessage(
              "echo is compiled for one call, which this client has sent: compile it with"
                  + " Calls.MANY");
    }
  }

  @Test
  void aMessageThatTheProgramCannotTakeIsRefused() {
    ProgramBuilder builder = new ProgramBuilder("echo");
    Input<Kind.Bytes> flag = builder.bytes("flag", 1);
    builder.respond(flag);
    Plan plan = Compiler.compile(builder.build(), Target.CHECKED, Model.CONSERVATIVE);
    try (Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
        ProtectionDomain domain = device.allocateProtectionDomain();
        Client client = new Client(device, domain, plan)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> client.send(new byte[2]))
          .withMessage("a message of 2 bytes; this client sends at most 1");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> client.send(new byte[0]))
          .withMessage(
              "a message of 0 bytes; the program's has 1, and it would use the missing ones of the"
                  + " message before");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> client.encode(plan, Map.of()))
          .withMessage("input flag of echo is missing: give it 1 byte");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> client.encode(plan, Map.of(flag, new byte[2])))
          .withMessage("input flag of echo has 2 bytes: give it 1 byte");
    }
  }

  @Test
  void aTrialReturnsAllAnswersOfACallHoweverManyAndLong() {
    ProgramBuilder builder = new ProgramBuilder("answers");
    Data data = builder.data("data", 5000).put(4999, (byte) 7);
    for (int i = 0; i < 17; i++) {
      builder.respond(data.bytes(4999 - i, 1));
    }
    builder.respond(data.bytes(0, 5000));
    Plan plan = Compiler.compile(builder.build(), Target.CHECKED, Model.CONSERVATIVE, Calls.MANY);
    try (Device device = Device.open("soft:engine=poll");
        ProtectionDomain domain = device.allocateProtectionDomain();
        Trial trial = new Trial(device, domain, plan)) {
      for (int call = 0; call < 2; call++) {
        List<byte[]> answers = trial.call(Map.of());
        assertThat(answers).hasSize(18);
        assertThat(answers.getFirst()).containsExactly(7);
        assertThat(answers.getLast()).hasSize(5000).endsWith(7);
      }
    }
  }

  @Test
  void aClientThatCannotHoldTheAnswersOfAProgramRefusesToCallIt() {
    ProgramBuilder builder = new ProgramBuilder("long");
    builder.respond(builder.data("data", 5000).bytes(0, 5000));
    Plan plan = Compiler.compile(builder.build(), Target.CHECKED, Model.CONSERVATIVE);
    try (Device device = Device.over(VirtualTime.open(SoftNicOptions.DEFAULT));
        ProtectionDomain domain = device.allocateProtectionDomain();
        Client client = new Client(device, domain, plan.messageBytes())) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> client.encode(plan, Map.of()))
          .withMessage(
              "long has up to 1 answer of up to 5000 bytes; this client holds 16 of at most 4096:"
                  + " create it with the plan, not with the length of the message");
    }
  }

  @Test
  void aClientHasAllBuffersOfAProgram() {
    ProgramBuilder builder = new ProgramBuilder("buffers");
    Data data = builder.data("data", 8).put(0, (byte) 7);
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < 17; i++) {
      buffers.add(builder.buffer("buffer" + i, 8));
      builder.writeInto(buffers.getLast(), data.bytes(0, 8));
    }
    builder.respond(data.bytes(0, 1));
    Plan plan = Compiler.compile(builder.build(), Target.CHECKED, Model.CONSERVATIVE);
    try (Device device = Device.open("soft:engine=poll");
        ProtectionDomain domain = device.allocateProtectionDomain();
        Trial trial = new Trial(device, domain, plan)) {
      assertThat(trial.call(Map.of())).hasSize(1);
      assertThat(trial.read(buffers.getLast())).startsWith(7);
    }
  }

  private static void settle(SoftNic nic) {
    while (nic.step() > 0) {}
  }
}
