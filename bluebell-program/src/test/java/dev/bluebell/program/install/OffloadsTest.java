package dev.bluebell.program.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.program.Interpreter;
import dev.bluebell.program.Literal;
import dev.bluebell.program.Program;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.offload.CuckooGet;
import dev.bluebell.program.offload.HashGet;
import dev.bluebell.program.offload.HashGet.Probing;
import dev.bluebell.program.offload.IndirectRead;
import dev.bluebell.program.offload.ListWalk;
import dev.bluebell.program.offload.PageAllocate;
import dev.bluebell.program.offload.PageAllocate.Action;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The services give the same answers as the interpreter. */
class OffloadsTest {
  private static final int VALUE_BYTES = 64;

  @Test
  void aHashGetFindsKeysOfAllLengthsInParallelAndInSequence() {
    for (int keyBytes : new int[] {3, 6, 7, 8}) {
      for (Probing probing : Probing.values()) {
        for (int wanted = 1; wanted <= 5; wanted++) {
          HashGet get = new HashGet(keyBytes, VALUE_BYTES, 8, 2, probing);
          for (int i = 1; i <= 4; i++) {
            get.put(key(i, keyBytes), value(i));
          }
          byte[] key = key(wanted, keyBytes);
          Plan plan = Compiler.compile(get.program(), Target.CHECKED, Model.CONSERVATIVE);
          try (Host host = new Host(plan, SoftNicOptions.DEFAULT)) {
            List<byte[]> answers = host.call(get.call(key, host.addresses(get.program())));
            List<byte[]> expected = wanted <= 4 ? List.of(value(wanted)) : List.of();
            assertThat(answers)
                .as("%s, key %d of %d bytes", probing, wanted, keyBytes)
                .usingRecursiveComparison()
                .isEqualTo(expected);
          }
        }
      }
    }
  }

  @Test
  void aListWalkFindsAKeyWhereverItIs() {
    for (int wanted = 1; wanted <= 9; wanted++) {
      ListWalk walk = new ListWalk(6, VALUE_BYTES, 8);
      for (int i = 1; i <= 8; i++) {
        walk.add(key(i, 6), value(i));
      }
      Plan plan = Compiler.compile(walk.program(), Target.CHECKED, Model.CONSERVATIVE);
      try (Host host = new Host(plan, SoftNicOptions.DEFAULT)) {
        var addresses = host.addresses(walk.program());
        var inputs = walk.call(key(wanted, 6), addresses);
        List<byte[]> answers = new ArrayList<>(host.call(inputs));
        assertThat(answers)
            .usingRecursiveComparison()
            .isEqualTo(new Interpreter(walk.program(), addresses).call(inputs));
        assertThat(answers).hasSize(wanted <= 8 ? 1 : 0);
      }
    }
  }

  @Test
  void anIndirectReadFollowsTheDirectory() {
    for (int entry = 0; entry < 4; entry++) {
      IndirectRead read = new IndirectRead(4, VALUE_BYTES);
      for (int i = 0; i < 4; i++) {
        read.put(i, value(i));
      }
      Plan plan = Compiler.compile(read.program(), Target.CHECKED, Model.CONSERVATIVE);
      try (Host host = new Host(plan, SoftNicOptions.DEFAULT)) {
        assertThat(host.call(read.call(entry)))
            .usingRecursiveComparison()
            .isEqualTo(List.of(value(entry)));
      }
    }
  }

  @Test
  void aRingOfOnePageGivesItOutOnce() {
    PageAllocate pages = new PageAllocate(Action.TAKE, 0, VALUE_BYTES, 0, 1);
    Program program = pages.program();
    Plan plan = Compiler.compile(program, Target.CHECKED, Model.CONSERVATIVE, Calls.MANY);
    try (Host host = new Host(plan, SoftNicOptions.DEFAULT)) {
      long page = Objects.requireNonNull(host.addresses(program).get(pages.pages()));
      for (long expected : new long[] {page, 0, 0}) {
        assertThat(host.call(pages.call(0)))
            .containsExactly(ByteBuffer.allocate(Long.BYTES).putLong(expected).array());
      }
    }
  }

  @Test
  void aTableRefusesValuesOfAnotherLength() {
    byte[] key = key(1, 6);
    CuckooGet cuckoo = new CuckooGet(6, VALUE_BYTES, 8);
    HashGet hash = new HashGet(6, VALUE_BYTES, 8, 2, Probing.PARALLEL);
    ListWalk list = new ListWalk(6, VALUE_BYTES, 8);
    IndirectRead directory = new IndirectRead(4, VALUE_BYTES);
    for (int bytes : new int[] {0, VALUE_BYTES - 1, VALUE_BYTES + 1}) {
      byte[] value = new byte[bytes];
      for (ThrowingCallable put :
          List.<ThrowingCallable>of(
              () -> cuckoo.put(key, value),
              () -> hash.put(key, value),
              () -> list.add(key, value),
              () -> directory.put(1, value))) {
        assertThatIllegalArgumentException()
            .isThrownBy(put)
            .withMessage("a value has 64 bytes, not " + bytes);
      }
    }
  }

  @Test
  void theKeyThatStandsForNothingIsNotAskedFor() {
    byte[] zero = new byte[6];
    CuckooGet cuckoo = new CuckooGet(6, VALUE_BYTES, 8);
    HashGet hash = new HashGet(6, VALUE_BYTES, 8, 2, Probing.PARALLEL);
    ListWalk list = new ListWalk(6, VALUE_BYTES, 8);
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> cuckoo.call(zero, Map.of()),
            () -> hash.call(zero, Map.of()),
            () -> list.call(zero, Map.of()))) {
      assertThatIllegalArgumentException()
          .isThrownBy(call)
          .withMessageStartingWith("a key has 6 bytes and is not 0, which stands for ");
    }
  }

  private static byte[] key(int number, int bytes) {
    byte[] key = Literal.number(number, bytes).content();
    key[bytes - 1] = (byte) 0xa5;
    return key;
  }

  private static byte[] value(int number) {
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) number);
    return value;
  }
}
