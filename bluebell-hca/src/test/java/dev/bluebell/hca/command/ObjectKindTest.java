package dev.bluebell.hca.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicIn;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicOut;
import dev.bluebell.hca.command.MemoryCommands.DeallocMemicIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Compares the table of object kinds with the layouts of the commands. */
class ObjectKindTest {

  private static Stream<Integer> opcodes(ObjectKind kind) {
    return Stream.concat(Stream.of(kind.create()), later(kind));
  }

  /** The opcodes of commands about an object that is there. */
  private static Stream<Integer> later(ObjectKind kind) {
    return Stream.of(kind.query(), kind.modify(), Set.of(kind.destroy())).flatMap(Set::stream);
  }

  private static CommandFormat format(int opcode) {
    return CommandFormat.of(opcode).orElseThrow();
  }

  private static boolean hasNumber(Structure structure) {
    return structure.fields().stream()
        .anyMatch(
            field ->
                field.bit() == ObjectKind.NUMBER.bit()
                    && field.width() == ObjectKind.NUMBER.width());
  }

  /** The names of all fields of a structure and of those inside it. */
  private static Stream<String> fields(Structure structure) {
    return Stream.concat(
        structure.fields().stream().map(Field::name),
        structure.areas().stream().flatMap(area -> fields(area.structure())));
  }

  @Test
  void everyCommandBelongsToOneKindAndDoesOneThing() {
    assertThat(Stream.of(ObjectKind.values()).flatMap(ObjectKindTest::opcodes))
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void everyCommandHasALayout(ObjectKind kind) {
    assertThat(opcodes(kind))
        .allSatisfy(opcode -> assertThat(CommandFormat.of(opcode)).as("0x%x", opcode).isPresent());
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "DEVICE_MEMORY")
  void theAnswerAndEveryCommandAboutAnObjectHaveItsNumber(ObjectKind kind) {
    assertThat(hasNumber(format(kind.create()).output())).isTrue();
    assertThat(later(kind)).allMatch(opcode -> hasNumber(format(opcode).input()));
  }

  @ParameterizedTest
  @EnumSource
  void eachFieldNameIsInACommandAndBelongsToOneKind(ObjectKind kind) {
    Set<String> inCommands = new HashSet<>();
    for (int opcode = 0; opcode < 0x1000; opcode++) {
      CommandFormat.of(opcode).ifPresent(known -> fields(known.input()).forEach(inCommands::add));
    }
    assertThat(inCommands).containsAll(kind.names());
    assertThat(kind.names())
        .allSatisfy(name -> assertThat(ObjectKind.namedBy(name)).hasValue(kind));
  }

  @ParameterizedTest
  @EnumSource
  void aKindUsesOnlyKindsBelowIt(ObjectKind kind) {
    assertThat(fields(format(kind.create()).input()))
        .allSatisfy(
            name ->
                assertThat(ObjectKind.namedBy(name))
                    .as(name)
                    .satisfies(
                        used ->
                            assertThat(used.map(Enum::ordinal).orElse(Integer.MAX_VALUE))
                                .isGreaterThan(kind.ordinal())));
  }

  @ParameterizedTest
  @EnumSource
  void aKindIsFoundByTheCommandThatCreatesIt(ObjectKind kind) {
    assertThat(ObjectKind.createdBy(kind.create())).hasValue(kind);
    assertThat(later(kind)).allMatch(opcode -> ObjectKind.createdBy(opcode).isEmpty());
  }

  @Test
  void aFieldThatNamesNoObjectHasNoKind() {
    assertThat(ObjectKind.namedBy("opcode")).isEmpty();
    // A memory key that is bound to no queue pair has 0xffffff here.
    assertThat(ObjectKind.namedBy(Mkc.QPN.name())).isEmpty();
  }

  @Test
  void clientsMakeNoObjectThatTheKernelHandsOut() {
    assertThat(ObjectKind.values())
        .filteredOn(kind -> !kind.isMadeByClients())
        .containsExactlyInAnyOrder(ObjectKind.DEVICE_MEMORY, ObjectKind.UAR_PAGE, ObjectKind.UMEM);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "DEVICE_MEMORY")
  void anObjectIsDestroyedByTheNumberInTheAnswer(ObjectKind kind) {
    CommandFormat created = format(kind.create());
    View command = View.command(created.input(), kind.create());
    View answer = View.of(created.output()).set(ObjectKind.NUMBER, 0xabcdef);
    byte[] expected =
        View.command(format(kind.destroy()).input(), kind.destroy())
            .set(ObjectKind.NUMBER, 0xabcdef)
            .bytes();
    assertThat(kind.number(answer)).isEqualTo(0xabcdef);
    assertThat(kind.destruction(command, answer)).isEqualTo(expected);
  }

  @Test
  void deviceMemoryIsFreedByItsAddressAndSize() {
    View command =
        View.command(AllocMemicIn.STRUCTURE, CommandOpcode.ALLOC_MEMIC)
            .set(AllocMemicIn.MEMIC_SIZE, 4096);
    View answer =
        View.of(AllocMemicOut.STRUCTURE).set(AllocMemicOut.MEMIC_START_ADDR, 0x7000_3000L);
    View freed = View.over(ObjectKind.DEVICE_MEMORY.destruction(command, answer));
    assertThat(ObjectKind.DEVICE_MEMORY.number(answer)).isEqualTo(0x7000_3000);
    assertThat(freed.getInt(CmdIn.OPCODE)).isEqualTo(CommandOpcode.DEALLOC_MEMIC);
    assertThat(freed.get(DeallocMemicIn.MEMIC_START_ADDR)).isEqualTo(0x7000_3000L);
    assertThat(freed.get(DeallocMemicIn.MEMIC_SIZE)).isEqualTo(4096);
  }
}
