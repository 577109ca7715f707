package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.program.Buffer;
import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Right;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.offload.Offloads;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.VirtualTime;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A program confines a client's pointers to its tables, and is unchanged by requests that the
 * client may not send.
 */
class HostileClientTest {
  private static final int TABLE_BYTES = 64;
  private static final String[] REFUSALS = {"REMOTE_ACCESS_ERROR", "LOCAL_PROTECTION_ERROR"};

  private final Device device =
      Device.over(VirtualTime.open(SoftNicOptions.DEFAULT.withWqeChecks(false)));
  private final ProtectionDomain domain = device.allocateProtectionDomain();

  @AfterEach
  void close() {
    domain.close();
    device.close();
  }

  /** A program that reads, writes or sends at a client's pointer. */
  private static final class Pointers {
    final ProgramBuilder builder = new ProgramBuilder("pointers");
    final Input<Kind.Pointer> pointer = builder.pointer("pointer");
    final Data table = builder.data("table", TABLE_BYTES);
    final Data other = builder.data("other", TABLE_BYTES);
    final Program program;

    Pointers(int how) {
      switch (how) {
        case 0 -> builder.store(table, pointer, builder.cell("cell", 0x55));
        case 1 -> builder.set(other.number(0), builder.load(table, pointer).number(0, 8));
        default -> builder.respond(table, pointer, Long.BYTES);
      }
      program = builder.build();
    }
  }

  @Test
  void aPointerReachesItsTableAndNothingElse() {
    for (int how = 0; how < 3; how++) {
      Pointers source = new Pointers(how);
      Plan plan = Compiler.compile(source.program, Target.CHECKED, Model.CONSERVATIVE);
      for (int aim = 0; ; aim++) {
        try (Trial trial = new Trial(device, domain, plan);
            Trial bystander = new Trial(device, domain, plan)) {
          List<Long> aims = wild(List.of(trial, bystander), plan.area("table"));
          if (aim == aims.size()) {
            break;
          }
          byte[] message = plan.encode(Map.of(source.pointer, bytes(aims.get(aim))));
          endsWithAnErrorAndChangesNothing(trial, message, bystander);
        }
      }
    }
  }

  @ParameterizedTest
  @Tag("slow")
  @EnumSource(Target.class)
  void noServiceFollowsAPointerOutOfItsTable(Target target) {
    for (Offload offload : Offloads.all()) {
      Example example = offload.example(1);
      Plan plan = Compiler.compile(example.program(), target, Model.CONSERVATIVE);
      List<Input<?>> pointers =
          example.program().inputs().stream()
              .filter(input -> input.name().startsWith("bucket") || input.name().equals("head"))
              .toList();
      for (int aim = 0; !pointers.isEmpty(); aim++) {
        Area table = plan.area(pointers.size() == 1 ? "nodes" : "buckets");
        try (Trial trial = new Trial(device, domain, plan)) {
          List<Long> aims = wild(List.of(trial), table);
          if (aim == aims.size()) {
            break;
          }
          Map<Input<?>, byte[]> inputs =
              new HashMap<>(example.inputs().apply(trial.addresses(example.program())));
          byte[] address = bytes(aims.get(aim));
          pointers.forEach(pointer -> inputs.put(pointer, address));
          endsWithAnErrorAndLeavesItsData(trial, plan, inputs);
        }
      }
    }
  }

  @Test
  void aKeyThatAClientSendsNamesNothingOfTheProgram() {
    ProgramBuilder builder = new ProgramBuilder("written");
    Buffer buffer = builder.buffer("buffer", Long.BYTES);
    builder.respondInto(buffer, builder.cell("cell", 0x55));
    Plan plan = Compiler.compile(builder.build(), Target.CHECKED, Model.CONSERVATIVE);
    for (int region = 0; ; region++) {
      try (Trial trial = new Trial(device, domain, plan);
          Trial bystander = new Trial(device, domain, plan)) {
        List<MemoryRegion> regions = new ArrayList<>(trial.installation().regions());
        regions.addAll(bystander.installation().regions());
        regions.add(bystander.client().buffer());
        if (region == regions.size()) {
          break;
        }
        MemoryRegion aim = regions.get(region);
        ByteBuffer place = ByteBuffer.allocate(Buffer.PLACE_BYTES);
        place.putLong(aim.address()).putInt(aim.rkey());
        byte[] message = plan.encode(Map.of(buffer.place(), place.array()));
        endsWithAnErrorAndChangesNothing(trial, message, bystander);
      }
    }
  }

