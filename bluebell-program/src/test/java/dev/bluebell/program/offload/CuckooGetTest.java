package dev.bluebell.program.offload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.program.Data;
import dev.bluebell.program.Interpreter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A cuckoo table keeps every inserted key, and rejects a key that it can't keep. */
class CuckooGetTest {
  private static final int KEY_BYTES = 6;
  private static final int VALUE_BYTES = 8;
  private static final int BUCKETS = 16;

  @Test
  void everyKeyThatWasTakenIsFoundAfterAllTheMoves() {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      CuckooGet get = new CuckooGet(KEY_BYTES, VALUE_BYTES, BUCKETS);
      List<byte[]> taken = new ArrayList<>();
      List<byte[]> refused = new ArrayList<>();
      while (taken.size() + refused.size() < 2 * BUCKETS) {
        byte[] key = bytes(KEY_BYTES, random);
        (get.put(key, value(key)) ? taken : refused).add(key);
      }
      // A table that never moves a key fills up much earlier.
      assertThat(taken).as("seed %d", seed).hasSizeGreaterThan(BUCKETS / 2);
      for (byte[] key : taken) {
        assertThat(find(get, key)).as("seed %d", seed).containsExactly(value(key));
      }
      for (byte[] key : refused) {
        assertThat(find(get, key)).as("seed %d", seed).isEmpty();
      }
    }
  }

  @Test
  void aThirdKeyOfTheSameTwoBucketsIsRefusedAndTheOthersStay() {
    CuckooGet get = new CuckooGet(KEY_BYTES, VALUE_BYTES, 1);
    byte[][] keys = {{1, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 0, 0}, {3, 0, 0, 0, 0, 0}};
    assertThat(get.put(keys[0], value(keys[0]))).isTrue();
    assertThat(get.put(keys[1], value(keys[1]))).isTrue();
    assertThat(get.put(keys[2], value(keys[2]))).isFalse();
    assertThat(find(get, keys[0])).containsExactly(value(keys[0]));
    assertThat(find(get, keys[1])).containsExactly(value(keys[1]));
    assertThat(find(get, keys[2])).isEmpty();
  }

  @Test
  void theKeyOfFreeBucketsIsRefused() {
    CuckooGet get = new CuckooGet(KEY_BYTES, VALUE_BYTES, BUCKETS);
    assertThatThrownBy(() -> get.put(new byte[KEY_BYTES], new byte[VALUE_BYTES]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not 0");
  }

  private static List<byte[]> find(CuckooGet get, byte[] key) {
    Interpreter interpreter = new Interpreter(get.program());
    Map<Data, Long> addresses = new HashMap<>();
    get.program().data().forEach(data -> addresses.put(data, interpreter.address(data)));
    return interpreter.call(get.call(key, addresses));
  }

  private static byte[] value(byte[] key) {
    byte[] value = new byte[VALUE_BYTES];
    System.arraycopy(key, 0, value, 1, KEY_BYTES);
    return value;
  }

  private static byte[] bytes(int count, Random random) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
