package dev.bluebell.hca.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Text loses nothing, for any bytes. The seed of a failure is in its message. */
class RoundTripTest {
  private static final int ROUNDS = 60;
  private static final int[] SEND_OPCODES =
      IntStream.range(0, 256).filter(i -> !WqeOpcode.name(i).startsWith("0x")).toArray();
  private static final int[] COMMANDS =
      IntStream.range(0, 0x1000).filter(i -> !CommandOpcode.name(i).startsWith("0x")).toArray();

  @ParameterizedTest(name = "{0}")
  @EnumSource
  void anyBytesOfASendEntrySurvive(ServiceType type) {
    for (int seed = 0; seed < ROUNDS; seed++) {
      byte[] wqe = entry(new Random(seed));
      assertSurvives(seed, wqe, b -> WqeText.disassemble(b, type), WqeText::assemble);
    }
  }

  @ParameterizedTest(name = "terminated {0}")
  @ValueSource(booleans = {true, false})
  void anyBytesOfAReceiveEntrySurvive(boolean terminated) {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      byte[] wqe = sparse(random, random.nextInt(100));
      if (terminated && wqe.length >= 32) {
        Arrays.fill(wqe, 16, 32, (byte) 0);
        wqe[22] = 1;
      }
      assertSurvives(seed, wqe, ReceiveWqeText::disassemble, ReceiveWqeText::assemble);
      assertSurvives(seed, wqe, ReceiveWqeText::disassembleShared, ReceiveWqeText::assemble);
      assertSurvives(seed, wqe, ReceiveWqeText::disassembleSigned, ReceiveWqeText::assemble);
    }
  }

  @ParameterizedTest(name = "{0} bytes")
  @ValueSource(ints = {64, 128})
  void anyBytesOfACompletionSurvive(int size) {
    for (int seed = 0; seed < 2 * 256; seed++) {
      Random random = new Random(seed);
      byte[] cqe = sparse(random, size);
      cqe[size - 1] = (byte) seed;
      cqe[size - 24] = (byte) random.nextInt(3);
      assertSurvives(seed, cqe, CqeText::disassemble, CqeText::assemble);
    }
  }

  @ParameterizedTest(name = "up to {0} bytes")
  @ValueSource(ints = {20, 300, 600})
  void anyBytesOfACommandSurvive(int limit) {
    for (int seed = 0; seed < 2 * ROUNDS; seed++) {
      Random random = new Random(seed);
      int opcode =
          random.nextInt(4) == 0
              ? random.nextInt(0x10000)
              : COMMANDS[random.nextInt(COMMANDS.length)];
      int opMod = random.nextInt(4) == 0 ? random.nextInt(0x10000) : random.nextInt(0x50);
      byte[] command = sparse(random, random.nextInt(limit));
      if (command.length >= 8) {
        command[0] = (byte) (opcode >>> 8);
        command[1] = (byte) opcode;
        command[6] = (byte) (opMod >>> 8);
        command[7] = (byte) opMod;
      }
      assertSurvives(seed, command, CommandText::disassembleInput, CommandText::assemble);
      assertSurvives(
          seed,
          command,
          bytes -> CommandText.disassembleOutput(opcode, opMod, bytes),
          CommandText::assemble);
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      ints = {
        CommandOpcode.CREATE_QP,
        CommandOpcode.INIT2INIT_QP,
        CommandOpcode.RTS2RTS_QP,
      })
  void anyBytesOfAnExtendedCommandSurvive(int opcode) {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      byte[] command = sparse(random, 450 + random.nextInt(40));
      command[0] = (byte) (opcode >>> 8);
      command[1] = (byte) opcode;
      command[8] = (byte) (random.nextBoolean() ? 0x80 : 0);
      if (random.nextInt(3) == 0) {
        Arrays.fill(command, 272, 450, (byte) 0);
      }
      assertSurvives(seed, command, CommandText::disassembleInput, CommandText::assemble);
    }
  }

  @ParameterizedTest(name = "op_mod {0}")
  @ValueSource(ints = {0, 1, 2, 4, 6, 8, 0x18, 0x34, 0x40, 0x41, 0x1e})
  void anyCapabilitiesSurvive(int opMod) {
    for (int seed = 0; seed < 5; seed++) {
      Random random = new Random(seed);
      byte[] output = sparse(random, 16 + random.nextInt(4200));
      assertSurvives(
          seed,
          output,
          bytes -> CommandText.disassembleOutput(CommandOpcode.QUERY_HCA_CAP, opMod, bytes),
          CommandText::assemble);
    }
  }

  private static void assertSurvives(
      int seed,
      byte[] bytes,
      Function<byte[], String> disassemble,
      Function<String, byte[]> assemble) {
    byte[] before = bytes.clone();
    String text = disassemble.apply(bytes);
    try {
      assertThat(bytes).isEqualTo(before);
      assertThat(assemble.apply(text)).isEqualTo(bytes);
      assertThat(disassemble.apply(assemble.apply(text))).isEqualTo(text);
      assertThat(Decoder.encode(text)).isEqualTo(bytes);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage() + "\n" + text, e);
    }
  }

  // Most entries have a sensible control segment, so that the segments behind it are reached.
  private static byte[] entry(Random random) {
    byte[] wqe = sparse(random, random.nextInt(300));
    if (wqe.length >= 16 && random.nextInt(8) != 0) {
      wqe[3] = (byte) SEND_OPCODES[random.nextInt(SEND_OPCODES.length)];
      wqe[0] = (byte) (random.nextBoolean() ? 8 + random.nextInt(4) : 0);
      wqe[7] = (byte) (wqe.length / 16 - random.nextInt(2));
    }
    for (int at = 16; at + 16 <= wqe.length; at += 16) {
      if (random.nextInt(4) == 0) {
        wqe[at] = (byte) 0x80;
        wqe[at + 1] = 0;
        wqe[at + 2] = 0;
        wqe[at + 3] = (byte) random.nextInt(40);
      }
    }
    return wqe;
  }

  /** Random bytes of which a random share is zero. */
  private static byte[] sparse(Random random, int length) {
    byte[] bytes = new byte[length];
    int share = random.nextInt(5);
    for (int i = 0; i < length; i++) {
      if (random.nextInt(4) < share) {
        bytes[i] = (byte) random.nextInt(256);
      }
    }
    return bytes;
  }
}