  @Test
  void aPointerInATableReachesOnlyTheTableThatTheProgramFollowsItIn() {
    ProgramBuilder builder = new ProgramBuilder("directory");
    Data directory = builder.data("directory", Long.BYTES);
    Data values = builder.data("values", TABLE_BYTES);
    Loaded entry = builder.load(directory, directory.pointer(0));
    builder.respond(values, entry.pointer(0), Long.BYTES);
    Plan plan = Compiler.compile(builder.build(), Target.CHECKED, Model.CONSERVATIVE);
    for (int aim = 0; ; aim++) {
      try (Trial trial = new Trial(device, domain, plan)) {
        List<Long> aims = wild(List.of(trial), plan.area("values"));
        if (aim == aims.size()) {
          break;
        }
        MemoryRegion region = trial.installation().region(plan.area("directory"));
        region.segment().copyFrom(MemorySegment.ofArray(bytes(aims.get(aim))));
        endsWithAnErrorAndLeavesItsData(trial, plan, Map.of());
      }
    }
  }

  @ParameterizedTest
  @Tag("slow")
  @EnumSource(Calls.class)
  void keysOfAProgramAreOfNoUseToAClient(Calls calls) {
    Pointers source = new Pointers(0);
    Plan plan = Compiler.compile(source.program, Target.CHECKED, Model.CONSERVATIVE, calls);
    for (int how = 0; how < 3; how++) {
      for (int region = 0; ; region++) {
        try (Trial trial = new Trial(device, domain, plan)) {
          List<MemoryRegion> regions = trial.installation().regions();
          if (region == regions.size()) {
            break;
          }
          List<byte[]> before = contents(trial);
          request(trial.client().pair(), how, regions.get(region), trial.client().buffer());
          Trial.rest(device);
          Completion completion = Objects.requireNonNull(trial.client().sends().poll());
          assertThat(completion.status()).isEqualTo(CompletionStatus.REMOTE_INVALID_REQUEST);
          assertThat(completion.explanation()).contains(List.of("rwe", "rre", "rae").get(how));
          assertThat(contents(trial)).usingRecursiveComparison().isEqualTo(before);
        }
      }
    }
  }

  private static void request(RcQueuePair client, int how, MemoryRegion to, MemoryRegion local) {
    int bytes = (int) Math.min(Long.BYTES, to.length());
    switch (how) {
      case 0 -> client.write(to.remote().slice(0, bytes)).gather(local, 0, bytes).signaled(1);
      case 1 -> client.read(to.remote().slice(0, bytes)).scatter(local, 0, bytes).signaled(1);
      default -> {
        // A doorbell record has 4 bytes; an atomic on it also covers the 4 bytes after it.
        RemoteMemory word = new RemoteMemory(to.address(), to.rkey(), Long.BYTES);
        client.fetchAndAdd(word, 1).scatter(local, 0).signaled(1);
      }
    }
    client.ringDoorbell();
  }

  @ParameterizedTest
  @EnumSource(Target.class)
  @Tag("slow")
  void messagesOfAnyLengthAndContentChangeOnlyWhatCallsMayChange(Target target) {
    Random random = new Random(13);
    for (Offload offload : Offloads.all()) {
      for (int round = 0; round < 4; round++) {
        Program program = offload.example(1).program();
        Calls calls = round == 0 ? Calls.MANY : Calls.ONE;
        Plan plan = Compiler.compile(program, target, Model.CONSERVATIVE, calls);
        byte[] message = new byte[random.nextInt(2 * plan.messageBytes() + 2)];
        random.nextBytes(message);
        try (Trial trial = new Trial(device, domain, plan);
            Trial bystander = new Trial(device, domain, plan)) {
          List<byte[]> before = contents(bystander);
          List<byte[]> fixed = fixed(trial, plan);
          try {
            trial.call(message);
          } catch (IllegalStateException failed) {
            assertThat(failed).hasMessageContaining("QP 0x");
          }
          assertThat(fixed(trial, plan)).usingRecursiveComparison().isEqualTo(fixed);
          assertThat(contents(bystander)).usingRecursiveComparison().isEqualTo(before);
        }
      }
    }
  }

