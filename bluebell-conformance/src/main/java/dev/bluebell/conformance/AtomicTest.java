package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.WorkOpcode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compare-and-swap and fetch-and-add. */
@Conformance
class AtomicTest {

  @Test
  void aCompareAndSwapThatMatchesSwapsAndReturnsTheOldValue(Bench bench) {
    Ends ends = bench.connected();
    Buffer word = ends.right().buffer(24).fill(1);
    Buffer result = ends.left().buffer(24).fill(2);
    word.putLong(8, 0x1122334455667788L);
    byte[] before = word.bytes();
    byte[] resultBefore = result.bytes();
    compareAndSwap(ends, word, 8, 0x1122334455667788L, 0x99aabbccddeeff00L, result, 8);
    Done done = ends.left().awaitSuccess(1);
    assertThat(done.opcode()).isEqualTo(WorkOpcode.COMPARE_AND_SWAP);
    assertThat(done.byteCount()).isEqualTo(8);
    assertThat(result.getLong(8)).isEqualTo(0x1122334455667788L);
    assertThat(word.getLong(8)).isEqualTo(0x99aabbccddeeff00L);
    word.expect(before, 8, word.bytes(8, 8));
    result.expect(resultBefore, 8, result.bytes(8, 8));
  }

  @Test
  void aCompareAndSwapThatDoesNotMatchChangesNothingAndSucceeds(Bench bench) {
    Ends ends = bench.connected();
    Buffer word = ends.right().buffer(24).fill(1);
    Buffer result = ends.left().buffer(8);
    word.putLong(16, 5);
    byte[] before = word.bytes();
    compareAndSwap(ends, word, 16, 6, 7, result, 0);
    ends.left().awaitSuccess(1);
    assertThat(result.getLong(0)).isEqualTo(5);
    assertThat(word.bytes()).isEqualTo(before);
  }

  @Test
  void aFetchAndAddAddsModulo2To64AndReturnsTheOldValue(Bench bench) {
    Ends ends = bench.connected();
    Buffer word = ends.right().buffer(8);
    Buffer result = ends.left().buffer(8);
    word.putLong(0, -2);
    ends.left().fetchAndAdd(word, 0, 5, result, 0, 1);
    Done done = ends.left().awaitSuccess(1);
    assertThat(done.opcode()).isEqualTo(WorkOpcode.FETCH_AND_ADD);
    assertThat(done.byteCount()).isEqualTo(8);
    assertThat(result.getLong(0)).isEqualTo(-2);
    assertThat(word.getLong(0)).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
  @ExpectsRefusal
  void anAtomicAtAnAddressThatIsNoMultipleOfEightIsRefused(int offset, Bench bench) {
    Ends ends = bench.connected();
    Buffer word = ends.right().buffer(24).fill(1);
    byte[] before = word.bytes();
    Buffer result = ends.left().buffer(8);
    ends.left().fetchAndAdd(word, offset, 1, result, 0, 1);
    ends.left()
        .awaitOne(
            1,
            CompletionStatus.REMOTE_INVALID_REQUEST,
            "address 0x%x".formatted(word.address(offset)),
            "multiple of 8");
    assertThat(word.bytes()).isEqualTo(before);
    assertThat(result.getLong(0)).isZero();
  }

  @Test
  void theResultMayLandAtAnyAddress(Bench bench) {
    Ends ends = bench.connected();
    Buffer word = ends.right().buffer(8);
    Buffer result = ends.left().buffer(24);
    word.putLong(0, 0x0102030405060708L);
    ends.left().fetchAndAdd(word, 0, 1, result, 5, 1);
    ends.left().awaitSuccess(1);
    assertThat(result.getLong(5)).isEqualTo(0x0102030405060708L);
  }

  @Test
  void additionsOfTwoQueuePairsAreAllCounted(Bench bench) {
    Ends one = bench.connected();
    Ends other = bench.connected();
    Buffer word = one.right().buffer(8);
    Buffer otherKey =
        new Buffer(other.right().domain().register(word.region().segment(), Access.rights()));
    Buffer results = one.left().buffer(8 * 60);
    Buffer otherResults = other.left().buffer(8 * 60);
    for (int i = 0; i < 60; i++) {
      one.left().fetchAndAdd(word, 0, 1, results, 8L * i, i);
      other.left().fetchAndAdd(otherKey, 0, 1, otherResults, 8L * i, i);
    }
    one.left().await(60);
    other.left().await(60);
    assertThat(word.getLong(0)).isEqualTo(120);
    List<Long> seen = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      seen.add(results.getLong(8L * i));
      seen.add(otherResults.getLong(8L * i));
    }
    assertThat(seen).doesNotHaveDuplicates().allMatch(value -> value >= 0 && value < 120);
  }

  private static void compareAndSwap(
      Ends ends, Buffer word, long offset, long compare, long swap, Buffer result, long at) {
    ends.left()
        .queuePair()
        .compareAndSwap(word.remote(offset), compare, swap)
        .scatter(result.region(), at)
        .signaled(1);
    ends.left().queuePair().ringDoorbell();
  }
}