  /** Contents of the data that no entry may change. */
  private static List<byte[]> fixed(Trial trial, Plan plan) {
    return plan.data().stream()
        .filter(data -> plan.rights(data).stream().noneMatch(Right::changes))
        .map(data -> content(trial.installation().region(data)))
        .toList();
  }

  /** Invalid addresses for a pointer to 8 bytes of a table of the first trial. */
  private static List<Long> wild(List<Trial> trials, Area table) {
    Trial trial = trials.getFirst();
    List<Long> aims = new ArrayList<>(List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE));
    MemoryRegion region = trial.installation().region(table);
    aims.add(region.address() - 1);
    aims.add(region.address() + region.length() - Long.BYTES + 1);
    aims.add(region.address() + region.length());
    for (Trial each : trials) {
      for (MemoryRegion memory : each.installation().regions()) {
        if (!memory.equals(region)) {
          aims.add(memory.address());
        }
      }
    }
    aims.add(trial.client().buffer().address());
    return aims;
  }

  private static void endsWithAnErrorAndChangesNothing(
      Trial trial, byte[] message, Trial bystander) {
    List<byte[]> theirs = contents(bystander);
    List<byte[]> before = contents(trial);
    assertThatThrownBy(() -> trial.call(message))
        .isInstanceOf(IllegalStateException.class)
        .message()
        .containsAnyOf(REFUSALS);
    List<byte[]> after = contents(trial);
    forgetMessage(trial, before);
    forgetMessage(trial, after);
    assertThat(after).usingRecursiveComparison().isEqualTo(before);
    assertThat(contents(bystander)).usingRecursiveComparison().isEqualTo(theirs);
  }

  /** Zeroes the memory that the receive entry scatters the message to. */
  private static void forgetMessage(Trial trial, List<byte[]> contents) {
    List<MemoryRegion> regions = trial.installation().regions();
    for (Queue queue : trial.installation().image().queues()) {
      byte[] entry = queue.receive() == null ? new byte[0] : queue.receive().slot(0);
      for (int at = 0; at < entry.length; at += DataSegment.BYTES) {
        for (int i = 0; i < regions.size(); i++) {
          if (regions.get(i).lkey() == (int) DataSegment.LKEY.get(entry, at)) {
            int from = (int) (DataSegment.ADDRESS.get(entry, at) - regions.get(i).address());
            int to = from + (int) DataSegment.BYTE_COUNT.get(entry, at);
            Arrays.fill(contents.get(i), from, to, (byte) 0);
          }
        }
      }
    }
  }

  private static void endsWithAnErrorAndLeavesItsData(
      Trial trial, Plan plan, Map<Input<?>, byte[]> inputs) {
    List<byte[]> before = data(trial, plan);
    assertThatThrownBy(() -> trial.call(inputs))
        .isInstanceOf(IllegalStateException.class)
        .message()
        .containsAnyOf(REFUSALS);
    assertThat(data(trial, plan)).usingRecursiveComparison().isEqualTo(before);
  }

  private static List<byte[]> data(Trial trial, Plan plan) {
    return plan.data().stream().map(data -> content(trial.installation().region(data))).toList();
  }

  private static List<byte[]> contents(Trial trial) {
    return trial.installation().regions().stream().map(HostileClientTest::content).toList();
  }

  private static byte[] content(MemoryRegion region) {
    return region.segment().toArray(ValueLayout.JAVA_BYTE);
  }

  private static byte[] bytes(long address) {
    return ByteBuffer.allocate(Long.BYTES).putLong(address).array();
  }
}
